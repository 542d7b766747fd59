import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { memoryRoom } from "./temporary-room.ts";

const ROOT = dirname(dirname(import.meta.dirname));
const BUNDLES = ["hook.cjs", "cli.cjs", "tui.cjs", "console.cjs", "worker.cjs"];

/** Folders whose tests judge sources alone: a run that names nothing else needs no program. */
const SOURCES_ALONE = /^(?:\.\/)?test\/(?:core|architecture)(?:\/|$)/u;

function needsProgram(arguments_: readonly string[]): boolean {
  const filters = arguments_.filter((argument) => /(?:^|\/)test\//u.test(argument));
  return filters.length === 0 || !filters.every((filter) => SOURCES_ALONE.test(filter));
}

function newestSource(): number {
  const sources = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Math.max(...[...sources, join(ROOT, "build.mjs")].map((path) => statSync(path).mtimeMs));
}

function isStale(): boolean {
  const bundles = BUNDLES.map((name) => join(ROOT, "dist", name));
  if (!bundles.every((path) => existsSync(path))) return true;
  return Math.min(...bundles.map((path) => statSync(path).mtimeMs)) < newestSource();
}

/**
 * Builds the program when a source is newer than it, so that tests on the built program judge today's
 * sources. A build that fails is reported and leaves no program: those tests fail, the others still run.
 */
function buildStale(): void {
  if (!needsProgram(process.argv.slice(2)) || !isStale()) return;
  const build = spawnSync(process.execPath, ["build.mjs"], { cwd: ROOT, encoding: "utf8" });
  if (build.status === 0) return;
  const complaints = build.stderr.split("\n").filter((line) => /^✘|refused/u.test(line));
  process.stderr.write(`The build failed:\n${complaints.join("\n") || build.stderr}\n`);
}

let room: string | undefined;

/** Gives the processes of this run a directory in memory for their files, and a program of today's sources. */
export function setup(): void {
  if (process.env["TMPDIR"] === undefined) room = memoryRoom();
  if (room !== undefined) process.env["TMPDIR"] = room;
  buildStale();
}

/** Takes that directory away, with what a failed test left there. */
export function teardown(): void {
  if (room !== undefined) rmSync(room, { recursive: true, force: true, maxRetries: 5 });
}
