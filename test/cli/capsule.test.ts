import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { AUTHORED_BYTES, CAPSULE_BYTES } from "../../src/core/capsule/files.ts";
import { initialiseLayer } from "../../src/core/boundary/initialise.ts";
import { capsuleText, hoursAgo } from "../core/capsule/support/memory.ts";
import { injectFaults } from "../../src/core/fs/fault.ts";
import { newRepository } from "../support/repository.ts";
import { runLine } from "../support/run-program.ts";
import type { ProgramRun } from "../support/run-program.ts";
import { scratchDirectory } from "../support/scratch.ts";

interface Place {
  root: string;
  capsules: string;
  run: (
    words: readonly string[],
    more?: { stdin?: string; environment?: Record<string, string>; worker?: string; unheard?: string },
  ) => Promise<ProgramRun>;
  put: (name: string, text: string) => void;
  read: (name: string) => string;
}

async function newPlace(): Promise<Place> {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await initialiseLayer(root, { extend: false });
  const capsules = join(root, ".ai/local/memory/capsules");
  mkdirSync(capsules, { recursive: true });
  return {
    root,
    capsules,
    run: (words, more = {}) => runLine(words, { directory: root, ...more }),
    put: (name, text) => writeFileSync(join(capsules, name), text),
    read: (name) => readFileSync(join(capsules, name), "utf8"),
  };
}

it("tells the age of a young capsule in minutes", async () => {
  const place = await newPlace();
  place.put("young.md", capsuleText({ id: "young", created_at: hoursAgo(0) }));
  expect((await place.run(["capsule", "show", "young"])).stdout).toMatch(/^age: +\d{1,2}m ago,/m);
});

const json = async <Answer>(run: Promise<ProgramRun>): Promise<Answer> =>
  JSON.parse((await run).stdout) as Answer;

describe("over two hundred capsules", () => {
  const putMany = (place: Place, count: number): void => {
    for (let number = 0; number < count; number += 1) {
      const more = number % 3 === 0 ? { status: "resumed" } : {};
      place.put(`c${number}.md`, capsuleText({ id: `c${number}`, created_at: hoursAgo(number), ...more }));
    }
  };

  it.each(["list", "select"])("%s asks the pool, and up to them its own thread", async (command) => {
    const place = await newPlace();
    putMany(place, 200);
    const worker = "/nowhere/worker.cjs";
    expect((await place.run(["capsule", command], { worker })).status).toBe(0);
    place.put("one-more.md", capsuleText({ id: "one-more", status: "draft" }));
    const without = await place.run(["capsule", command], { worker });
    expect(without.status).toBe(13);
    expect(without.stdout).toBe("");
    expect((await place.run(["capsule", command])).status).toBe(0);
  });

  it("accounts for each of them as its own thread would", async () => {
    const place = await newPlace();
    putMany(place, 201);
    const answer = await json<{ total: number; rejected: { name: string; reason: string }[] }>(
      place.run(["capsule", "select", "--json"]),
    );
    expect(answer.total).toBe(201);
    expect(answer).toMatchObject({ capsule: { id: "c1" }, fell_back_to_placeholder: false });
    const expected = new Map<string, string>();
    for (let number = 0; number < 201; number += 1) {
      expected.set(`c${number}.md`, number % 3 === 0 ? "already-consumed" : "not-newest");
    }
    expected.delete("c1.md");
    expect(new Map(answer.rejected.map(({ name, reason }) => [name, reason]))).toEqual(expected);
  });
});

