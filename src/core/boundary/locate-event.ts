import { dirname, isAbsolute } from "node:path";
import type { Site, Surroundings } from "../checkout/checkout.ts";
import { commonPaths } from "../checkout/common.ts";
import { hasLayer, locateSite } from "../checkout/site.ts";
import { isPresent } from "../fs/read.ts";
import { isRegistered } from "../journal/registration-file.ts";
import { indexedCommonDirectory } from "../journal/session-index.ts";
import { ensureWorktreeIdentity, readWorktreePath } from "../checkout/worktree-identity.ts";
import type { LifecycleEvent } from "./event.ts";

function knows(site: Site, event: LifecycleEvent): boolean {
  return event.session !== undefined && isRegistered(site.common, event.provider, event.session);
}

/** A site of the repository whose common directory the index names: its main work tree, else where it last was. */
function siteOfCommonDirectory(commonDirectory: string, surroundings: Surroundings): Site | undefined {
  const candidates = [dirname(commonDirectory), readWorktreePath(commonDirectory)];
  for (const candidate of candidates) {
    if (candidate === undefined) continue;
    const site = locateSite(candidate, surroundings);
    if (site?.repository.commonDir === commonDirectory) return site;
  }
  return undefined;
}

function indexedSite(event: LifecycleEvent, surroundings: Surroundings): Site | undefined {
  if (event.session === undefined) return undefined;
  const common = indexedCommonDirectory(surroundings.environment, event.provider, event.session);
  if (common === undefined) return undefined;
  if (!isRegistered(commonPaths(common), event.provider, event.session)) return undefined;
  return siteOfCommonDirectory(common, surroundings);
}

function knowingAncestor(
  directory: string,
  event: LifecycleEvent,
  surroundings: Surroundings,
): Site | undefined {
  let current = directory;
  while (!isPresent(current) && dirname(current) !== current) current = dirname(current);
  const site = locateSite(current, surroundings);
  return site !== undefined && knows(site, event) ? site : undefined;
}

function projectSite(surroundings: Surroundings): Site | undefined {
  const project = surroundings.environment["CLAUDE_PROJECT_DIR"];
  return project !== undefined && isAbsolute(project) ? locateSite(project, surroundings) : undefined;
}

/**
 * Where an event belongs (decisions.md 1.6, 1.7): the repository of the payload's directory; when that is
 * gone, the nearest ancestor that knows the session, then the index, then the provider's project directory.
 * An event other than a start goes where its session is registered, wherever the directory is now. The
 * process's own directory is never taken for it.
 *
 * @returns undefined where no repository with a layer has anything to do with it
 */
export function locateEvent(event: LifecycleEvent, surroundings: Surroundings): Site | undefined {
  const site = findSite(event, surroundings);
  if (site === undefined) return undefined;
  // A branch without a layer may be checked out when a session ends that began with one: its receipt is owed.
  const owed = (): boolean => event.kind !== "start" && knows(site, event);
  return hasLayer(site) || owed() ? identified(site) : undefined;
}

function findSite(event: LifecycleEvent, surroundings: Surroundings): Site | undefined {
  const { cwd } = event;
  if (cwd === undefined || !isAbsolute(cwd))
    return indexedSite(event, surroundings) ?? projectSite(surroundings);
  if (!isPresent(cwd)) {
    return (
      knowingAncestor(cwd, event, surroundings) ??
      indexedSite(event, surroundings) ??
      projectSite(surroundings)
    );
  }
  const site = locateSite(cwd, surroundings);
  if (event.kind === "start" || (site !== undefined && knows(site, event))) return site;
  return indexedSite(event, surroundings) ?? site;
}

/** Where the receipt of a payload goes that nobody can use: it names no directory that could be believed. */
export function locateUnusable(
  surroundings: Surroundings,
  processDirectory: string | undefined,
): Site | undefined {
  const site =
    projectSite(surroundings) ??
    (processDirectory === undefined ? undefined : locateSite(processDirectory, surroundings));
  return site !== undefined && hasLayer(site) ? identified(site) : undefined;
}

/** From its first event on a worktree has an identity: its receipts and episodes are kept under it. */
function identified(site: Site): Site {
  if (site.worktreeIdentity !== undefined) return site;
  const worktreeIdentity = ensureWorktreeIdentity(site.repository.gitDir, site.random);
  return { ...site, worktreeIdentity };
}
