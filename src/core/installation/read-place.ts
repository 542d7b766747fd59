import { reasonOf } from "../base/error.ts";
import { HOOKED_EVENTS, START_SOURCES, type OurHandler } from "./claude-hooks.ts";
import { memberOf, parseJson, valueOf } from "./json-tree.ts";
import { findOurs, type Occurrence } from "./our-entries.ts";
import { readEdited, readSettings } from "./settings-file.ts";

/** `local`: this machine, every worktree. `project`: committed, for everybody. `user`: every repository of this person. */
export type InstallScope = "local" | "project" | "user";

/** One settings file as a place where hooks may be installed. */
export interface HookPlace {
  scope: InstallScope;
  path: string;
  /** The worktree that it belongs to; absent for the user's own settings. */
  worktree?: string;
  state: "absent" | "without" | "installed" | "unreadable";
  /** Why it cannot be read. */
  reason?: string;
  /** Events that reach us from here, from every source. */
  events: string[];
  /** Start sources that the matcher here leaves out. */
  missingSources: string[];
  /** Events that have more than one entry of ours here. */
  doubled: string[];
  /** Events whose time limit here is shorter than what we install, with that limit in seconds. */
  hurried: { event: string; seconds: number }[];
  /** `disableAllHooks` is set here. */
  disabled: boolean;
  handlers: { event: string; ours: OurHandler }[];
}

/** Reads one settings file and says what of ours is in it. */
export function readPlace(
  scope: InstallScope,
  path: string,
  worktree: string | undefined,
  script: string | undefined,
): HookPlace {
  const place: HookPlace = {
    scope,
    path,
    ...(worktree !== undefined && { worktree }),
    state: "absent",
    events: [],
    missingSources: [],
    doubled: [],
    hurried: [],
    disabled: false,
    handlers: [],
  };
  try {
    const { bytes } = readEdited(path);
    if (bytes === undefined) return place;
    const root = parseJson(readSettings(path, bytes).text);
    if (!root.ok) return place;
    const disabled = memberOf(root.value, "disableAllHooks")?.value;
    return {
      ...place,
      ...judgeEntries(findOurs(root.value, script)),
      disabled: disabled !== undefined && valueOf(disabled) === true,
    };
  } catch (error) {
    return { ...place, state: "unreadable", reason: reasonOf(error) };
  }
}

type Judged = Pick<HookPlace, "state" | "events" | "missingSources" | "doubled" | "hurried" | "handlers">;

function judgeEntries(found: readonly Occurrence[]): Judged {
  const known = HOOKED_EVENTS.filter(({ event }) => found.some((entry) => entry.event === event));
  const entriesOf = (event: string): Occurrence[] => found.filter((entry) => entry.event === event);
  const missingSources = known.some(({ event }) => event === "SessionStart")
    ? START_SOURCES.filter(
        (source) => !entriesOf("SessionStart").some((entry) => covers(entry.value, source)),
      )
    : [];
  return {
    state: found.length === 0 ? "without" : "installed",
    events: known.map(({ event }) => event),
    missingSources,
    doubled: known.map(({ event }) => event).filter((event) => entriesOf(event).length > 1),
    hurried: known.flatMap(({ event, timeoutSeconds }) => {
      const limits = entriesOf(event).flatMap(({ ours }) => ours.timeout ?? []);
      const seconds = Math.min(...limits);
      return seconds < timeoutSeconds ? [{ event, seconds }] : [];
    }),
    handlers: found.map(({ event, ours }) => ({ event, ours })),
  };
}

/** Whether a group's matcher lets a source through, by Claude Code's rules (providers.md 3.1). */
function covers(group: unknown, source: string): boolean {
  const { matcher } = group as { matcher?: unknown };
  if (typeof matcher !== "string" || matcher === "" || matcher === "*") return true;
  if (/^[\w\- ,|]+$/.test(matcher)) return matcher.split(/[,|]/).some((name) => name.trim() === source);
  try {
    return new RegExp(matcher).test(source);
  } catch {
    return false;
  }
}
