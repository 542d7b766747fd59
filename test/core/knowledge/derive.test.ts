import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { parseKnowledge } from "../../../src/core/records/knowledge.ts";
import { parseNested } from "../../../src/core/text/nested-yaml.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { git } from "../../support/repository.ts";
import { commitBelow, newKnowledgePlace, recordsIn, SESSION, TASK } from "./support.ts";
import type { KnowledgePlace } from "./support.ts";

let place: KnowledgePlace;

beforeEach(async () => {
  place = await newKnowledgePlace();
});

const ONE = `${SESSION}-a208cad35295.md`;

function say(decision = "One store, not two (public)"): void {
  place.say("decision.recorded", { task_id: TASK, decision });
}

function events(name: string): Record<string, unknown>[] {
  return readFileSync(join(place.root, ".ai/local/state/ledger.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes(`"event":"${name}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("deriving from one episode", () => {
  it("writes each fact once, says so, and finds it unchanged the next time", async () => {
    place.say("session.started", { owner: "dev" });
    say();
    place.say("question.resolved", {
      task_id: TASK,
      question: "Which port?",
      answer: "8741, else a free one",
    });
    place.say("decision.recorded", { decision: "of somebody else" }, { session: "s-20260904160000-0002" });
    const first = await place.derive();
    const paths = [ONE, `${SESSION}-3ae2c1449e23.md`].map((name) => `.ai/repo/knowledge/candidates/${name}`);
    expect(first).toEqual({
      schema: 1,
      episode: SESSION,
      dry_run: false,
      episodes: 1,
      written: paths,
      unchanged: [],
      skipped: [],
      without_ledger: 0,
      left: 0,
    });
    const bytes = recordsIn(place.candidates);
    expect(await place.derive()).toMatchObject({ written: [], unchanged: paths, skipped: [] });
    expect(recordsIn(place.candidates)).toEqual(bytes);
    expect(events("knowledge.derived")).toMatchObject([
      { episode: SESSION, written: 2, unchanged: 0, skipped: 0, paths: paths.join(" ") },
      { episode: SESSION, written: 0, unchanged: 2, skipped: 0, paths: "" },
    ]);
  });

  it("only says what it would write, when it is asked that", async () => {
    say();
    expect(await place.derive({ dry_run: true })).toMatchObject({
      dry_run: true,
      written: [`.ai/repo/knowledge/candidates/${ONE}`],
    });
    expect(recordsIn(place.candidates).size).toBe(0);
    expect(events("knowledge.derived")).toEqual([]);
  });

  it("is brought to its end by the next, wherever it was killed", async () => {
    say();
    say("Another");
    for (let operation = 1; operation < 80; operation += 1) {
      injectFaults(parseFaultPlan(`EIO@${operation}`));
      const outcome = await place.derive().then(
        () => "done",
        () => "failed",
      );
      injectFaults(undefined);
      for (const text of recordsIn(place.candidates).values()) expect(parseKnowledge(text).ok).toBe(true);
      if (outcome === "done") break;
    }
    await place.derive();
    expect([...recordsIn(place.candidates).keys()].filter((name) => !name.startsWith(".tmp"))).toHaveLength(
      2,
    );
  });

  it("follows a ledger that says more, and writes only what differs", async () => {
    say();
    await place.derive();
    place.say("decision.recorded", { decision: "Another" }, { ts: "2026-09-06T00:00:00Z" });
    expect(await place.derive()).toMatchObject({
      written: [expect.anything()],
      unchanged: [expect.anything()],
    });
    writeFileSync(
      join(place.candidates, ONE),
      recordsIn(place.candidates).get(ONE)?.replace("One", "Two") ?? "",
    );
    expect(await place.derive()).toMatchObject({
      written: [`.ai/repo/knowledge/candidates/${ONE}`],
      unchanged: [expect.anything()],
    });
    expect(recordsIn(place.candidates).get(ONE)).toContain("One store");
  });

  it("reads archives too, and a lost ledger's shadow", async () => {
    place.say("session.started", { owner: "dev" });
    say();
    const state = join(place.root, ".ai/local/state");
    cpSync(join(state, "ledger.jsonl"), join(state, "ledger.20260905T000000Z.jsonl.archived"));
    writeFileSync(join(state, "ledger.jsonl"), "");
    expect(await place.derive()).toMatchObject({ written: [expect.stringContaining(ONE)] });
  });

  it("brings the reason of a task's end where this checkout has it, and keeps it where another has not", async () => {
    place.say("task.finished", { task_id: TASK, outcome: "blocked", contract: {} });
    const completed = join(place.root, ".ai/local/state/completed");
    mkdirSync(completed, { recursive: true });
    writeFileSync(join(completed, `${TASK}.md`), "# Reason\n\nthe key\tis lost\nand more\n");
    await place.derive();
    const [[name, text] = ["", ""]] = [...recordsIn(place.candidates)];
    expect(name).toBe(`${SESSION}-489b3b9e63b8.md`);
    expect(text).toContain(`title: "Task ${TASK} ended blocked: the key is lost"\n`);
    rmSync(completed, { recursive: true });
    expect(await place.derive()).toMatchObject({ unchanged: [expect.stringContaining(name)] });
    expect(recordsIn(place.candidates).get(name)).toBe(text);
  });

  it("refuses an episode that nobody knows, and has nothing to do without one", async () => {
    await expect(place.derive({ episode: "s-20000101000000-0000" })).rejects.toMatchObject({ exit: 12 });
    await expect(place.derive({ all: true })).rejects.toMatchObject({ exit: 2 });
    say();
    expect(await place.ask("knowledge.derive")).toMatchObject({ episode: null, episodes: 0, written: [] });
    expect(events("knowledge.derived")).toEqual([]);
  });

  it("takes the process's own episode", async () => {
    await place.fire("start", "cc-1");
    const answer = await place.ask("knowledge.derive");
    expect(answer).toMatchObject({ episode: expect.stringMatching(/^s-/), episodes: 1, written: [] });
    expect(events("knowledge.derived")).toMatchObject([{ written: 0, unchanged: 0, skipped: 0, paths: "" }]);
  });
});

describe("what is left alone", () => {
  it("is named with its reason", async () => {
    place.say("decision.recorded", { decision: "assistant: I think we should" });
    place.say("decision.recorded", { decision: "dated oddly" }, { ts: "once" });
    const { skipped, written } = await place.derive();
    expect(written).toEqual([]);
    expect(skipped.map(({ why }) => why)).toEqual(["transcript", "timestamp"]);
    expect(skipped[0]?.path).toMatch(/^\.ai\/repo\/knowledge\/candidates\/s-.*\.md$/);
  });

  it("is what a person promoted or rejected: nothing is revived", async () => {
    say();
    say("Another");
    const [one = "", another = ""] = (await place.derive()).written.map((path) =>
      path.replace(/.*\/|\.md$/g, ""),
    );
    await place.ask("knowledge.promote", { id: one, evidence: "Seen." });
    await place.ask("knowledge.reject", { id: another, reason: "Not so." });
    const before = recordsIn(place.candidates);
    const { written, skipped } = await place.derive();
    expect(written).toEqual([]);
    expect(skipped.map(({ why }) => why)).toEqual(["promoted", "superseded"]);
    expect(recordsIn(place.candidates)).toEqual(before);
  });

  it.each([
    ["half a record\n<<<<<<< HEAD\n", "unreadable"],
    ["---\nschema: knowledge/v2\nstatus: candidate\n---\n", "unreadable"],
    ["---\nschema: knowledge/v1\nstatus: verified\n---\n", "superseded"],
    ["---\nschema: knowledge/v1\n---\n", "superseded"],
    ["---\nschema: knowledge/v1\nstatus:\n  - candidate\n---\n", "superseded"],
  ])("is a file that a hand made invalid: %j", async (text, why) => {
    say();
    writeFileSync(join(place.candidates, ONE), text);
    expect((await place.derive()).skipped).toEqual([{ path: `.ai/repo/knowledge/candidates/${ONE}`, why }]);
    expect(readFileSync(join(place.candidates, ONE), "utf8")).toBe(text);
  });

  it("is not what a power cut left of a file", async () => {
    say();
    for (const left of ["", "\0\0\0\0"]) {
      writeFileSync(join(place.candidates, ONE), left);
      expect(await place.derive()).toMatchObject({ written: [expect.stringContaining(ONE)], skipped: [] });
    }
  });

  it("is a link, a directory, and whatever lies behind a linked shelf", async () => {
    say();
    const outside = join(scratchDirectory(), "outside.md");
    writeFileSync(outside, "untouched");
    symlinkSync(outside, join(place.candidates, ONE));
    expect((await place.derive()).skipped).toMatchObject([{ why: "unreadable" }]);
    expect(readFileSync(outside, "utf8")).toBe("untouched");
    rmSync(place.candidates, { recursive: true });
    const elsewhere = scratchDirectory();
    symlinkSync(elsewhere, place.candidates);
    await expect(place.derive()).rejects.toMatchObject({ exit: 15, code: "layer.linked" });
    expect(recordsIn(elsewhere).size).toBe(0);
  });

  it("is an episode whose id cannot be part of a file's name", async () => {
    place.say("decision.recorded", { decision: "x" }, { session: "../../../../escape" });
    const { skipped } = await place.derive({ episode: "../../../../escape" });
    expect(skipped).toMatchObject([{ why: "id" }]);
    expect(recordsIn(place.candidates).size).toBe(0);
  });
});

describe("commits and files of an episode", () => {
  const sources = (text: string): unknown => {
    const head = text.split("---\n")[1] ?? "";
    const fields = parseNested(head);
    const provenance = fields.ok ? fields.value.get("provenance") : undefined;
    return provenance instanceof Map ? provenance.get("derived_from") : undefined;
  };

  it("are those that touch rules or design decisions, and stand in each of its records", async () => {
    place.say("session.started", { owner: "dev" });
    commitBelow(place.root, "src/x.ts");
    const rule = commitBelow(place.root, ".ai/repo/rules/one.md");
    const gone = commitBelow(place.root, ".ai/repo/adrs/0001-gone.md");
    git(place.root, "rm", "-q", ".ai/repo/adrs/0001-gone.md");
    git(place.root, "commit", "-q", "-m", "Take it back");
    const back = git(place.root, "rev-parse", "HEAD");
    say();
    await place.derive();
    const text = recordsIn(place.candidates).get(ONE) ?? "";
    expect(sources(text)).toEqual([
      `session:${SESSION}`,
      `decision:${TASK}`,
      `commit:${rule}`,
      `commit:${gone}`,
      `commit:${back}`,
    ]);
    expect(text).toContain("relations:\n  - type: relates_to\n    target: file:.ai/repo/rules/one.md\n---\n");
  });

  it("end where the episode ended, however far HEAD has moved since", async () => {
    place.say("session.started", { owner: "dev" });
    const rule = commitBelow(place.root, ".ai/repo/rules/one.md");
    say();
    place.say("session.closed", { outcome: "closed", session_path: "x" });
    commitBelow(place.root, ".ai/repo/rules/later.md");
    await place.derive();
    const text = recordsIn(place.candidates).get(ONE) ?? "";
    expect(sources(text)).toEqual([`session:${SESSION}`, `decision:${TASK}`, `commit:${rule}`]);
    git(place.root, "checkout", "-q", "HEAD~2");
    expect(await place.derive()).toMatchObject({ unchanged: [expect.stringContaining(ONE)] });
  });

  it("are none where history was rewritten", async () => {
    git(place.root, "checkout", "-q", "-b", "side");
    const side = commitBelow(place.root, "side.md");
    git(place.root, "checkout", "-q", "main");
    place.say("session.started", { owner: "dev" }, { head: side });
    commitBelow(place.root, ".ai/repo/rules/one.md");
    say();
    await place.derive();
    expect(sources(recordsIn(place.candidates).get(ONE) ?? "")).toEqual([
      `session:${SESSION}`,
      `decision:${TASK}`,
    ]);
  });
});

describe("the same ledger and the same git", () => {
  it("give the same bytes in another worktree, in a clone, in another zone and language", async () => {
    place.say("session.started", { owner: "dev" });
    commitBelow(place.root, ".ai/repo/rules/ä b.md");
    say('Déjà vu — 日本 ✓ "quoted" \\ 👩‍👩‍👧');
    place.say("question.resolved", { task_id: TASK, question: "Which\tport?", answer: "8741" });
    place.say("session.closed", { outcome: "closed", session_path: "x" });
    const state = join(place.root, ".ai/local/state");
    const away = scratchDirectory();
    const worktree = join(away, "worktree");
    git(place.root, "worktree", "add", "-q", "-b", "other", worktree, "HEAD~1");
    const clone = join(away, "clone");
    execFileSync("git", ["clone", "-q", `file://${place.root}`, clone]);
    for (const root of [worktree, clone]) {
      mkdirSync(join(root, ".ai/local/state"), { recursive: true });
      cpSync(join(state, "ledger.jsonl"), join(root, ".ai/local/state/ledger.jsonl"));
    }
    const { TZ, LANG, LC_ALL } = process.env;
    await place.derive();
    const here = recordsIn(place.candidates);
    expect(here.size).toBe(2);
    process.env["TZ"] = "Pacific/Kiritimati";
    Object.assign(process.env, { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" });
    try {
      for (const root of [worktree, clone]) {
        await place.derive({}, root);
        expect(recordsIn(join(root, ".ai/repo/knowledge/candidates"))).toEqual(here);
      }
      await place.derive({ all: true, episode: undefined }, worktree);
      expect(recordsIn(join(worktree, ".ai/repo/knowledge/candidates"))).toEqual(here);
    } finally {
      for (const [key, value] of Object.entries({ TZ, LANG, LC_ALL })) {
        if (value === undefined) delete process.env[key];
        else process.env[key] = value;
      }
      git(place.root, "worktree", "remove", "--force", worktree);
    }
  });

  it("do not conflict when two branches derived the same fact", async () => {
    place.say("session.started", { owner: "dev" });
    say();
    place.say("session.closed", { outcome: "closed", session_path: "x" });
    const commit = (): void => {
      git(place.root, "add", "-A");
      git(place.root, "commit", "-q", "-m", "What was learned");
    };
    git(place.root, "checkout", "-q", "-b", "side");
    await place.derive();
    commit();
    const bytes = recordsIn(place.candidates);
    git(place.root, "checkout", "-q", "main");
    expect(recordsIn(place.candidates).size).toBe(0);
    await place.derive();
    commit();
    git(place.root, "merge", "-q", "--no-edit", "side");
    expect(recordsIn(place.candidates)).toEqual(bytes);
    const id = ONE.replace(".md", "");
    await place.ask("knowledge.promote", { id, evidence: "Seen." });
    commit();
    git(place.root, "checkout", "-q", "side");
    expect(await place.derive()).toMatchObject({ unchanged: [expect.anything()] });
    git(place.root, "merge", "-q", "--no-edit", "main");
    expect(await place.derive()).toMatchObject({ written: [], skipped: [{ why: "promoted" }] });
    expect(recordsIn(place.candidates).size).toBe(0);
    expect([...recordsIn(place.curated).keys()]).toEqual([ONE]);
  });
});

describe("deriving from every closed episode", () => {
  const id = (number: number): string => `s-20260904150000-${number.toString(16).padStart(4, "0")}`;

  function story(number: number, closed: boolean): void {
    const session = id(number);
    place.say("session.started", { owner: "dev" }, { session });
    place.say("decision.recorded", { decision: `Decision ${number}` }, { session });
    if (closed) place.say("session.closed", { outcome: "closed", session_path: "x" }, { session });
  }

  it("takes the closed and the recovered, and no open one", async () => {
    for (const number of [1, 2]) story(number, true);
    story(3, false);
    story(4, false);
    place.say(
      "session.recovered",
      { session_id: id(4), reason: "stranded", session_path: "x" },
      { session: id(9) },
    );
    const answer = await place.derive({ all: true, episode: undefined });
    expect(answer).toMatchObject({ episode: null, episodes: 3, left: 0 });
    expect(answer.written.map((path) => /s-\d+-\w{4}/.exec(path)?.[0])).toEqual([id(1), id(2), id(4)]);
    expect(events("knowledge.derived").map(({ episode }) => episode)).toEqual([id(1), id(2), id(4)]);
    const bytes = recordsIn(place.candidates);
    for (const number of [1, 2, 4]) await place.derive({ episode: id(number) });
    expect(recordsIn(place.candidates)).toEqual(bytes);
  });

  it("reads the ledger once, however many episodes there are", async () => {
    for (const number of [1, 2, 3]) story(number, true);
    let opened = 0;
    injectFaults({
      before: (operation, path) => {
        if (operation === "open" && path.endsWith("ledger.jsonl")) opened += 1;
      },
    });
    try {
      await place.derive({ all: true, episode: undefined, dry_run: true });
    } finally {
      injectFaults(undefined);
    }
    expect(opened).toBe(1);
  });

  it("reports progress, and stops between two episodes when it is cancelled", async () => {
    for (const number of [1, 2, 3, 4]) story(number, true);
    const told: unknown[] = [];
    const signal = { aborted: false };
    const answer = await place.ask(
      "knowledge.derive",
      { all: true },
      {
        signal,
        progress: (progress) => {
          told.push(progress);
          if (progress.done === 1) signal.aborted = true;
        },
      },
    );
    expect(answer).toMatchObject({ episodes: 2, left: 2, written: [expect.anything(), expect.anything()] });
    expect(told).toEqual([
      { done: 0, total: 4, what: id(1) },
      { done: 1, total: 4, what: id(2) },
    ]);
    expect(await place.ask("knowledge.derive", { all: true })).toMatchObject({ episodes: 4, left: 0 });
  });

  it("counts the closed records of a clone, whose ledger is elsewhere", async () => {
    await place.fire("start", "cc-1");
    await place.fire("end", "cc-1");
    git(place.root, "add", "-A");
    git(place.root, "commit", "-q", "-m", "Keep");
    const clone = join(scratchDirectory(), "clone");
    execFileSync("git", ["clone", "-q", `file://${place.root}`, clone]);
    const answer = await place.derive({ all: true, episode: undefined }, clone);
    expect(answer).toMatchObject({ episodes: 0, written: [], without_ledger: 1 });
  });
});