describe("looking at capsules", () => {
  it("lists, selects and shows with the same reasons, and counts that add up", async () => {
    const place = await newPlace();
    place.put("new.md", capsuleText({ id: "new" }));
    place.put("old.md", capsuleText({ id: "old", created_at: hoursAgo(99) }));
    place.put("spent.md", capsuleText({ id: "spent", status: "resumed" }));
    place.put("draft.md", capsuleText({ status: "dr\u202eaft" }));
    place.put("plain.md", "no front matter");
    symlinkSync("new.md", join(place.capsules, "link.md"));

    const listed = await json<{ total: number; files: { name: string; verdict: string; field?: string }[] }>(
      place.run(["capsule", "list", "--json"]),
    );
    expect(listed.total).toBe(6);
    expect(Object.fromEntries(listed.files.map(({ name, verdict }) => [name, verdict]))).toEqual({
      "draft.md": "status-not-active",
      "link.md": "not-a-regular-file",
      "new.md": "selected",
      "old.md": "not-newest",
      "plain.md": "no-frontmatter",
      "spent.md": "already-consumed",
    });
    expect(listed.files.find(({ name }) => name === "draft.md")?.field).toBe("status");

    const selected = await json<{
      capsule: { id: string } | null;
      total: number;
      groups: { reason: string; count: number }[];
      rejected: { name: string; reason: string }[];
    }>(place.run(["capsule", "select", "--json"]));
    expect(selected.capsule?.id).toBe("new");
    expect(selected.groups.reduce((sum, { count }) => sum + count, 1)).toBe(selected.total);
    expect(Object.fromEntries(selected.rejected.map(({ name, reason }) => [name, reason]))).toEqual(
      Object.fromEntries(
        listed.files.filter(({ verdict }) => verdict !== "selected").map((file) => [file.name, file.verdict]),
      ),
    );

    const people = await place.run(["capsule", "select"]);
    expect(people).toMatchObject({ status: 0, stderr: "" });
    expect(people.stdout).toContain('1x status-not-active ("dr\\u{202e}aft"): "draft.md"');
    expect(people.stdout).toContain("6 file(s), 5 not selected");
    expect((await place.run(["capsule", "list"])).stdout).toMatch(/6 file\(s\): 1 /);

    expect((await place.run(["capsule", "show", "spent"])).stdout).toContain(
      'verdict:           already-consumed ("resumed")',
    );
    expect((await place.run(["capsule", "show", "gone"])).status).toBe(12);
    expect((await place.run(["capsule", "show", "plain.md"])).status).toBe(10);
    expect((await place.run(["capsule", "show", "one"])).status).toBe(0);
    expect((await place.run(["capsule", "show", "../../state/ledger.jsonl"])).status).toBe(12);
  });

  it("groups two hundred capsules of which one is valid, and the sums are the same everywhere", async () => {
    const place = await newPlace();
    const broken = [
      () => "text",
      () => capsuleText({ status: undefined }),
      () => capsuleText({ status: "draft" }),
      () => capsuleText({ status: "resumed" }),
      () => capsuleText({ id: undefined }),
      () => capsuleText({ created_at: "yesterday" }),
      () => capsuleText({ created_at: "2099-01-01" }),
      () => capsuleText({ objective: "null" }),
      () => capsuleText({ next_valid_action: "|" }),
    ];
    for (let index = 0; index < 199; index += 1)
      place.put(`b${index}.md`, (broken[index % 9] ?? (() => ""))());
    place.put("valid.md", capsuleText());
    const answer = await json<{ total: number; groups: { count: number }[] }>(
      place.run(["capsule", "select", "--json"]),
    );
    expect(answer.total).toBe(200);
    expect(answer.groups.reduce((sum, { count }) => sum + count, 0)).toBe(199);
    const listed = await json<{ files: unknown[] }>(place.run(["capsule", "list", "--json"]));
    expect(listed.files).toHaveLength(200);
    expect((await place.run(["resume"])).stdout).toContain("CAPSULES NOT SELECTED (199 in all):");
  });

  it("names the fault of a broken memory root, and reads nothing", async () => {
    const place = await newPlace();
    writeFileSync(join(place.root, ".aigent/state.json"), "{");
    for (const words of [
      ["capsule", "list"],
      ["capsule", "select"],
    ]) {
      const run = await place.run(words);
      expect(run).toMatchObject({ status: 10, stdout: "" });
      expect(run.stderr).toMatch(/^MEMORY-ROOT: ".*state\.json" is not JSON\n$/);
    }
    const resumed = await place.run(["resume"]);
    expect(resumed.status).toBe(10);
    expect(resumed.stdout).toContain("\nMEMORY-ROOT: ");
    expect(resumed.stdout).toContain("DEGRADED");
    expect((await place.run(["capsule", "write"], { stdin: capsuleText() })).status).toBe(10);
    const refused = await place.run(["hooks", "install", "claude-code"]);
    expect(refused).toMatchObject({ status: 15, stdout: "" });
    expect(refused.stderr).toContain("MEMORY-ROOT: ");
    expect(existsSync(join(place.root, ".claude"))).toBe(false);
  });
});

describe("a list", () => {
  it("has the objective that stands in a body, however far down, as a selection has it", async () => {
    const place = await newPlace();
    const body = `\n${"A long line of work.\n".repeat(500)}\n## Objective\nFrom the body\n\n## Done\n`;
    const text = (id: string, status: string): string =>
      capsuleText({ id, status, objective: undefined }, body);
    place.put("active.md", text("active", "active"));
    place.put("draft.md", text("draft", "draft"));
    place.put("spent.md", text("spent", "resumed"));
    const list = await json<{ files: { name: string; objective: string }[] }>(
      place.run(["capsule", "list", "--json"]),
    );
    expect(list.files.map(({ objective }) => objective)).toEqual(Array(3).fill("From the body"));
    const shown = await place.run(["capsule", "list"]);
    expect(shown.stdout.split('— "From the body"')).toHaveLength(4);
  });
});

describe("a spend whose answer does not arrive", () => {
  it.each([
    ["resume", "--spend"],
    ["resume", "--spend", "--capsule", "one"],
    ["resume", "--spend", "--json"],
    ["run", "capsule.resume", "--input", '{"spend":true}'],
  ])("is undone to the byte, and that is said: %s %s %s %s", async (...words) => {
    const place = await newPlace();
    const text = capsuleText({ id: "one", status: '"active"  # mine' });
    place.put("one.md", text);
    const said = '"one.md" was given back: what was said of it did not arrive';
    // A full disk is a fault of its own; a reader who left is none, and yet nothing was spent as it was asked.
    for (const [unheard, status] of [
      ["ENOSPC", 13],
      ["", 10],
    ] as const) {
      const run = await place.run(words, { unheard });
      expect(run).toMatchObject({ status, stderr: expect.stringContaining(`majordomus: ${said}\n`) });
      expect(place.read("one.md")).toBe(text);
    }
    expect(readFileSync(join(place.root, ".ai/local/memory/.daemon-errors.log"), "utf8")).toContain(
      "was given back",
    );
    expect(await place.run(words)).toMatchObject({ status: 0, stderr: "" });
    expect(place.read("one.md")).toContain("status: resumed");
    // Whoever spends nothing has nothing to give back.
    expect((await place.run(["resume", "--capsule", "one"], { unheard: "" })).stderr).toBe("");
  });
});

