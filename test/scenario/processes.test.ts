import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claude } from "./support/hooks.ts";
import { commitFile, makePlace } from "./support/place.ts";
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
