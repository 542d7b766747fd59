import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claude } from "./support/hooks.ts";
import { command, commitFile, git, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { readAll } from "./support/stores.ts";

/** A directory for PATH whose git writes down each call and then does it. */
function makeShim(place: Place): { environment: Record<string, string>; calls: () => string[] } {
  const directory = join(place.directory, "shims");
  const log = join(place.directory, "git-calls.log");
  const real = (place.environment["PATH"] ?? "")
    .split(":")
    .map((entry) => join(entry, "git"))
    .find((path) => existsSync(path));
  mkdirSync(directory);
  writeFileSync(join(directory, "git"), `#!/bin/sh\necho "$*" >> '${log}'\nexec '${real}' "$@"\n`, {
    mode: 0o755,
  });
  return {
    environment: { PATH: `${directory}:${dirname(process.execPath)}` },
    calls: () => {
      const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
      writeFileSync(log, "");
      return lines.filter((line) => line !== "");
    },
  };
}

test("a session's hooks run no more git processes than each is allowed, and a sign of life runs none", async () => {
  const place = await makePlace();
  const { environment, calls } = makeShim(place);
  const countOf = async (sample: string): Promise<string[]> => {
    const run = await claude(place, sample, "counted", { environment });
    expect(run, sample).toMatchObject({ status: 0, stderr: "" });
    return calls();
  };
  const first = await countOf("SessionStart");
  expect(first.length, first.join("\n")).toBeLessThanOrEqual(3);
  commitFile(place.root, "src/upload.ts", "export const tries = 3;\n");
  writeFileSync(join(place.root, "unsaved.txt"), "not yet\n");
  for (const sample of [
    "UserPromptSubmit",
    "Stop",
    "SubagentStart",
    "SubagentStop",
    "PostCompact",
    "StopFailure",
    "Notification",
    "PreToolUse",
  ]) {
    expect(await countOf(sample), sample).toEqual([]);
  }
  const kept = await countOf("SessionStart.resume");
  expect(kept.length, kept.join("\n")).toBeLessThanOrEqual(3);
  const compaction = await countOf("PreCompact.auto");
  expect(compaction.length, compaction.join("\n")).toBeLessThanOrEqual(3);
  const compacted = await countOf("SessionStart.compact");
  expect(compacted.length, compacted.join("\n")).toBeLessThanOrEqual(3);
  const end = await countOf("SessionEnd.logout");
  expect(end.length, end.join("\n")).toBeLessThanOrEqual(4);
  const late = await countOf("SessionEnd.logout");
  expect(late).toEqual([]);
  expect(readAll(place.root).records).toHaveLength(1);
});

test("a start with episodes alone, and no records to label, runs git at most once", async () => {
  const place = await makePlace();
  const { environment, calls } = makeShim(place);
  for (const session of ["one", "two"]) {
    await claude(place, "SessionStart", session, { environment });
    const made = calls();
    expect(made.length, made.join("\n")).toBeLessThanOrEqual(1);
  }
});

/** Commands that only read, as somebody at a terminal asks. */
const READING = [
  ["status"],
  ["history"],
  ["search", "upload"],
  ["lifecycle"],
  ["context"],
  ["check"],
  ["session", "list"],
  ["decision", "list"],
  ["question", "list"],
  ["continuity", "records"],
  ["capsule", "list"],
];

test("a command that reads runs three git processes at most, however many branches there are, and asks no remote", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "s");
  for (let number = 0; number < 50; number += 1) git(place.root, "branch", `topic-${number}`);
  const transport = join(place.directory, "transport.log");
  git(place.root, "remote", "add", "origin", "ssh://nobody@unreachable.invalid/repository");
  git(place.root, "config", "core.sshCommand", `sh -c 'echo asked >> "${transport}"; exit 1'`);
  const { environment, calls } = makeShim(place);
  for (const words of READING) {
    const run = await command(place, words, { environment });
    expect(run.stderr, words.join(" ")).not.toMatch(/^\s+at /m);
    const made = calls();
    expect(made.length, `${words.join(" ")}: ${made.join("; ")}`).toBeLessThanOrEqual(3);
  }
  expect(existsSync(transport)).toBe(false);
});

test("a hook leaves no process behind that holds its standard streams", async () => {
  const place = await makePlace();
  // The run ends when all streams are closed: a child that inherited one would keep it open.
  for (const sample of ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd.other"]) {
    const run = await claude(place, sample, "streams");
    expect(run.milliseconds, sample).toBeLessThan(10_000);
  }
});

test("a hook touches no index of git and leaves no lock of it", async () => {
  const place = await makePlace();
  const index = join(place.root, ".git/index");
  const before = readFileSync(index);
  for (const sample of ["SessionStart", "PreCompact.auto", "SessionEnd.logout"])
    await claude(place, sample, "indexed");
  expect(readFileSync(index)).toEqual(before);
  expect(readdirSync(join(place.root, ".git")).filter((name) => name.endsWith(".lock"))).toEqual([]);
});

/** Loaded into a hook's process: writes down every attempt to reach a network, and lets none through. */
const WATCH_NETWORK = `
const { appendFileSync } = require("node:fs");
const told = (what) => { appendFileSync(process.env.NETWORK_LOG, what + "\\n"); throw new Error("no network here"); };
require("node:net").Socket.prototype.connect = () => told("connect");
require("node:dns").lookup = () => told("lookup");
require("node:dgram").createSocket = () => told("dgram");
`;

test("no hook opens a network connection, whatever remote the repository has", async () => {
  const place = await makePlace();
  git(place.root, "remote", "add", "origin", "https://192.0.2.1/tidepool.git");
  const log = join(place.directory, "network.log");
  const watch = join(place.directory, "watch.cjs");
  writeFileSync(watch, WATCH_NETWORK);
  const environment = { NODE_OPTIONS: `--require ${watch}`, NETWORK_LOG: log };
  for (const sample of ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact.auto", "SessionEnd.logout"]) {
    const run = await claude(place, sample, "offline", { environment });
    expect(run, sample).toMatchObject({ status: 0, stderr: "" });
    expect(run.milliseconds, sample).toBeLessThan(10_000);
  }
  expect(existsSync(log)).toBe(false);
  expect(readAll(place.root).records).toHaveLength(1);
});

test("an end on a ledger of five thousand lines names all that its session did, in time", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "busy");
  const id = readAll(place.root).open.get("busy")?.["session_id"] ?? "";
  const line = (number: number): string =>
    `{"ts":"2026-09-04T10:00:00Z","event":"question.opened","head":"NONE","branch":"main","by":"majordomus/0.0.0",` +
    `"session":"${number % 50 === 0 ? id : "s-20260904100000-ffff"}","task_id":"none","question":"question ${number}"}\n`;
  const lines = Array.from({ length: 5000 }, (_, number) => line(number));
  appendFileSync(join(place.root, ".ai/local/state/ledger.jsonl"), lines.join(""));
  const end = await claude(place, "SessionEnd.logout", "busy");
  expect(end).toMatchObject({ status: 0, stdout: "", stderr: "" });
  // Usual is a fifth of a second; five times the promised second says only that nothing grows with the ledger.
  expect(end.milliseconds).toBeLessThan(5_000);
  const [record] = readAll(place.root).records;
  expect(record?.lists["questions"]).toHaveLength(100);
});
