import { initialiseLayer } from "../../core/boundary/initialise.ts";
import type { Initialised } from "../../core/boundary/initialise.ts";
import { linesMissing } from "../../core/capsule/offered-to-git.ts";
import type { Site } from "../../core/checkout/checkout.ts";
import { locateSite } from "../../core/checkout/site.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";

export interface InitialiseAnswer extends Initialised {
  schema: 1;
  root: string;
  /** Lines that `.gitignore` lacks for a memory root that was chosen, and that git may keep. */
  not_ignored?: string[];
}

/**
 * Lays the layer into the repository that contains the command's directory.
 *
 * @throws MajordomusError 2 outside a git work tree, 15 when there is a layer already.
 */
export async function initialiseHere(
  { directory, surroundings }: CommandContext,
  options: { extend: boolean; memoryRoot?: string },
): Promise<InitialiseAnswer> {
  const site = locateSite(directory, surroundings);
  if (site === undefined) {
    throw usageError({
      subject: directory,
      message: "is not inside a git work tree",
      remedy: "run `git init` first, or name a repository with --repo",
    });
  }
  const done = await initialiseLayer(site.root, options);
  const missing = missingFor(site, options.memoryRoot?.trim());
  return { schema: 1, root: site.root, ...done, ...(missing.length === 0 ? {} : { not_ignored: missing }) };
}

function missingFor({ repository }: Site, memoryRoot: string | undefined): string[] {
  return memoryRoot === undefined ? [] : linesMissing({ ...repository, goesWithoutGit: true }, memoryRoot);
}
