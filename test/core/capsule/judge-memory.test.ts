import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeMemory, watchMemory } from "../../../src/core/capsule/judge-memory.ts";
import { recoverPlan } from "../../../src/core/capabilities/recover.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { lastResortLog } from "../../../src/core/journal/last-resort.ts";
import type { Finding } from "../../../src/core/labels/terms.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { capsuleText } from "./support/memory.ts";

const START = "2026-11-30T12:00:00Z";

async function judge(place: Place): Promise<string[]> {
  const findings: Finding[] = judgeMemory(await place.checkout());
  for (const { category, reproduce } of findings)
    expect([category, typeof reproduce]).toEqual(["capsules", "string"]);
  return findings.map(({ level, subject, message }) => `${level} ${subject}: ${message}`);
}

function put(place: Place, name: string, text: string): void {
  const directory = join(place.root, ".ai/local/memory/capsules");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text);
}

describe("the doctor on memory", () => {
  it("has nothing to say of a fresh repository, or of good capsules and ordinary history", async () => {
    const place = await newPlace(START);
    expect(await judge(place)).toEqual(["OK .ai/local/memory: 0 file(s)"]);
    put(place, "good.md", capsuleText());
    put(place, "spent.md", capsuleText({ status: "resumed" }));
    put(place, "paused.md", capsuleText({ status: "paused" }));
    put(place, "older.md", capsuleText({ created_at: "2026-10-01" }));
    expect(await judge(place)).toEqual([
      "OK .ai/local/memory: 4 file(s): 1x selected, 1x not-newest, 1x status-not-active, 1x already-consumed",
    ]);
  });

  it("warns of a root that git would take along, names the lines that ignore it, and is content with them", async () => {
    const place = await newPlace(START);
    const relative = "vault/m\u00e9 [x]";
    mkdirSync(join(place.root, relative), { recursive: true });
    writeFileSync(join(place.root, ".aigent/state.json"), JSON.stringify({ memory_root: relative }));
    const lines = ["runtime/", ".daemon-errors.log", "capsules/*-auto-*.md"].map(
      (name) => `/vault/m\u00e9 \\[x]/${name}`,
    );
    const warning = (missing: readonly string[]): string =>
      `WARN ${relative}: git would take along what was said there, secrets too: .gitignore lacks ${missing.join(", ")}`;
    expect((await judge(place)).slice(1)).toEqual([warning(lines)]);
    appendFileSync(join(place.root, ".gitignore"), `${lines.slice(1).join("\n")}\n`);
    expect((await judge(place)).slice(1)).toEqual([warning(lines.slice(0, 1))]);
    appendFileSync(join(place.root, ".gitignore"), "/vault/\n");
    expect((await judge(place)).slice(1)).toEqual([]);
  });

  it("fails over a broken root, counts every verdict, and warns of what nobody will ever resume", async () => {
    const place = await newPlace(START);
    put(place, "a.md", capsuleText({ created_at: "yesterday" }));
    put(place, "b.md", capsuleText({ created_at: "yesterday" }));
    put(place, "c.md", capsuleText({ status: "draft" }));
    expect(await judge(place)).toEqual([
      "OK .ai/local/memory: 3 file(s): 2x bad-created_at, 1x status-not-active",
      'WARN 2 file(s): bad-created_at ("yesterday"), e.g. "a.md": no clear will resume it',
      'WARN 1 file(s): status-not-active ("draft"), e.g. "c.md": no clear will resume it',
    ]);
    writeFileSync(join(place.root, ".aigent/state.json"), "[]");
    expect(await judge(place)).toEqual([expect.stringMatching(/^FAIL memory root: MEMORY-ROOT: /)]);
  });

  it("fails over a capsules directory that is a file or leads elsewhere: none is in it, and it is no clean one", async () => {
    const place = await newPlace(START);
    const capsules = join(place.root, ".ai/local/memory/capsules");
    rmSync(capsules, { recursive: true, force: true });
    mkdirSync(dirname(capsules), { recursive: true });
    const failing = [
      expect.stringMatching(/^FAIL [.]ai\/local\/memory\/capsules: capsules-dir-unreadable: /),
    ];
    writeFileSync(capsules, "");
    expect(await judge(place)).toEqual(failing);
    rmSync(capsules);
    symlinkSync(place.root, capsules);
    expect(await judge(place)).toEqual(failing);
  });

  it("fails where nothing can be written, and tells what could not even be logged there today", async () => {
    const place = await newPlace(START);
    put(place, "good.md", capsuleText());
    const checkout = await place.checkout();
    const log = lastResortLog(checkout.environment) ?? "";
    const memory = join(place.root, ".ai/local/memory");
    const line = (root: string, at: string): string =>
      `${at} memory "${root}" could not be written: tag="stop-capsule-writer" message="ENOSPC"\n`;
    mkdirSync(dirname(log), { recursive: true });
    writeFileSync(
      log,
      line(memory, "2026-11-28T11:00:00.000Z") +
        line("/another/memory", "2026-11-30T11:00:00.000Z") +
        line(memory, "2026-11-30T11:30:00.000Z"),
    );
    const told =
      'WARN hooks.log: "2026-11-30T11:30:00.000Z memory: tag=\\"stop-capsule-writer\\" message=\\"ENOSPC\\""';
    expect(await judge(place)).toEqual([expect.stringMatching(/^OK .* 1x selected$/), told]);
    // A file in the place of a directory refuses every user, the machine's owner too.
    writeFileSync(join(memory, "runtime"), "");
    expect(await judge(place)).toEqual([
      expect.stringMatching(/^OK .* 1x selected$/),
      `FAIL .ai/local/memory/runtime: cannot be written: no turn is saved, and no clear can resume; what hooks say of it is in ${log}`,
      told,
    ]);
  });

  it("names what a killed write left, which recovery takes away, and nothing that is under way or not ours", async () => {
    const place = await newPlace(START);
    put(place, "good.md", capsuleText());
    const memory = join(place.root, ".ai/local/memory");
    mkdirSync(join(memory, "runtime/stop-writer"), { recursive: true });
    const left = (path: string, age: number): string => {
      writeFileSync(join(memory, path), "half");
      utimesSync(join(memory, path), Date.parse(START) / 1000 - age, Date.parse(START) / 1000 - age);
      return join(memory, path);
    };
    const old = ["capsules/.tmp.deadbeef", "runtime/.tmp.0badf00d", "runtime/stop-writer/.tmp.12345678"];
    const paths = old.map((path) => left(path, 86_400));
    left("capsules/.tmp.0a0a0a0a", 1);
    left("capsules/.tmp.notours", 86_400);
    left("capsules/x.md.tmp", 86_400);
    const checkout = await place.checkout();
    expect(judgeMemory(checkout).filter(({ level }) => level !== "OK")).toEqual([
      {
        level: "WARN",
        category: "capsules",
        subject: `.ai/local/memory/${old[0] ?? ""}`,
        message: expect.stringMatching(/^a write that was cut short left it, and 2 more;/),
        reproduce: "ls -la .ai/local/memory/capsules",
      },
    ]);
    const planned = await runCapability(checkout, recoverPlan.id, { subject: "orphans" });
    expect(
      recoverPlan.output
        .parse(planned)
        .actions.map(({ subject }) => subject)
        .toSorted(),
    ).toEqual(paths.toSorted());
  });

  it("names a lock of an unknown holder, and none that the next one takes", async () => {
    const place = await newPlace(START);
    put(place, "good.md", capsuleText());
    const locks = join(place.root, ".ai/local/memory/runtime/locks");
    mkdirSync(locks, { recursive: true });
    const lock = (facts: object): string =>
      JSON.stringify({ token: "0123456789abcdef", ...ownProcess(), ...facts });
    writeFileSync(join(locks, "capsule-1"), lock({ boot: "an earlier one" }));
    writeFileSync(join(locks, "capsule-2"), lock({}));
    writeFileSync(join(locks, "capsule-3"), lock({ namespace: "pid:[1]" }));
    writeFileSync(join(locks, "capsule-4"), "");
    for (const name of ["capsule-1", "capsule-3"]) utimesSync(join(locks, name), 0, 0);
    const checkout = await place.checkout();
    const [, ...warned] = judgeMemory(checkout);
    expect(warned).toEqual([
      {
        level: "WARN",
        category: "capsules",
        subject: ".ai/local/memory/runtime/locks/capsule-3",
        message: expect.stringMatching(/pid \d+ of another .*`majordomus recover orphans` can remove it$/),
        reproduce: "cat .ai/local/memory/runtime/locks/capsule-3",
      },
    ]);
    const plan = await recoverPlan.run(
      { checkout, signal: new AbortController().signal, progress: () => undefined },
      { subject: "orphans", older_than: "0s" },
    );
    expect(plan.actions).toMatchObject([{ removes: [join(locks, "capsule-3")] }]);
  });

  it("warns of a flawed choice, a declaration that leaves no room, and what was logged today", async () => {
    const place = await newPlace(START);
    put(place, "one.md", capsuleText({ waiting_on: "null" }));
    const lines = Array.from({ length: 24 }, (_, index) => `${index} ${"x".repeat(400)}`);
    const extension = join(place.root, ".aigent/lifecycle-extension.json");
    writeFileSync(extension, JSON.stringify({ schema: "LifecycleExtension/v2", resume_preload: lines }));
    writeFileSync(
      join(place.root, ".ai/local/memory/.daemon-errors.log"),
      '2026-01-01T00:00:00.000Z tag="old" message="x"\nnot a line\n2026-11-30T11:00:00.000Z tag="new" message="y"\n',
    );
    const found = await judge(place);
    expect(found).toEqual([
      expect.stringMatching(/^WARN lifecycle extension: its declared lines take 1\d{4} bytes/),
      "OK .ai/local/memory: 1 file(s): 1x selected",
      expect.stringContaining("waiting_on is a bare null"),
      expect.stringContaining('tag=\\"new\\"'),
    ]);
    writeFileSync(extension, "{");
    expect((await judge(place))[0]).toMatch(
      /^FAIL lifecycle extension: LIFECYCLE-EXTENSION: declaration ignored/,
    );
  });
});

