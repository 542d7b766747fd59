import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../support/binary.ts";
import { command, git, makePlace } from "./place.ts";
import type { Place } from "./place.ts";

/** The reference in which records travel. */
export const REFERENCE = "refs/majordomus/continuity";

/** Machines that share one bare remote. */
export interface Team {
  directory: string;
  remote: string;
  machines: Place[];
}

/** Makes a bare remote and a clone of it for each name, with a home of its own. */
export async function makeTeam(names: readonly string[]): Promise<Team> {
  const { directory, root, environment } = await makePlace();
  const remote = join(directory, "remote.git");
  git(directory, "clone", "-q", "--bare", root, remote);
  git(remote, "config", "core.logAllRefUpdates", "always");
  const machines = names.map((name) => {
    const clone = join(directory, name);
    git(directory, "clone", "-q", remote, clone);
    const home = join(directory, `${name}-home`);
    mkdirSync(home);
    return {
      directory,
      root: clone,
      environment: { ...environment, HOME: home, XDG_STATE_HOME: join(home, "state"), USER: name },
    };
  });
  return { directory, remote, machines };
}

/** A handover's body that no section is missing from. */
export function bodyOf(objective: string): string {
  return `# Objective\n\n${objective}\n\n# Current State\n\nRed.\n\n# Next Action\n\nGreen.\n`;
}

/** Writes a handover by the program itself; its file's name. */
export async function handOver(machine: Place, objective: string): Promise<string> {
  const run = await command(machine, ["handover", "--no-task"], { input: bodyOf(objective) });
  if (run.status !== 0) throw new Error(`handover: ${run.stdout}${run.stderr}`);
  return run.stdout.trim().split("/").at(-1) ?? "";
}

/** What a command of continuity answered in JSON, whatever its exit status. */
export interface Asked<Answer> {
  run: Run;
  answer: Answer;
}

export async function continuity<Answer>(
  machine: Place,
  arguments_: readonly string[],
  environment: Record<string, string> = {},
): Promise<Asked<Answer>> {
  const run = await command(machine, ["continuity", ...arguments_, "--json"], { environment });
  return { run, answer: (run.stdout === "" ? undefined : JSON.parse(run.stdout)) as Answer };
}

/** The ids of the records below a reference, sorted; none where there is no such reference. */
export function recordsAt(directory: string): string[] {
  if (git(directory, "for-each-ref", REFERENCE) === "") return [];
  return git(directory, "ls-tree", "-r", "--name-only", REFERENCE)
    .split("\n")
    .filter(Boolean)
    .map((path) => path.slice("records/".length, -".json".length))
    .toSorted();
}

/** Moves of the remote's reference that were no advance, by its reflog. */
export function forcedMoves(remote: string): string[] {
  return readFileSync(join(remote, "logs", REFERENCE), "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => {
      const [from = "", to = ""] = line.split(" ");
      if (/^0+$/.test(from) || /^0+$/.test(to)) return false;
      return git(remote, "merge-base", from, to) !== from;
    });
}

/** A record as it is signed, read by git alone. */
export function readRecord(directory: string, id: string): { record: { parent?: string; line?: string } } {
  return JSON.parse(git(directory, "cat-file", "blob", `${REFERENCE}:records/${id}.json`)) as {
    record: { parent?: string; line?: string };
  };
}
