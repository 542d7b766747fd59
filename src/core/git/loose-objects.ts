import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { stampOf } from "../fs/read.ts";
import { UNOBSERVED } from "./plumbing.ts";
import type { Repository } from "./repository.ts";
import { reasonOfFailure, runGit } from "./run.ts";

const PACKING_MILLISECONDS = 60_000;

function objectsDirectory(repository: Pick<Repository, "commonDir">): string {
  return join(repository.commonDir, "objects");
}

/** Which of these objects lie in files of their own. */
export function looseAmong(repository: Pick<Repository, "commonDir">, ids: Iterable<string>): string[] {
  const objects = objectsDirectory(repository);
  return [...new Set(ids)].filter((id) => stampOf(join(objects, id.slice(0, 2), id.slice(2))) !== undefined);
}

/** The objects that `tip` reaches and `known` does not; one process. */
export function objectsSince(repository: Repository, tip: string, known: string | undefined): string[] {
  const command = ["rev-list", "--objects", tip, ...(known === undefined ? [] : [`^${known}`])];
  const outcome = runGit(repository, command, { timeoutMilliseconds: PACKING_MILLISECONDS });
  if (outcome.status !== 0) return [];
  return outcome.stdout
    .toString("latin1")
    .split("\n")
    .map((line) => line.slice(0, line.indexOf(" ") < 0 ? undefined : line.indexOf(" ")))
    .filter((id) => id !== "");
}

/**
 * Puts exactly these objects into a pack, and lets git drop the loose files of what stands in packs.
 *
 * @throws MajordomusError 13 when git fails; the loose objects stand then.
 */
export function packObjects(repository: Repository, ids: readonly string[]): void {
  const base = join(objectsDirectory(repository), "pack", "pack");
  for (const [command, input] of [
    [["pack-objects", "-q", "--non-empty", base], `${ids.join("\n")}\n`],
    [["prune-packed", "-q"], ""],
  ] as const) {
    const outcome = runGit(repository, [...UNOBSERVED, ...command], {
      input,
      timeoutMilliseconds: PACKING_MILLISECONDS,
    });
    if (outcome.status === 0) continue;
    throw new MajordomusError({
      code: "git.failed",
      exit: EXIT.internal,
      subject: `git ${command[0]}`,
      message: reasonOfFailure(command, outcome),
    });
  }
}
