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
  const journal = `${root}/journal`;
  return {
    root,
    events: `${root}/events`,
    episodes: `${root}/episodes`,
    ended: `${root}/ended`,
    journal,
    journalClosed: `${journal}/closed`,
    records: `${root}/records`,
    spool: `${root}/spool`,
    installed: `${root}/installed`,
    cache: `${root}/cache`,
    locks: `${root}/locks`,
  };
}

/** Every directory of our shared state, those above it first. */
export function commonDirectories(common: CommonPaths): string[] {
  const { root, events, episodes, ended, journal, journalClosed, records, spool } = common;
  const unnamed = ["autosave", "continuity", "continuity/hidden", "continuity/published", "task-ids"];
  const named = [root, events, episodes, ended, journal, journalClosed, records, spool];
  const others = unnamed.map((name) => `${root}/${name}`);
  return [...named, common.installed, common.cache, common.locks, ...others];
}

let named = "";
let name = "";

/** The name of a provider session's registration: 32 hex of SHA-256 over provider NUL raw id. */
export function registrationName(provider: string, rawId: string): string {
  const key = `${provider}\0${rawId}`;
  // A hook asks for the name of its own session several times.
  if (key !== named) {
    name = lightSha256(key).slice(0, 32);
    named = key;
  }
  return name;
}