describe("the doctor on what was logged of receipts", () => {
  const AT = "2026-11-30T11:00:00.000Z";
  const line = (tag: string, message: string): string =>
    `${AT} tag="${tag}" message="counting began anew: ${message}"\n`;
  const NO_FORMER = "there was no former receipt to go on from";
  const UNBELIEVED = "the former receipt could not be believed";
  const receipt = (observed_at: string): string =>
    JSON.stringify({ boot_sequence: 0, session_id: "S-1", source: "startup", observed_at });

  it.each([
    ["a first one", line("boot-receipt", NO_FORMER), undefined, 0],
    ["the same words of something else", line("flush", NO_FORMER), undefined, 1],
    ["one that was torn, and none since", line("boot-receipt", UNBELIEVED), undefined, 1],
    ["one that was torn, in the boot that says so", line("boot-receipt", UNBELIEVED), receipt(AT), 1],
    [
      "one that was torn before a later one",
      line("boot-receipt", UNBELIEVED),
      receipt("2026-11-30T11:30:00Z"),
      0,
    ],
    ["something else before a later one", line("flush", UNBELIEVED), receipt("2026-11-30T11:30:00Z"), 1],
    ["one of a time to come", line("boot-receipt", UNBELIEVED), receipt("2026-12-01T00:00:00Z"), 1],
    ["one that is torn now", line("boot-receipt", UNBELIEVED), "{", 1],
  ])("warns of what still stands, with the log to look into: %s", async (_, logged, standing, warnings) => {
    const place = await newPlace(START);
    put(place, "good.md", capsuleText());
    const memory = join(place.root, ".ai/local/memory");
    writeFileSync(join(memory, ".daemon-errors.log"), logged);
    mkdirSync(join(memory, "runtime"), { recursive: true });
    if (standing !== undefined) writeFileSync(join(memory, "runtime/boot-receipt.json"), standing);
    const warned = judgeMemory(await place.checkout()).filter(({ level }) => level === "WARN");
    expect(warned.map(({ subject, reproduce }) => [subject, reproduce])).toEqual(
      Array.from({ length: warnings }, () => ["error log", "tail .ai/local/memory/.daemon-errors.log"]),
    );
  });
});

