import { initialiseLayer } from "../../core/boundary/initialise.ts";
import type { Initialised } from "../../core/boundary/initialise.ts";
import { locateSite } from "../../core/checkout/site.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";

export interface InitialiseAnswer extends Initialised {
  schema: 1;
  root: string;
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
  return { schema: 1, root: site.root, ...(await initialiseLayer(site.root, options)) };
}