describe("a memory that is diverted", () => {
  it.each([
    ["capsule", "list"],
    ["capsule", "list", "--json"],
    ["capsule", "select"],
    ["capsule", "validate"],
    ["capsule", "write"],
    ["capsule", "point", "x"],
  ])("is said by %s %s %s", async (...words) => {
    const place = await newPlace();
    const elsewhere = scratchDirectory();
    const environment = { AIGENT_STATE_HOME_DIR: elsewhere };
    const run = await place.run(words, { environment, stdin: capsuleText() });
    expect(run.stderr).toContain(`AIGENT_STATE_HOME_DIR is set: memory is in ${elsewhere}`);
    expect((await place.run(words, { stdin: capsuleText() })).stderr).not.toContain("AIGENT_STATE_HOME_DIR");
  });
});

describe("validation", () => {
  it("judges what is not spent, what is named, and what is on standard input", async () => {
    const place = await newPlace();
    expect(await place.run(["capsule", "validate"])).toMatchObject({ status: 0 });
    place.put("good.md", capsuleText({ id: "good" }));
    place.put("bad.md", capsuleText({ id: "bad", waiting_on: "null" }));
    place.put("spent.md", "spent without front matter".replace("spent", "---\nstatus: resumed\n---\n"));
    const all = await place.run(["capsule", "validate"]);
    expect(all.status).toBe(10);
    expect(all.stdout).toContain("FAIL capsules    bad.md — waiting_on is a bare null, which is no value");
    expect(all.stdout).toContain("OK   capsules    good.md — has all required fields");
    expect(all.stdout).not.toContain("spent.md");
    expect((await place.run(["capsule", "validate", "good"])).status).toBe(0);
    expect((await place.run(["capsule", "validate", "none"])).status).toBe(12);
    expect(
      (await place.run(["capsule", "validate", "-"], { stdin: capsuleText({ objective: '"[inbox] x"' }) }))
        .status,
    ).toBe(10);
    expect((await place.run(["capsule", "validate", "-", "good"])).status).toBe(2);
  });
});

