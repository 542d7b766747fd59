import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readClosedSession } from "../../src/core/records/session-store.ts";
import { launcher } from "../support/binary.ts";
import { balanceOf, episodesOf, planOf, recover } from "./support/episodes.ts";
import { claude, samplePayload } from "./support/hooks.ts";
import { command, commitFile, git, makePlace } from "./support/place.ts";
import { countEvents, readAll } from "./support/stores.ts";

const STATE = ".ai/local/state";

test("a session that never ended stays open beside the next one, whose lines carry its own id", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "first");
  await claude(place, "PreCompact.manual", "first");
  const second = await claude(place, "SessionStart", "second");
  expect(second.stdout).toContain("Episode s-");
  await claude(place, "SessionEnd.logout", "second");
  const [first] = await episodesOf(place);
  expect(first).toMatchObject({ provider_session: "first", standing: "current" });
  const { ledger, records } = readAll(place.root);
  const ofSecond = ledger.filter((line) => line["provider_session"] === "second");
  expect(new Set(ofSecond.map((line) => line.session))).toEqual(new Set([records[0]?.fields["session_id"]]));
  expect(ledger.filter((line) => line.session === first?.session_id).length).toBe(first?.events);
});

test("a hook whose own directory was deleted goes by its payload", async () => {
  const place = await makePlace();
  const gone = join(place.directory, "gone");
  mkdirSync(gone);
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  const hook = [process.execPath, launcher(), "hook", "SessionStart", "--provider", "claude-code"];
  const run = spawnSync("sh", ["-c", script, "sh", gone, ...hook], {
    env: place.environment,
    input: samplePayload("claude-code/SessionStart.json", {
      root: place.root,
      fields: { session_id: "homeless" },
    }),
    encoding: "utf8",
  });
  expect(run).toMatchObject({ status: 0, stderr: "" });
  expect([...readAll(place.root).open.keys()]).toEqual(["homeless"]);
});

test.for([
  ".git/majordomus",
  ".git/majordomus/episodes",
  ".git/majordomus/locks",
  ".git/majordomus/journal",
  `${STATE}/locks`,
  `${STATE}/sessions-open`,
  ".ai/local/session-contexts",
  ".ai/repo/sessions",
])(
  "%s deleted by hand between two events is made again, and the session ends in one record",
  async (directory) => {
    const place = await makePlace();
    await claude(place, "SessionStart", "s");
    const id = readAll(place.root).open.get("s")?.["session_id"];
    rmSync(join(place.root, directory), { recursive: true });
    for (const sample of ["UserPromptSubmit", "SessionStart.compact", "SessionEnd.logout"]) {
      expect(await claude(place, sample, "s"), sample).toMatchObject({ status: 0, stderr: "" });
    }
    const found = readAll(place.root);
    expect(found.records).toMatchObject([{ fields: { session_id: id, outcome: "closed" } }]);
    expect(countEvents(found.ledger)).toMatchObject({ "session.started": 1, "session.closed": 1 });
    expect(found.open.size).toBe(0);
    expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
  },
);

test("records of one session that agree are folded into one; records that do not are told and left alone", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "doubled");
  await claude(place, "SessionEnd.logout", "doubled");
  const sessions = join(place.root, ".ai/repo/sessions");
  const [record] = readAll(place.root).records;
  const text = record?.text ?? "";
  const copy = (record?.name ?? "").replace(/--[0-9a-f]{16}\.md$/, "--ffffffffffffffff.md");
  writeFileSync(join(sessions, copy), text.replace(/^started_at: .*$/m, "started_at: 2020-01-01T00:00:00Z"));
  expect((await planOf(place)).skipped).toMatchObject([
    { reason: expect.stringMatching(/disagree about started_at/) },
  ]);
  await recover(place);
  expect(readAll(place.root).records).toHaveLength(2);
  writeFileSync(join(sessions, copy), text);
  await recover(place);
  const folded = readAll(place.root).records;
  expect(folded).toHaveLength(1);
  expect(folded[0]?.text).toContain("## Recovery");
  expect(await recover(place)).toMatchObject({ state: "nothing" });
});

test("history that was rewritten under an open session is called diverged in its record, never listed", async () => {
  const place = await makePlace();
  commitFile(place.root, "a.txt", "a\n");
  await claude(place, "SessionStart", "rewritten");
  git(place.root, "reset", "-q", "--hard", "HEAD~1");
  commitFile(place.root, "b.txt", "b\n");
  await claude(place, "SessionEnd.logout", "rewritten");
  const [record] = readAll(place.root).records;
  expect(record?.lists["commits"]).toEqual(["diverged"]);
  const list = await command(place, ["session", "list", "--json"]);
  expect(JSON.parse(list.stdout)).toMatchObject({ sessions: [{ label: "exact" }] });
});

