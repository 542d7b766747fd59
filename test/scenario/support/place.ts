import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { runProgram } from "../../support/binary.ts";
import type { Run } from "../../support/binary.ts";
import { runLine } from "../../support/run-program.ts";
import type { ProgramRun } from "../../support/run-program.ts";

/** A machine of one test: a home, and a repository with a layer. */
export interface Place {
  /** Everything of this test lies here. */
  directory: string;
  /** The repository's main work tree. */
  root: string;
  environment: Readonly<Record<string, string>>;
}

const GIT_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Wren",
  GIT_AUTHOR_EMAIL: "wren@example.org",
  GIT_COMMITTER_NAME: "Wren",
  GIT_COMMITTER_EMAIL: "wren@example.org",
};

/** Runs git as a person would. */
export function git(directory: string, ...arguments_: string[]): string {
  return execFileSync("git", arguments_, {
    cwd: directory,
    env: GIT_ENVIRONMENT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  }).trimEnd();
}

/** Commits a change of one file. */
export function commitFile(directory: string, name: string, text: string): string {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), text);
  git(directory, "add", "--", name);
  git(directory, "commit", "-q", "-m", `Change ${name}`);
  return git(directory, "rev-parse", "HEAD");
}

function environmentIn(directory: string): Record<string, string> {
  return {
    ...GIT_ENVIRONMENT,
    HOME: join(directory, "home"),
    XDG_STATE_HOME: join(directory, "state"),
    USER: "wren",
    // A story that is about servers starts them itself.
    MAJORDOMUS_SERVER: "off",
  };
}

function emptyDirectory(prefix: string): string {
  return realpathSync.native(mkdtempSync(join(tmpdir(), prefix)));
}

let template: Promise<string> | undefined;
let made: string | undefined;

/** A repository with a committed layer, made once a test file by the program itself. */
async function makeTemplate(): Promise<string> {
  made = emptyDirectory("majordomus-template-");
  const root = join(made, "app");
  mkdirSync(root);
  git(root, "init", "-q", "-b", "main", "--template=");
  const run = await runProgram(["init"], { directory: root, environment: environmentIn(made) });
  if (run.status !== 0) throw new Error(`init: ${run.stderr}`);
  writeFileSync(join(root, "README.md"), "# Tidepool\n");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "Begin");
  return made;
}

afterAll(() => {
  if (made !== undefined) rmSync(made, { recursive: true, force: true });
  made = undefined;
  template = undefined;
});

/** An empty machine of this test's own; removed when the test has ended. */
export function makeMachine(): Omit<Place, "root"> {
  const directory = emptyDirectory("majordomus-place-");
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  mkdirSync(join(directory, "home"));
  return { directory, environment: environmentIn(directory) };
}

/** A machine with a repository `app` that has one commit and a committed layer. */
export async function makePlace(): Promise<Place> {
  template ??= makeTemplate();
  const source = await template;
  const machine = makeMachine();
  const root = join(machine.directory, "app");
  cpSync(join(source, "app"), root, { recursive: true });
  return { ...machine, root };
}

/** Adds a linked worktree beside the repository, on a new branch of its name. */
export function addWorktree(place: Place, name: string): string {
  const path = join(place.directory, name);
  git(place.root, "worktree", "add", "-q", "-b", name, path);
  return path;
}

/** Runs one command of the program in a work tree of the place. */
export function command(
  place: Pick<Place, "environment"> & { root: string },
  arguments_: readonly string[],
  options: { directory?: string; input?: string; environment?: Record<string, string> } = {},
): Promise<Run> {
  return runProgram(arguments_, {
    directory: options.directory ?? place.root,
    environment: { ...place.environment, ...options.environment },
    ...(options.input === undefined ? {} : { input: options.input }),
  });
}

/** Runs a command that answers in JSON, and must succeed with one of `statuses`. */
export async function answerOf<Answer>(
  place: Pick<Place, "environment"> & { root: string },
  arguments_: readonly string[],
  options: { directory?: string; environment?: Record<string, string>; statuses?: readonly number[] } = {},
): Promise<Answer> {
  const run = await command(place, [...arguments_, "--json"], options);
  if (!(options.statuses ?? [0]).includes(run.status ?? -1)) {
    throw new Error(`${arguments_.join(" ")}: ${run.status} ${run.stdout}${run.stderr}`);
  }
  return JSON.parse(run.stdout) as Answer;
}

/** Reads a command's answer in this process, for what asks many of them and changes nothing. */
export function readLine(
  place: Pick<Place, "environment"> & { root: string },
  arguments_: readonly string[],
  directory: string = place.root,
): Promise<ProgramRun> {
  return runLine(arguments_, { directory, environment: { ...place.environment }, now: Date.now() });
}
