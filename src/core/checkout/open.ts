import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { refuseFollowed, refuseLinked } from "../fs/linked.ts";
import type { Unseen } from "../fs/linked.ts";
import { readHead } from "../git/head.ts";
import { localRepositoryId } from "../git/remote.ts";
import { recordedWorktreeId } from "../git/worktrees.ts";
import { isBareRepository } from "../git/repository.ts";
import { loadSettings } from "../policy/load.ts";
import type { Checkout, Site, Surroundings } from "./checkout.ts";
import { commonDirectories } from "./common.ts";
import { layoutOf, ownDirectories } from "./layout.ts";
import { locateSite } from "./site.ts";
import { ensureWorktreeIdentity } from "./worktree-identity.ts";

/** The provider session that this process runs in, by the names that providers use (records.md 3.3). */
function providerSessionOf(environment: Surroundings["environment"]): string | undefined {
  const named = environment["MAJORDOMUS_PROVIDER_SESSION"] ?? environment["CLAUDE_CODE_SESSION_ID"];
  return named === undefined || named.trim() === "" ? undefined : named.trim();
}

/**
 * Reads everything about a working copy that the rest of the program needs.
 *
 * @param unseen what becomes of stores that may not be looked at: a hook says so at once, and a command as far as it
 *   needs them.
 * @throws MajordomusError 12 without a manifest, 10 for settings that cannot be read, 15 for a layer behind a link.
 */
export async function openSite(site: Site, unseen: Unseen = "refuse"): Promise<Checkout> {
  refuseFollowed(commonDirectories(site.common), unseen);
  const settings = await loadSettings(join(site.root, ".ai"), site.common.cache);
  const { branch, commit } = readHead(site.repository);
  const user = site.environment["USER"]?.trim();
  const layout = layoutOf(site.root, settings.manifest);
  refuseLinked(ownDirectories(layout, settings.manifest), unseen);
  return {
    ...site,
    settings,
    layout,
    worktreeIdentity: ensureWorktreeIdentity(site.repository.gitDir, site.random),
    branch,
    head: commit,
    localRepositoryId: localRepositoryId(site.repository),
    worktreeId: recordedWorktreeId(site.root),
    owner: user === undefined || user === "" ? "unknown" : user,
    providerSession: providerSessionOf(site.environment),
  };
}

/**
 * Opens the checkout that contains `directory`.
 *
 * @throws MajordomusError 2 outside a git work tree, 12 without `.ai/manifest.yaml`, 10 for bad settings.
 */
export async function openCheckout(directory: string, surroundings: Surroundings): Promise<Checkout> {
  const site = locateSite(directory, surroundings);
  if (site !== undefined) return openSite(site, "pass");
  const bare = isBareRepository(directory);
  throw new MajordomusError({
    code: bare ? "repository.bare" : "repository.absent",
    exit: EXIT.usage,
    subject: directory,
    message: bare ? "is a bare repository, which has no work tree" : "is not inside a git repository",
    remedy: bare ? "run this in one of its worktrees" : "run this in a repository, or name one with --repo",
  });
}