describe("writing", () => {
  it("names the capsule by its id, once, and refuses what would be discarded", async () => {
    const place = await newPlace();
    rmSync(place.capsules, { recursive: true });
    const text = capsuleText({ id: '"2026-11-30-parser"' });
    const run = await place.run(["capsule", "write"], { stdin: text });
    expect(run.status).toBe(0);
    expect(run.stdout).toBe(`${join(place.capsules, "2026-11-30-parser.md")}\n`);
    expect(run.stderr).toContain("framing is missing");
    expect(place.read("2026-11-30-parser.md")).toBe(text);
    expect(statSync(join(place.capsules, "2026-11-30-parser.md")).mode & 0o777).toBe(0o600);
    expect((await place.run(["capsule", "write"], { stdin: text })).status).toBe(15);
    for (const bad of [
      "no front matter",
      capsuleText({ waiting_on: "null" }),
      capsuleText({ created_at: "2026-11-30T10:00" }),
      capsuleText({ created_at: "2099-01-01" }),
      capsuleText({ status: "draft" }),
      capsuleText({ id: '"../evil"' }),
      capsuleText({ id: '"a b"' }),
    ]) {
      expect((await place.run(["capsule", "write"], { stdin: bad })).status).toBe(10);
    }
    for (const [fields, said] of [
      [{ status: "draft" }, /status-not-active \(draft\); status is active/],
      [{ status: "resumed" }, /already-consumed \(resumed\); status is active/],
      [{ created_at: "2026-11-30T10:00" }, /bad-created_at .*; created_at is ISO 8601 with an offset/],
      [{ created_at: "2099-01-01" }, /future-created_at .*; created_at is the time of writing/],
      [{ id: `"${"x".repeat(200)}"` }, /id: is 200 characters long; use 181 at most/],
      [{ id: '"a b"' }, /a b: is no id that can name a file; use letters/],
      [{ objective: '"[inbox] x"' }, /objective is taken by the content gate for an injected instruction/],
      [
        { next_valid_action: '"RESUME-ACK"' },
        /next_valid_action is taken by the content gate for the ceremony/,
      ],
    ] as const) {
      const refused = await place.run(["capsule", "write"], { stdin: capsuleText(fields) });
      expect(refused.stderr).toMatch(said);
      expect(refused.stderr.includes("ISO 8601")).toBe(Object.values(fields)[0] === "2026-11-30T10:00");
    }
    expect((await place.run(["capsule", "write"], { stdin: " " })).status).toBe(2);
    expect(readdirSync(place.capsules)).toEqual(["2026-11-30-parser.md"]);
  });

  it("takes what has room for all that happens to it later, and changes nothing that has none", async () => {
    const place = await newPlace();
    const sized = (id: string, bytes: number): string => {
      const text = capsuleText({ id, resolved_at: "null" });
      return text + "a".repeat(bytes - text.length);
    };
    const over = await place.run(["capsule", "write"], { stdin: sized("over", AUTHORED_BYTES + 1) });
    expect([over.status, over.stderr]).toEqual([10, expect.stringMatching(/has 1046529 bytes, of 1046528/)]);
    for (const verb of ["resolve", "abandon"]) {
      const text = sized(verb, AUTHORED_BYTES);
      expect((await place.run(["capsule", "write"], { stdin: text })).status).toBe(0);
      expect((await place.run(["capsule", verb, verb])).status).toBe(0);
      expect((await place.run(["capsule", "show", verb])).status).toBe(0);
      place.put("full.md", sized("full", CAPSULE_BYTES));
      const refused = await place.run(["capsule", verb, "full"]);
      expect(refused.status).toBe(10);
      expect(refused.stderr).toMatch(
        /^majordomus: full\.md: would be \d+ byte\(s\) larger .*: shorten its text\n$/,
      );
      expect(place.read("full.md") === sized("full", CAPSULE_BYTES)).toBe(true);
    }
  });

  it("says in one line where a disk refused, and what to do, and changes nothing", async () => {
    const place = await newPlace();
    place.put("one.md", capsuleText());
    onTestFinished(() => injectFaults(undefined));
    for (const [words, stdin] of [
      [["capsule", "write"], capsuleText({ id: "two" })],
      [["capsule", "resolve", "one"], ""],
    ] as const) {
      injectFaults({
        before(operation, path) {
          if (operation === "write" && path.startsWith(place.capsules))
            throw Object.assign(new Error(`ENOSPC: no space left on device, write '${path}'`), {
              code: "ENOSPC",
              path,
            });
        },
      });
      const run = await place.run(words, { stdin });
      injectFaults(undefined);
      expect(run).toEqual({
        status: 13,
        stdout: "",
        stderr: `majordomus: ${place.capsules}: no space left on device (ENOSPC); free some space there\n`,
      });
    }
    expect([readdirSync(place.capsules), place.read("one.md")]).toEqual([["one.md"], capsuleText()]);
  });

  it("resolves and abandons by a person's word, byte for byte, and neither comes back", async () => {
    const place = await newPlace();
    place.put("one.md", capsuleText({ resolved_at: "null" }));
    place.put("two.md", capsuleText({ id: "two" }).replaceAll("\n", "\r\n"));
    expect((await place.run(["capsule", "resolve", "one"])).stdout).toBe('one.md: "active" -> resolved\n');
    expect(place.read("one.md")).toBe(
      capsuleText({ status: "resolved", resolved_at: "2026-11-30T12:00:00.000Z" }),
    );
    expect((await place.run(["capsule", "resolve", "one"])).stdout).toBe("one.md is resolved already\n");
    expect((await place.run(["capsule", "abandon", "two.md"])).status).toBe(0);
    expect(place.read("two.md")).toBe(
      capsuleText({ id: "two", status: "abandoned" }).replaceAll("\n", "\r\n"),
    );
    const answer = await json<{ capsule: null; unavailable: string }>(
      place.run(["capsule", "select", "--json"]),
    );
    expect(answer).toMatchObject({ capsule: null, unavailable: "all-candidates-rejected" });
    expect((await place.run(["capsule", "abandon", "none"])).status).toBe(12);
  });

  it("puts the oldest links of a long chain together, deletes nothing, and goes on where it was cut off", async () => {
    const place = await newPlace();
    for (let link = 1; link <= 6; link += 1) {
      const parent = link === 1 ? "null" : `"c${link - 1}"`;
      place.put(
        `c${link}.md`,
        capsuleText({ id: `c${link}`, parent_capsule_id: parent, objective: `"Goal ${link}"` }),
      );
    }
    expect((await place.run(["capsule", "compact", "c4"])).stdout).toContain("a chain of 4");
    const run = await place.run(["capsule", "compact", "c6"]);
    expect(run.status).toBe(0);
    const summary = "chain-summary-c6-2026-11-30";
    expect(run.stdout).toContain(summary);
    const text = place.read(`${summary}.md`);
    expect(text).toContain(`id: "${summary}"`);
    expect(text).toContain("status: resolved");
    expect(text).toContain('- "c3": "Goal 3"');
    expect(place.read("c4.md")).toContain(`parent_capsule_id: "${summary}"`);
    for (const name of ["c1", "c2", "c3"])
      expect(place.read(`${name}.md`)).toContain(`compacted_into: "${summary}"`);
    expect((await place.run(["capsule", "compact", "c6"])).stdout).toContain("a chain of 4");
    expect(readdirSync(place.capsules)).toHaveLength(7);
    place.put("c4.md", capsuleText({ id: "c4", parent_capsule_id: '"c3"' }));
    expect((await place.run(["capsule", "compact", "c6"])).status).toBe(0);
    expect(place.read("c4.md")).toContain(`parent_capsule_id: "${summary}"`);
    place.put("loop.md", capsuleText({ id: "loop", parent_capsule_id: '"loop"' }));
    expect((await place.run(["capsule", "compact", "loop"])).stdout).toContain("a chain of 1");
  });

  it("points only to capsules below the memory root, where there is a state to note it in", async () => {
    const place = await newPlace();
    const memory = join(place.root, ".ai/local/memory");
    place.put("one.md", capsuleText());
    mkdirSync(join(place.root, ".ai/local/memory-backup"));
    writeFileSync(join(place.root, ".ai/local/memory-backup/x.md"), capsuleText());
    expect((await place.run(["capsule", "point", "one"])).status).toBe(1);
    writeFileSync(join(memory, "BODY_STATE.json"), '{"state":{},"other":1}');
    expect(await place.run(["capsule", "point", "one.md"])).toMatchObject({
      status: 0,
      stdout: "pointed one.md\n",
    });
    expect(JSON.parse(readFileSync(join(memory, "BODY_STATE.json"), "utf8"))).toMatchObject({
      other: 1,
      state: { last_capsule: { id: "one", path: ".ai/local/memory/capsules/one.md", status: "active" } },
    });
    for (const refused of [".ai/local/memory-backup/x.md", "/etc/passwd", "gone.md", "README.md/../x"]) {
      const run = await place.run(["capsule", "point", refused]);
      expect([run.status, run.stdout], refused).toEqual([1, ""]);
    }
    place.put("two.md", capsuleText({ id: "2026-two" }));
    expect((await place.run(["capsule", "point", "2026-two"])).status).toBe(0);
    place.put("host.md", capsuleText({ id: "one" }));
    const doubtful = await place.run(["capsule", "point", "one"]);
    expect([doubtful.status, doubtful.stderr]).toEqual([
      1,
      'majordomus: one: may mean "one.md" or "host.md"\n',
    ]);
    const answered = await place.run(["run", "capsule.point", "--input", '{"capsule":"one"}']);
    expect([answered.status, JSON.parse(answered.stdout)]).toEqual([
      0,
      expect.objectContaining({ state: "refused" }),
    ]);
    rmSync(join(place.capsules, "host.md"));
    const foreign = (pointer: string): string =>
      `{"big":12345678901234567890, "k":"\\u00e9",\r\n\t"state":{"x":1.0${pointer}},"y" : [ 1e2 ]}`;
    writeFileSync(join(memory, "BODY_STATE.json"), foreign(""));
    for (let times = 0; times < 2; times += 1) {
      expect((await place.run(["capsule", "point", "one"])).status).toBe(0);
      const text = readFileSync(join(memory, "BODY_STATE.json"), "utf8");
      const pointer = text.slice(foreign("").indexOf("1.0") + 3, text.indexOf('},"y"'));
      expect(text).toBe(foreign(pointer));
      expect(JSON.parse(`{"x":1${pointer}}`)).toMatchObject({ last_capsule: { id: "one" } });
    }
    writeFileSync(join(memory, "BODY_STATE.json"), "[]");
    expect((await place.run(["capsule", "point", "one"])).status).toBe(1);
  });
});

