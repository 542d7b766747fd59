import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { episodesOf } from "./support/episodes.ts";
import { claude, runHook, samplePayload } from "./support/hooks.ts";
import { makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { outcomesOf, readAll } from "./support/stores.ts";

const SILENT = { status: 0, stdout: "", stderr: "" };
const MALFORMED = join(import.meta.dirname, "../fixtures/payloads/_malformed");

/** The reason that the last receipt gives for refusing a payload. */
function refusalIn(place: Place): string | undefined {
  const { receipts } = readAll(place.root);
  const step = receipts.findLast(({ phase }) => phase === "outcome")?.steps?.[0];
  return step?.result === "refused" ? step.reason : undefined;
}

function expectNothingOpened(place: Place): void {
  const found = readAll(place.root);
  expect([found.registrations, found.open.size, found.ledger, found.contexts]).toEqual([[], 0, [], []]);
}

function startOf(place: Place, fields: Record<string, unknown>): string {
  return samplePayload("claude-code/SessionStart.json", { root: place.root, fields });
}

const USELESS: readonly (readonly [what: string, input: string, reason: RegExp])[] = [
  ["no bytes", "", /empty/],
  ["blanks", " \n\t ", /empty/],
  ["half an object", '{"session_id":"x","hook_event_name":"SessionSta', /incomplete/],
  ["an array", "[1,2,3]", /array/],
  ["null", "null", /null/],
  ["a number", "17", /number/],
  ["a text", '"SessionStart"', /string/],
  ["prose", "session started, see the log", /not JSON/],
  ["an object without an id", '{"hook_event_name":"SessionStart"}', /session id is missing/],
  ["five megabytes of prose", "x".repeat(5 * 1024 * 1024), /not JSON/],
  ["more than eight mebibytes", `{"session_id":"x","pad":"${"y".repeat(9 * 1024 * 1024)}"}`, /larger than/],
];

test("input that is no payload is receipted with the reason, whatever it is, and opens nothing", async () => {
  const place = await makePlace();
  for (const [what, input, reason] of USELESS) {
    expect(await runHook(place, { event: "SessionStart", input }), what).toMatchObject(SILENT);
    expect(refusalIn(place), what).toMatch(reason);
  }
  expectNothingOpened(place);
});

test("a closed input, the null device and a pipe that stays silent are receipted and do not hang", async () => {
  const place = await makePlace();
  const empty = { event: "SessionStart", input: "" };
  expect(await runHook(place, { ...empty, stdin: "ignore" })).toMatchObject(SILENT);
  expect(refusalIn(place)).toMatch(/device/);
  const silent = await runHook(place, { ...empty, keepOpen: true });
  expect(silent).toMatchObject(SILENT);
  expect(refusalIn(place)).toMatch(/none within 1000 ms/);
  const half = await runHook(place, { event: "SessionStart", input: '{"session_id":', keepOpen: true });
  expect(half).toMatchObject(SILENT);
  expect(refusalIn(place)).toMatch(/incomplete after 14 bytes/);
  expectNothingOpened(place);
});

test("a whole payload in a pipe that nobody closes is answered without waiting for its end", async () => {
  const place = await makePlace();
  const run = await runHook(place, {
    event: "SessionStart",
    input: startOf(place, { session_id: "open-pipe" }),
    keepOpen: true,
  });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  expect(run.stdout).toContain("Episode s-");
  expect([...readAll(place.root).open.keys()]).toEqual(["open-pipe"]);
});

test("a payload of five megabytes that is whole opens its episode, and what it pads is kept nowhere", async () => {
  const place = await makePlace();
  const input = startOf(place, { session_id: "large", pad: "z".repeat(5 * 1024 * 1024) });
  const run = await runHook(place, { event: "SessionStart", input });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  const found = readAll(place.root);
  expect([...found.open.keys()]).toEqual(["large"]);
  expect(JSON.stringify([found.receipts, found.ledger]).length).toBeLessThan(20_000);
});

const NO_IDS: readonly (readonly [what: string, id: unknown])[] = [
  ["a number", 17],
  ["an object", { id: "x" }],
  ["an array", ["x"]],
  ["true", true],
  ["null", null],
  ["empty", ""],
  ["blank", "  \n "],
  ["longer than 1,024 bytes", "é".repeat(513)],
];

test("a session id that is no text, empty or endless is refused, never coerced", async () => {
  const place = await makePlace();
  for (const [what, id] of NO_IDS) {
    const run = await runHook(place, { event: "SessionStart", input: startOf(place, { session_id: id }) });
    expect(run, what).toMatchObject(SILENT);
    expect(refusalIn(place), what).toMatch(/session id/);
  }
  expectNothingOpened(place);
});

const HOSTILE_IDS = [
  "../../etc/passwd",
  "..",
  ".",
  "/",
  "a/b\\c",
  "-rf",
  "--help",
  "hand",
  "__proto__",
  "constructor",
  "line\nbreak: yes\nsession_id: s-20260101000000-0000",
  "\u001b[2J\u001b]52;c;aGk=\u0007",
  "nul\u0000byte",
  "\u202Egnp.exe",
  "💥".repeat(200),
  'quote" and \\ backslash',
  `${"0".repeat(64)}A`,
  `${"0".repeat(64)}B`,
  "con",
  "x".repeat(1024),
];

test("twenty hostile session ids open twenty episodes side by side, inside the store and with the raw id kept", async () => {
  const place = await makePlace();
  for (const half of [HOSTILE_IDS.slice(0, 10), HOSTILE_IDS.slice(10)]) {
    const runs = await Promise.all(half.map((id) => claude(place, "SessionStart", id)));
    for (const run of runs) {
      expect(run).toMatchObject({ status: 0, stderr: "" });
      expect(run.stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202e]/);
    }
  }
  const episodes = await episodesOf(place);
  expect(episodes).toHaveLength(HOSTILE_IDS.length);
  const found = readAll(place.root);
  expect(found.registrations.map(({ raw_id }) => raw_id).toSorted()).toEqual(
    HOSTILE_IDS.map((id) => id.trim()).toSorted(),
  );
  expect(found.open.size).toBe(HOSTILE_IDS.length);
  for (const [key, fields] of found.open) {
    expect(key).toMatch(/^[A-Za-z0-9._-]{1,65}$/);
    expect(fields).toMatchObject({
      worktree: place.root,
      session_id: expect.stringMatching(/^s-\d{14}-[0-9a-f]{4}$/),
    });
  }
  expect(new Set(found.ledger.map((line) => line.session)).size).toBe(HOSTILE_IDS.length);
  // Nothing was written beside the stores.
  expect(readdirSync(place.directory).toSorted()).toEqual(["app", "home", "state"]);
  await Promise.all(HOSTILE_IDS.map((id) => claude(place, "SessionEnd.logout", id)));
  expect(readAll(place.root).records).toHaveLength(HOSTILE_IDS.length);
  expect(await episodesOf(place)).toEqual([]);
});

