import { join } from "node:path";
import type { Patience } from "../base/patience.ts";
import { isPresent } from "../fs/read.ts";
import { findRepository } from "../git/repository.ts";
import type { Site, Surroundings } from "./checkout.ts";
import { commonPaths } from "./common.ts";
import { readWorktreeIdentity } from "./worktree-identity.ts";

/**
 * Finds the working copy that contains `directory`, reading files only and no settings.
 *
 * @returns undefined outside a work tree.
 */
export function locateSite(directory: string, surroundings: Surroundings): Site | undefined {
  const repository = findRepository(directory, surroundings.environment);
  if (repository === undefined) return undefined;
  return {
    ...surroundings,
    repository:
      surroundings.gitAllowance === undefined
        ? repository
        : { ...repository, allowance: inWholeMilliseconds(surroundings.gitAllowance) },
    root: repository.root,
    common: commonPaths(repository.commonDir),
    worktreeIdentity: readWorktreeIdentity(repository.gitDir),
  };
}

/** A child process takes no other limit. */
function inWholeMilliseconds(patience: Patience): Patience {
  return {
    remaining: () => Math.ceil(patience.remaining()),
    spend: (milliseconds) => patience.spend(milliseconds),
  };
}

/** Whether a working copy carries a layer, ours or the legacy one. */
export function hasLayer(site: Site): boolean {
  return isPresent(join(site.root, ".ai"));
}