describe("resuming by hand", () => {
  it("spends nothing unless it is asked to, and says which capsule it took", async () => {
    const place = await newPlace();
    place.put("one.md", capsuleText());
    place.put("two.md", capsuleText({ id: "two", created_at: hoursAgo(50) }));
    const first = await place.run(["resume"], { environment: { CLAUDE_CODE_SESSION_ID: "S-9" } });
    expect(first.status).toBe(0);
    expect(first.stdout).toContain("not spent: it stays selectable");
    expect(first.stdout).toContain('capsule id: "one"');
    expect(first.stdout).toContain('session_id: "S-9"');
    expect(place.read("one.md")).toBe(capsuleText());
    expect((await place.run(["resume", "--capsule", "two", "--spend"])).stdout).toContain(
      'capsule id: "two"',
    );
    expect(place.read("two.md")).toContain("status: resumed");
    const again = await place.run(["resume", "--capsule", "two"]);
    expect(again.stdout).toContain('not active any more ("resumed")');
    expect((await place.run(["resume", "--capsule", "two", "--spend"])).status).toBe(15);
    expect((await place.run(["resume", "--capsule", "none"])).status).toBe(12);
    expect((await place.run(["resume", "--spend"])).stdout).toContain("and is spent");
    const nothing = await place.run(["resume", "--spend"]);
    expect(nothing).toMatchObject({ status: 0 });
    expect(nothing.stdout).toContain("NO CAPSULE: all-candidates-rejected");
  });

  it("accounts for every file in text and as data, with the session and the declaration", async () => {
    const place = await newPlace();
    place.put("one.md", capsuleText());
    place.put("two.md", capsuleText({ id: "two", created_at: hoursAgo(50) }));
    place.put("draft.md", capsuleText({ id: "draft", status: "draft" }));
    mkdirSync(join(place.root, ".aigent"), { recursive: true });
    const declared = { schema: "LifecycleExtension/v2", resume_ack: "ACK", resume_preload: ["look first"] };
    writeFileSync(join(place.root, ".aigent/lifecycle-extension.json"), JSON.stringify(declared));
    const environment = { CLAUDE_CODE_SESSION_ID: "S-9" };
    const words = ["resume", "--capsule", "two"];
    expect((await place.run(words, { environment })).stdout).toContain(
      [
        "CAPSULES NOT SELECTED (2 in all):",
        '  - 1x status-not-active ("draft"): "draft.md"',
        '  - 1x not-named ("a clear would resume it"): "one.md"',
        "  1 of these was written and then discarded",
      ].join("\n"),
    );
    expect(await json(place.run([...words, "--json"], { environment }))).toMatchObject({
      degraded: false,
      capsule: { id: "two" },
      rejected: [
        { name: "draft.md", reason: "status-not-active", detail: "draft", field: "status", ordinary: false },
        { name: "one.md", reason: "not-named", ordinary: true },
      ],
      boot_session: { session_id: "S-9", receipt_check: "receipt-unavailable" },
      extension: {
        resume_ack: "ACK",
        capsule_ack: null,
        resume_preload: ["look first"],
        resume_reground: [],
        warning: null,
      },
    });
  });

  it("spends nothing while a coordinator is live, and says so in one line", async () => {
    const place = await newPlace();
    place.put("one.md", capsuleText());
    const state = join(place.root, "coordination.json");
    const environment = { AIGENT_COORDINATION_STATE: state };
    writeFileSync(state, '{"phase":"working"}');
    for (const words of [["--spend"], ["--spend", "--capsule", "one"]]) {
      const run = await place.run(["resume", ...words], { environment });
      expect(run).toMatchObject({ status: 15, stdout: "" });
      expect(run.stderr).toMatch(/^majordomus: AIGENT_COORDINATION_STATE: a conducted cycle is live .*\n$/);
    }
    expect(place.read("one.md")).toBe(capsuleText());
    const read = await json<{ deferred: string; spent: boolean }>(
      place.run(["resume", "--json"], { environment }),
    );
    expect(read).toMatchObject({ deferred: "its phase has not ended", spent: false });
    expect((await place.run(["capsule", "select"], { environment })).stdout).toContain(
      "a conducted cycle is live (its phase has not ended): a clear would read and spend nothing now",
    );
    expect(await json(place.run(["capsule", "select", "--json"], { environment }))).toMatchObject({
      capsule: { id: "one" },
      deferred: "its phase has not ended",
    });
    // A preview is what a clear would print: the line, unless a capsule is asked for by its name.
    const preview = (input: string): Promise<{ procedure: string }> =>
      json(place.run(["run", "capsule.procedure", "--input", input], { environment }));
    expect((await preview("{}")).procedure).toBe(
      'A conducted cycle is live (its phase has not ended); orientation at "clear" is deferred, no capsule was read or spent.\n',
    );
    expect((await preview('{"capsule":"one"}')).procedure).toContain("[RESUME VERB]");
    writeFileSync(state, '{"phase":"done"}');
    expect((await place.run(["resume", "--spend"], { environment })).status).toBe(0);
    expect(place.read("one.md")).toContain("status: resumed");
  });

  it("previews what a clear would print, and reads only", async () => {
    const place = await newPlace();
    place.put("one.md", capsuleText());
    const run = await place.run(["run", "capsule.procedure"]);
    const answer = JSON.parse(run.stdout) as { procedure: string; spent: boolean; rejected: unknown };
    expect(answer.rejected).toEqual([]);
    expect(answer.procedure).toContain("[RESUME VERB] Boot after a clear.");
    expect(answer.procedure).toContain("One capsule was chosen, and is spent.");
    expect(answer.spent).toBe(false);
    expect(place.read("one.md")).toBe(capsuleText());
  });
});