test("one instant gives one record, whatever the time zone and the language of the machine", async () => {
  const texts: string[] = [];
  for (const surroundings of [
    { TZ: "Pacific/Kiritimati", LC_ALL: "C", TERM: "dumb" },
    { TZ: "America/Los_Angeles", LC_ALL: "de_DE.UTF-8", NO_COLOR: "1" },
    { TZ: "Europe/Berlin" },
  ]) {
    const place = await makePlace();
    // The hour that a change of the clocks repeats.
    const at = (time: string): { environment: Record<string, string> } => ({
      environment: { ...surroundings, MAJORDOMUS_NOW: `2026-10-25T${time}Z` },
    });
    await claude(place, "SessionStart", "zoned", at("00:30:00"));
    await claude(place, "SessionEnd.logout", "zoned", at("01:30:00"));
    const [record] = readAll(place.root).records;
    const id = record?.fields["session_id"] ?? "";
    texts.push(
      (record?.text ?? "")
        .replaceAll(id, "<id>")
        // An id of digits alone is quoted, as any text that could be read as a number.
        .replaceAll(/"?\b[0-9a-f]{16}\b"?/g, "<hex>")
        .replaceAll(place.directory, "<place>"),
    );
    expect(record?.fields).toMatchObject({
      started_at: "2026-10-25T00:30:00Z",
      closed_at: "2026-10-25T01:30:00Z",
    });
  }
  expect(new Set(texts).size).toBe(1);
});

test("changed files with any name stand in the record exactly, and it can be read back", async () => {
  const place = await makePlace();
  const names = [
    "日本.txt",
    'quo"te.txt',
    "tab\tname.txt",
    "new\nline.txt",
    " lead.txt",
    "- dash.txt",
    "#hash.txt",
    "a: b.txt",
    "back\\slash.txt",
    "~",
  ];
  await claude(place, "SessionStart", "named");
  for (const name of names) writeFileSync(join(place.root, name), "x\n");
  await claude(place, "SessionEnd.logout", "named");
  const [record] = readAll(place.root).records;
  const read = readClosedSession(join(place.root, ".ai/repo/sessions", record?.name ?? ""));
  expect(read.ok && (read.value.changed_files ?? []).toSorted()).toEqual(names.toSorted());
  expect((await command(place, ["session", "list"])).stderr).toBe("");
});

test("a clock that is ten years ahead deletes nothing; one that is behind calls nothing new", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "old");
  await claude(place, "SessionEnd.logout", "old");
  await claude(place, "SessionStart", "open");
  const files = (): string[] =>
    [".ai", ".git/majordomus"].flatMap((directory) =>
      readdirSync(join(place.root, directory), { recursive: true, encoding: "utf8" })
        .map((name) => join(directory, name))
        .filter((name) => lstatSync(join(place.root, name)).isFile() && !name.includes("/cache/")),
    );
  const before = new Map(files().map((name) => [name, readFileSync(join(place.root, name), "utf8")]));
  const ahead = { environment: { MAJORDOMUS_NOW: "2036-01-01T00:00:00Z" } };
  for (const arguments_ of [
    ["status"],
    ["lifecycle", "episodes"],
    ["history"],
    ["session", "list"],
    ["recover", "orphans"],
  ]) {
    await command(place, arguments_, ahead);
  }
  for (const [name, text] of before) expect(readFileSync(join(place.root, name), "utf8"), name).toBe(text);
  const behind = await command(place, ["recover", "episodes", "--check"], {
    environment: { MAJORDOMUS_NOW: "2020-01-01T00:00:00Z" },
  });
  expect(behind.stdout).toMatch(/lies ahead of this clock/);
  expect(behind.stdout).not.toMatch(/-\d+[mhd] ago/);
});

test("a branch with any name that git takes gives a safe file name and stands whole in the record", async () => {
  const place = await makePlace();
  const branch = `feature/${"ü".repeat(60)}/it's-"quoted"`;
  git(place.root, "checkout", "-q", "-b", branch);
  await claude(place, "SessionStart", "branched");
  await claude(place, "SessionEnd.logout", "branched");
  const [record] = readAll(place.root).records;
  expect(record?.name).toMatch(/^[A-Za-z0-9._-]+$/);
  expect(Buffer.byteLength(record?.name ?? "")).toBeLessThanOrEqual(255);
  const read = readClosedSession(join(place.root, ".ai/repo/sessions", record?.name ?? ""));
  expect(read.ok && read.value.branch).toBe(branch);
});