test("every damaged sample is answered in silence, by a receipt that tells what is wrong or by its event", async () => {
  const place = await makePlace();
  const files = readdirSync(MALFORMED).toSorted();
  for (const file of files) {
    // Where a sample names a directory, it is not of this machine: the project's takes its place.
    const environment = { CLAUDE_PROJECT_DIR: place.root };
    const run = await runHook(place, {
      event: "SessionStart",
      input: readFileSync(join(MALFORMED, file)),
      environment,
    });
    expect(run, file).toMatchObject({ status: 0, stderr: "" });
  }
  const found = readAll(place.root);
  expect(found.receipts.filter(({ phase }) => phase === "received")).toHaveLength(files.length);
  expect(found.receipts.filter(({ phase }) => phase === "outcome")).toHaveLength(files.length);
  expect([...found.open.keys()].every((key) => !key.includes("/") && !key.startsWith("..\u002f"))).toBe(true);
});

test("a directory in the payload that is no text, relative or hostile leads nowhere", async () => {
  const place = await makePlace();
  for (const cwd of [17, null, "", ".", "app", "~/app", "/proc/self/fd/0", "/nowhere/at/all", "\u0000/tmp"]) {
    const input = startOf(place, { session_id: "lost", cwd });
    const run = await runHook(place, { event: "SessionStart", input, directory: place.root });
    expect(run, String(cwd)).toMatchObject(SILENT);
  }
  // The process's own directory is never taken for the payload's.
  expectNothingOpened(place);
});

test("an event that nobody knows is received and changes nothing", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "known");
  const before = readAll(place.root);
  const input = startOf(place, { session_id: "known", hook_event_name: "MoonPhase\u001b[31m" });
  expect(await runHook(place, { event: "MoonPhase", input })).toMatchObject(SILENT);
  const after = readAll(place.root);
  expect(after.ledger).toEqual(before.ledger);
  expect(outcomesOf(after.receipts, "known")).toHaveLength(2);
});

test("a hook without arguments, with unknown ones, and with help exits 0", async () => {
  const place = await makePlace();
  const { runProgram } = await import("../support/binary.ts");
  const at = { directory: place.root, environment: place.environment };
  const input = startOf(place, { session_id: "bare" });
  expect(await runProgram(["hook"], { ...at, input })).toMatchObject({ status: 0, stderr: "" });
  expect(
    await runProgram(["hook", "--frobnicate", "SessionStart", "--provider"], { ...at, input }),
  ).toMatchObject({
    status: 0,
    stderr: "",
  });
  const before = readAll(place.root);
  const help = await runProgram(["hook", "SessionStart", "--help"], { ...at, input });
  expect(help).toMatchObject({ status: 0, stderr: "" });
  expect(help.stdout).toMatch(/^Usage: /);
  expect(readAll(place.root)).toEqual(before);
});

test("a start's text stays within 9,000 bytes whatever the records hold, blockers within the first 2,000", async () => {
  const place = await makePlace();
  const questions = Array.from(
    { length: 400 },
    (_, index) => `- [unresolved] none — 何をすべきか ${"界".repeat(90)} \u001b[31m${index} (2026-01-01)`,
  );
  const index = join(place.root, ".ai/local/state/open-questions.md");
  writeFileSync(index, `# Open questions\n\n${questions.join("\n")}\n`);
  const run = await claude(place, "SessionStart", "wordy");
  expect(run).toMatchObject({ status: 0, stderr: "" });
  expect(Buffer.byteLength(run.stdout)).toBeLessThanOrEqual(9000);
  expect(Buffer.byteLength(run.stdout)).toBeGreaterThan(0);
  expect(run.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\ufffd]/);
  expect(run.stdout.endsWith("\n")).toBe(true);
  const beginning = Buffer.from(run.stdout).subarray(0, 2000).toString("utf8");
  expect(beginning).toContain("BLOCKED: 400 open question(s)");
  expect(beginning).toContain("何をすべきか");
  expect(run.stdout).toContain("... and 395 more question(s)");
});