describe("the literal commands", () => {
  it("memory-root prints a path, or one line and 1", async () => {
    const base = scratchDirectory();
    mkdirSync(join(base, "memory"));
    const run = (...words: string[]): Promise<ProgramRun> =>
      runLine(["memory-root", ...words], { directory: base });
    expect(await run("--root", base)).toEqual({ status: 0, stdout: `${join(base, "memory")}\n`, stderr: "" });
    expect((await run("--root", ".", "--relative")).stdout).toBe("memory\n");
    expect((await run("--root", ".", "--with-ledgers", "--relative")).stdout).toBe("memory\nmemory\n");
    expect((await run("--root", ".", "--ledgers")).stdout).toBe(`${join(base, "memory")}\n`);
    expect(JSON.parse((await run("--root", ".", "--json")).stdout)).toEqual({
      root: join(base, "memory"),
      relative: "memory",
      source: "default",
      ledgers: { root: join(base, "memory"), relative: "memory" },
    });
    expect((await run("--default")).stdout).toBe("vault/memory\n");
    for (const words of [
      [],
      ["--root"],
      ["--root", ""],
      ["--root", "--json"],
      ["--root", ".", "--root", "."],
      ["--default", "--json"],
      ["--root", ".", "--wh\nat"],
      ["x"],
    ]) {
      const failed = await run(...words);
      expect([failed.status, failed.stdout], words.join(" ")).toEqual([1, ""]);
      expect(failed.stderr).toMatch(/^MEMORY-ROOT: [^\n]+\n$/);
    }
    mkdirSync(join(base, ".aigent"));
    writeFileSync(join(base, ".aigent/state.json"), '{"memory_root":"kept"}');
    expect((await run("--root", ".")).status).toBe(1);
    expect((await run("--root", ".", "--allow-missing")).stdout).toBe(`${join(base, "kept")}\n`);
    expect((await run("--help")).stdout).toContain("Usage");
  });

  it("memory-root goes by what diverts memory first, and says so beside the path", async () => {
    const base = scratchDirectory();
    const elsewhere = scratchDirectory();
    mkdirSync(join(elsewhere, "memory"));
    mkdirSync(join(base, "vault/memory"), { recursive: true });
    const run = (...words: string[]): Promise<ProgramRun> =>
      runLine(["memory-root", "--root", ".", ...words], {
        directory: base,
        environment: { AIGENT_STATE_HOME_DIR: elsewhere },
      });
    expect(await run()).toEqual({
      status: 0,
      stdout: `${join(elsewhere, "memory")}\n`,
      stderr: `majordomus: AIGENT_STATE_HOME_DIR is set: memory is in ${elsewhere}, not in .\n`,
    });
    expect(JSON.parse((await run("--json")).stdout)).toMatchObject({ root: join(elsewhere, "memory") });
    expect((await run("--relative")).stdout).toBe("memory\n");
  });

  it("memory-root refuses a path that a line cannot hold, and a root that is no directory", async () => {
    const base = scratchDirectory();
    for (const name of ["new\nline", "esc\u001b[31m", "bidi\u202e", "file"]) {
      if (name === "file") writeFileSync(join(base, name), "");
      else mkdirSync(join(base, name));
      const failed = await runLine(["memory-root", "--root", name], { directory: base });
      expect([failed.status, failed.stdout], name).toEqual([1, ""]);
      expect(failed.stderr).toMatch(
        name === "file"
          ? /^MEMORY-ROOT: "[^\n]*\/file" cannot be inspected: it is not a directory\n$/
          : /^MEMORY-ROOT: "[^\n\u001b]*" has a character that cannot be printed[^\n]*\n$/,
      );
      if (name === "file") continue;
      const exact = await runLine(["memory-root", "--root", name, "--json"], { directory: base });
      expect(JSON.parse(exact.stdout)).toMatchObject({ root: join(base, name, "vault/memory") });
      const relative = await runLine(["memory-root", "--root", name, "--relative"], { directory: base });
      expect(relative.stdout).toBe("vault/memory\n");
    }
    symlinkSync("file", join(base, "link"));
    expect((await runLine(["memory-root", "--root", "link"], { directory: base })).status).toBe(1);
    symlinkSync(".", join(base, "here"));
    expect((await runLine(["memory-root", "--root", "here"], { directory: base })).status).toBe(0);
    expect((await runLine(["memory-root", "--root", "gone"], { directory: base })).status).toBe(0);
  });

  it("lifecycle-extension always ends with 0: the line, or nothing and one warning", async () => {
    const base = scratchDirectory();
    const run = (...words: string[]): Promise<ProgramRun> =>
      runLine(["lifecycle-extension", ...words], { directory: base });
    expect(await run("render", "capsule_ack", "--capsule-id", "c", "--root", base)).toEqual({
      status: 0,
      stdout: "",
      stderr: "",
    });
    mkdirSync(join(base, ".aigent"));
    writeFileSync(join(base, ".aigent/lifecycle-extension.json"), (await run("example")).stdout);
    expect((await run("render", "capsule_ack", "--capsule-id", "c-1")).stdout).toMatch(
      /: EXAMPLE written c-1\n$/,
    );
    for (const words of [
      ["render", "resume_ack"],
      ["render", "nothing"],
      ["render"],
      ["nothing"],
      [],
      ["render", "capsule_ack", "--bad"],
      ["render", "capsule_ack", "-x"],
      ["render", "capsule_ack", "--root"],
      ["render", "capsule_ack", "--root", ""],
      ["render", "capsule_ack", "--root", "--capsule-id", "c"],
      ["render", "capsule_ack", "--root", ".", "--root", "."],
      ["render", "capsule_ack", "--capsule-id"],
      ["render", "capsule_ack", "more", "--capsule-id", "c"],
      ["example", "more"],
      ["nothing", "--root", "."],
    ]) {
      const failed = await run(...words);
      expect([failed.status, failed.stdout], words.join(" ")).toEqual([0, ""]);
      expect(failed.stderr).toMatch(/^LIFECYCLE-EXTENSION: [^\n]+\n$/);
    }
    expect((await run("render", "capsule_ack", "--capsule-id", "")).stderr).toContain("none was loaded");
    writeFileSync(join(base, ".aigent/lifecycle-extension.json"), "{");
    expect((await run("render", "capsule_ack")).stderr).toContain("declaration ignored");
  });
});

