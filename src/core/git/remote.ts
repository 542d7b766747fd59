import { join } from "node:path";
import { sha256Hex } from "../base/id.ts";
import { failed, ok, type Result } from "../base/result.ts";
import { lastValue, parseConfig, type ConfigEntry } from "./config-file.ts";
import { readGitFile } from "./git-file.ts";
import type { Repository } from "./repository.ts";
import { runGit } from "./run.ts";

export interface Remote {
  name: string;
  url: string;
}

function askConfig(repository: Repository): ConfigEntry[] {
  const pattern = "^(remote\\..*\\.url|branch\\..*\\.remote)$";
  const outcome = runGit(repository, ["config", "--null", "--get-regexp", pattern]);
  const settings = outcome.stdout.toString("utf8").split("\0");
  return settings.filter(Boolean).map((setting) => {
    const end = setting.indexOf("\n");
    return { key: setting.slice(0, end), value: setting.slice(end + 1) };
  });
}

/** The repository's own configuration from its file; git resolves includes and per-worktree parts. */
function readConfiguration(repository: Repository): ConfigEntry[] {
  const entries = parseConfig(readGitFile(join(repository.commonDir, "config")) ?? "");
  const isPartial = entries?.some(
    ({ key }) => /^include(?:if)?\./.test(key) || key === "extensions.worktreeconfig",
  );
  return entries === undefined || isPartial ? askConfig(repository) : entries;
}

function remotesIn(entries: readonly ConfigEntry[]): Remote[] {
  const remotes = new Map<string, string>();
  for (const { key, value } of entries) {
    const name = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    // git fetches from the first address; further ones are only pushed to.
    if (name !== undefined && value && !remotes.has(name)) remotes.set(name, value);
  }
  return [...remotes].map(([name, url]) => ({ name, url }));
}

/** The configured remotes that have an address, in the order of the configuration. */
export function listRemotes(repository: Repository): Remote[] {
  return remotesIn(readConfiguration(repository));
}

/**
 * The remote that this branch works with: its upstream's, else `origin`, else the only one.
 *
 * @returns undefined when there is none; the names to choose from when none of the rules decides.
 */
export function electedRemote(repository: Repository, branch: string): Result<Remote | undefined, string[]> {
  const entries = readConfiguration(repository);
  const remotes = remotesIn(entries);
  const upstream = lastValue(entries, `branch.${branch}.remote`);
  const elected =
    remotes.find(({ name }) => name === upstream) ??
    remotes.find(({ name }) => name === "origin") ??
    (remotes.length === 1 ? remotes[0] : undefined);
  if (elected !== undefined || remotes.length === 0) return ok(elected);
  return failed(remotes.map(({ name }) => name).toSorted());
}

/** Cuts `user:password@` out of a URL. The scp form (`git@host:path`) carries no password and stays as it is. */
export function withoutUserInformation(url: string): string {
  return url.replace(/^([A-Za-z][A-Za-z0-9+.-]*:\/\/)[^/?#]*@/, "$1");
}

/** Whether an address leads off this machine: `scheme://`, `helper::address` or `host:path`, but no `file:`. */
function isShared(url: string): boolean {
  if (/^file:/i.test(url)) return false;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:(?:\/\/|:)/.test(url)) return true;
  // A single letter before the colon is a drive.
  return /^[^/\\:]{2,}:/.test(url);
}

/**
 * How records that travel name the repository: the elected remote's address without user information.
 * A repository without a remote that others can reach gets `local:` and a hash of its common directory.
 */
export function sharedRepositoryId(repository: Repository, branch: string): string {
  const elected = electedRemote(repository, branch);
  const url = elected.ok ? elected.value?.url : undefined;
  if (url !== undefined && isShared(url)) return withoutUserInformation(url);
  return `local:${sha256Hex(repository.commonDir).slice(0, 16)}`;
}

/** How records of this machine name the repository: its common directory, absolute (records.md 1.3). */
export function localRepositoryId(repository: Repository): string {
  return repository.commonDir;
}