describe("watch on memory", () => {
  it("finds nothing drifted where a capsule is fresh, and names one that is stale and still resumed", async () => {
    const place = await newPlace(START);
    const watch = async (): Promise<string[]> =>
      watchMemory(await place.checkout()).map(
        ({ level, subject, message }) => `${level} ${subject}: ${message}`,
      );
    put(place, "good.md", capsuleText({ created_at: "2026-11-30T11:00:00Z" }));
    put(place, "broken.md", "nothing");
    expect(await watch()).toEqual(["OK .ai/local/memory: nothing drifted"]);
    place.clock.set("2026-12-12T12:00:00Z");
    expect(await watch()).toEqual([
      'DRIFT "good.md": would still be resumed, and is 12d old: resolve it, or abandon it',
    ]);
    put(place, "good.md", capsuleText({ status: "resolved" }));
    expect(await watch()).toEqual(["OK .ai/local/memory: nothing drifted"]);
    writeFileSync(join(place.root, ".aigent/lifecycle-extension.json"), "{");
    expect(await watch()).toEqual([expect.stringMatching(/^DRIFT lifecycle extension: /)]);
    writeFileSync(join(place.root, ".aigent/state.json"), "[]");
    expect(await watch()).toEqual([expect.stringMatching(/^DRIFT memory root: MEMORY-ROOT: /)]);
  });
});