describe("the status line", () => {
  const payload = (more: object = {}): string =>
    JSON.stringify({
      session_id: "3f6c1d52-8b0e",
      model: { display_name: "Opus\u001b[31m" },
      context_window: { used_percentage: 82 },
      ...more,
    });

  const line = (
    stdin: string,
    environment: Record<string, string>,
    ...words: string[]
  ): Promise<ProgramRun> =>
    runLine(["statusline", ...words], { directory: scratchDirectory(), stdin, environment });

  it("notes the figure, and draws a line of its own where there is none", async () => {
    const config = scratchDirectory();
    const run = await line(payload(), { CLAUDE_CONFIG_DIR: config });
    expect(run).toEqual({ status: 0, stdout: "Opus␛[31m | ctx 82%\n", stderr: "" });
    expect(JSON.parse(readFileSync(join(config, "ctx-refresh/3f6c1d52-8b0e.json"), "utf8"))).toEqual({
      used_percentage: 82,
      ts: "2026-11-30T12:00:00.000Z",
    });
  });

  it.each([
    "",
    "not json",
    "[]",
    payload({ session_id: "../../x" }),
    payload({ session_id: 5 }),
    payload({ context_window: { used_percentage: "82" } }),
    payload({ context_window: null }),
    payload().replace("82", "1e400"),
    payload().replace("82", "-1e400"),
  ])("notes nothing of %j, and goes on", async (stdin) => {
    const config = scratchDirectory();
    const run = await line(stdin, { CLAUDE_CONFIG_DIR: config });
    expect(run.status).toBe(0);
    expect(run.stdout).not.toContain("Infinity");
    expect(readdirSync(config)).toEqual([]);
  });

  it("shows the line that stood there before, unchanged, in the order of who said so", async () => {
    const config = scratchDirectory();
    const environment = { CLAUDE_CONFIG_DIR: config };
    writeFileSync(join(config, "statusline-command.sh"), "cat >/dev/null; printf 'usual'");
    expect((await line(payload(), environment)).stdout).toBe("usual");
    writeFileSync(
      join(config, "settings.json"),
      '{"statusLine":{"type":"command","command":"cat | wc -c | tr -d \' \'"}}',
    );
    expect((await line(payload(), environment)).stdout).toBe(`${payload().length}\n`);
    const project = scratchDirectory();
    mkdirSync(join(project, ".claude"));
    writeFileSync(
      join(project, ".claude/settings.json"),
      '{"statusLine":{"type":"command","command":"printf shared"}}',
    );
    const there = payload({ workspace: { project_dir: project } });
    expect((await line(there, environment)).stdout).toBe("shared");
    expect((await line(payload({ cwd: project }), environment)).stdout).toBe("shared");
    expect((await line(payload(), { ...environment, CLAUDE_PROJECT_DIR: project })).stdout).toBe("shared");
    expect((await line(payload(), environment, "--delegate", "printf '\\033[1mnamed'")).stdout).toBe(
      "\u001b[1mnamed",
    );
    const script = join(config, "mine.sh");
    writeFileSync(script, "printf mine");
    expect(
      (
        await line(
          payload(),
          { ...environment, AIGENT_STATUSLINE_DELEGATE: script },
          "--delegate",
          "printf x",
        )
      ).stdout,
    ).toBe("mine");
  });

  it("is drawn whatever words it is called with, and what is wrong with them is said beside it", async () => {
    const environment = { CLAUDE_CONFIG_DIR: scratchDirectory() };
    for (const [words, said] of [
      [["--bogus"], 'unknown argument "--bogus"'],
      [["ex\u001btra"], "unknown argument"],
      [["--delegate"], "--delegate has no value"],
      [["--repo", "/nonexistent"], ""],
      [["--json"], ""],
    ] as const) {
      const run = await line(payload(), environment, ...words);
      expect([run.status, run.stdout], words[0]).toEqual([0, "Opus␛[31m | ctx 82%\n"]);
      expect(run.stderr).toMatch(
        said === "" ? /^$/ : RegExp(`^majordomus: statusline: ${said}[^\\n\\u001b]*\\n$`),
      );
    }
    for (const words of [["--delegate=printf named"], ["--bogus", "--delegate", "printf named", "more"]])
      expect(await line(payload(), environment, ...words)).toMatchObject({ status: 0, stdout: "named" });
  });

  it.each(["exit 3", "true", "majordomus statusline", "kill -9 $$"])(
    "draws its own line when %j draws none",
    async (command) => {
      const config = scratchDirectory();
      expect((await line(payload(), { CLAUDE_CONFIG_DIR: config }, "--delegate", command)).stdout).toContain(
        "| ctx 82%",
      );
    },
  );

  it("takes away only what it wrote itself, after a week", async () => {
    const config = scratchDirectory();
    await line(payload(), { CLAUDE_CONFIG_DIR: config });
    const directory = join(config, "ctx-refresh");
    writeFileSync(join(directory, "foreign.json"), "{}");
    writeFileSync(join(directory, "x.state"), "");
    const later = Date.now() + 9 * 86_400_000;
    await runLine(["statusline"], {
      directory: config,
      stdin: payload({ session_id: "another" }),
      environment: { CLAUDE_CONFIG_DIR: config },
      now: later,
    });
    expect(readdirSync(directory).toSorted()).toEqual([
      "another.json",
      "foreign.json",
      "majordomus.state",
      "x.state",
    ]);
  });
});
