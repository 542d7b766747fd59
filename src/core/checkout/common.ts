import { join } from "node:path";
import { lightSha256 } from "../base/light-hash.ts";

/**
 * Our own state, shared by every worktree of one repository, in its git common directory, which the
 * original never reads (decisions.md 1).
 */
export interface CommonPaths {
  root: string;
  events: string;
  episodes: string;
  ended: string;
  journal: string;
  journalClosed: string;
  records: string;
  spool: string;
  installed: string;
  cache: string;
  locks: string;
}

export function commonPaths(commonDirectory: string): CommonPaths {
  const root = join(commonDirectory, "majordomus");
  const journal = join(root, "journal");
  return {
    root,
    events: join(root, "events"),
    episodes: join(root, "episodes"),
    ended: join(root, "ended"),
    journal,
    journalClosed: join(journal, "closed"),
    records: join(root, "records"),
    spool: join(root, "spool"),
    installed: join(root, "installed"),
    cache: join(root, "cache"),
    locks: join(root, "locks"),
  };
}

/** The name of a provider session's registration: 32 hex of SHA-256 over provider NUL raw id. */
export function registrationName(provider: string, rawId: string): string {
  return lightSha256(`${provider}\0${rawId}`).slice(0, 32);
}
