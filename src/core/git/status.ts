import { failed, ok, type Result } from "../base/result.ts";
import { byBytes } from "./byte-order.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit, type GitOptions } from "./run.ts";

export interface WorkingTree {
  state: "clean" | "dirty";
  /** Sorted bytewise; of a rename, the new name. */
  changed: string[];
}

/** Takes the paths out of `git status --porcelain=v1 -z`: `XY path`, and after a rename or copy the old path. */
export function parseStatus(output: string): string[] {
  const fields = output.split("\0");
  const paths = new Set<string>();
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] as string;
    if (field.length < 4) continue;
    paths.add(field.slice(3));
    if (/[RC]/.test(field.slice(0, 2))) index += 1;
  }
  return [...paths].toSorted(byBytes);
}

/**
 * What differs from HEAD, in one process: `clean` means that `git status --porcelain=v1` says nothing
 * (records.md 1.3). Untracked directories are one entry, whatever the user's settings say. The index is
 * neither locked nor refreshed, and no file system monitor is started.
 */
export function readWorkingTree(
  repository: Repository,
  options: GitOptions = {},
): Result<WorkingTree, string> {
  const command = [
    "-c",
    "core.fsmonitor=false",
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=normal",
  ];
  const outcome = runGit(repository, command, options);
  if (outcome.status !== 0) return failed(reasonOfFailure(command, outcome));
  const changed = parseStatus(outcome.stdout.toString("utf8"));
  return ok({ state: changed.length === 0 ? "clean" : "dirty", changed });
}
