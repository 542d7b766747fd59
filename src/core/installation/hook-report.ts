import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../labels/terms.ts";
import { HOOKED_EVENTS } from "./claude-hooks.ts";
import { findLauncherFault, findVersionFault } from "./launcher-fault.ts";
import { readPlace, type HookPlace } from "./read-place.ts";
import { showFollowed } from "../fs/show-command.ts";
import { shellWord } from "../text/shell-word.ts";

export interface StatusFacts {
  /** The worktree where the question is asked. */
  root: string;
  worktrees: readonly string[];
  /** Undefined where nobody's home is known: then there are no settings of a user. */
  claudeConfigDirectory: string | undefined;
  /** The program's launcher, absolute; undefined where the asking process does not know it. */
  script: string | undefined;
  /** This program's own version; without it no other is judged by its age. */
  version?: string;
  /** What people type: `majordomus`. */
  commandName: string;
  /** `PATH`, where a project's shim looks for the program. */
  searchPath: string;
  /** When each event was last received in `root`, as text, by event name. */
  receipts: Readonly<Record<string, string>>;
  /** How many commits were made here since the last receipt, or since the installation. */
  commitsSince?: number;
  /** Whether the working tree shows that somebody works here; asked only where it decides. */
  showsWork?: () => boolean;
}

/** From so many commits on that no hook has reported, silence is said; from the second number on it fails. */
export const SILENT_COMMITS = { warn: 5, fail: 20 } as const;

export interface WorktreeCover {
  path: string;
  /** Events that some settings report from here. */
  events: string[];
  missing: string[];
}

export interface HookReport {
  places: HookPlace[];
  worktrees: WorktreeCover[];
  /** Some event reaches us from `root`. */
  installed: boolean;
  /** Installed in `root`, but nothing was received there: never, or not during the last commits. */
  silent: boolean;
  lastReceived: Record<string, string>;
  /** The finding about too many commits without a word, one of the findings below. */
  silence?: Finding;
  findings: Finding[];
}

const EVENTS = HOOKED_EVENTS.map(({ event }) => event);
const ESSENTIAL = new Set(HOOKED_EVENTS.filter(({ essential }) => essential).map(({ event }) => event));

/**
 * Says where Claude Code's hooks are installed, whether they are whole, and whether they fire. Each finding
 * names a command that shows it.
 */
export function hookStatus(facts: StatusFacts): HookReport {
  const worktrees = [...new Set([facts.root, ...facts.worktrees])].filter((path) => existsSync(path));
  const { claudeConfigDirectory: config } = facts;
  const user =
    config === undefined ? [] : [readPlace("user", join(config, "settings.json"), undefined, facts.script)];
  const own = worktrees.flatMap((worktree) => [
    readPlace("project", join(worktree, ".claude/settings.json"), worktree, facts.script),
    readPlace("local", join(worktree, ".claude/settings.local.json"), worktree, facts.script),
  ]);
  const places = [...user, ...own];
  const reaching = (worktree: string): HookPlace[] =>
    places.filter((place) => place.worktree === undefined || place.worktree === worktree);
  const covers = worktrees.map((path) => coverOf(path, reaching(path)));
  const installed = (covers[0]?.events.length ?? 0) > 0;
  const lastReceived = Object.fromEntries(
    EVENTS.flatMap((event) => {
      const time = Object.hasOwn(facts.receipts, event) ? facts.receipts[event] : undefined;
      return time === undefined ? [] : [[event, time]];
    }),
  );
  const never = Object.keys(lastReceived).length === 0;
  const commits = facts.commitsSince ?? 0;
  const silent = installed && (never || commits >= SILENT_COMMITS.warn);
  const said = silent ? silence(facts, lastReceived, commits) : undefined;
  const findings = [
    ...places.flatMap((place) => placeFindings(place, facts)),
    ...covers.flatMap((cover) => coverFindings(cover, reaching(cover.path), facts)),
    ...(said === undefined ? [] : [said]),
  ];
  return {
    places,
    worktrees: covers,
    installed,
    silent,
    lastReceived,
    ...(said === undefined || commits < SILENT_COMMITS.warn ? {} : { silence: said }),
    findings: findings.some(({ level }) => level !== "INFO") ? findings : [healthy(facts), ...findings],
  };
}

function finding(level: Finding["level"], subject: string, message: string, reproduce: string): Finding {
  return { level, category: "hooks", subject, message, reproduce };
}

function statusCommand(facts: StatusFacts): string {
  return `${facts.commandName} hooks status claude-code`;
}

function installCommand(facts: StatusFacts, scope: HookPlace["scope"]): string {
  return `${facts.commandName} hooks install claude-code${scope === "local" ? "" : ` --${scope}`}`;
}

function coverOf(path: string, places: readonly HookPlace[]): WorktreeCover {
  const events = EVENTS.filter((event) => places.some((place) => place.events.includes(event)));
  return { path, events, missing: EVENTS.filter((event) => !events.includes(event)) };
}

/** What is wrong with the entries of one settings file. */
function placeFindings(place: HookPlace, facts: StatusFacts): Finding[] {
  const repair = `repair it with: ${installCommand(facts, place.scope)}`;
  const show = `${showFollowed(place.path)} ${shellWord(place.path)}`;
  if (place.state === "unreadable") return [finding("FAIL", place.path, place.reason ?? "unreadable", show)];
  const found: Finding[] = [];
  if (place.disabled) {
    found.push(finding("FAIL", place.path, '"disableAllHooks" switches every hook off', show));
  }
  if (place.missingSources.length > 0) {
    const sources = place.missingSources.join(", ");
    found.push(finding("FAIL", place.path, `SessionStart leaves out ${sources}; ${repair}`, show));
  }
  if (place.doubled.length > 0) {
    found.push(
      finding("WARN", place.path, `more than one entry for ${place.doubled.join(", ")}; ${repair}`, show),
    );
  }
  if (place.hurried.length > 0) {
    const limits = place.hurried.map(({ event, seconds }) => `${event} ${seconds} s`).join(", ");
    found.push(finding("WARN", place.path, `time limits shorter than installed: ${limits}; ${repair}`, show));
  }
  return [...found, ...launcherFindings(place, facts, repair)];
}

/** What is wrong with the programs that one settings file starts. */
function launcherFindings(place: HookPlace, facts: StatusFacts, repair: string): Finding[] {
  const launchers = new Map(place.handlers.map(({ ours }) => [JSON.stringify(ours.launcher), ours.launcher]));
  return [...launchers.values()].flatMap((launcher) => {
    const fault = findLauncherFault(launcher, place.worktree ?? facts.root, facts.searchPath);
    if (fault !== undefined) {
      return [finding("FAIL", place.path, `${fault.message}; ${repair}`, fault.reproduce)];
    }
    const old =
      facts.version === undefined || (launcher.kind === "program" && launcher.script === facts.script)
        ? undefined
        : findVersionFault(launcher, place.worktree ?? facts.root, facts.searchPath, facts.version);
    if (old !== undefined) return [finding("FAIL", place.path, `${old.message}; ${repair}`, old.reproduce)];
    if (launcher.kind === "shim" || facts.script === undefined || launcher.script === facts.script) return [];
    const message = `starts another copy of the program: ${launcher.script}`;
    return [finding("INFO", place.path, message, statusCommand(facts))];
  });
}

const EVERY_WORKTREE = " (it covers every worktree that is there now; with --user those to come, too)";

/** What is wrong with the hooks that reach one worktree, all settings taken together. */
function coverFindings(cover: WorktreeCover, places: readonly HookPlace[], facts: StatusFacts): Finding[] {
  const install = installCommand(facts, "local");
  const status = statusCommand(facts);
  // A sibling that lacks hooks is named; only the worktree that was asked about is broken by it.
  const here = cover.path === facts.root;
  if (cover.events.length === 0) {
    return [
      finding(
        here ? "FAIL" : "WARN",
        cover.path,
        `no hooks are installed; install them with: ${install}${here ? "" : EVERY_WORKTREE}`,
        status,
      ),
    ];
  }
  const found: Finding[] = [];
  if (cover.missing.length > 0) {
    const level = here && cover.missing.some((event) => ESSENTIAL.has(event)) ? "FAIL" : "WARN";
    const message = `no hook for ${cover.missing.join(", ")}; install them with: ${install}`;
    found.push(finding(level, cover.path, message, status));
  }
  const racing = EVENTS.filter((event) => {
    const identities = places.map(
      (place) => place.handlers.find((handler) => handler.event === event)?.ours.identity,
    );
    return new Set(identities.filter((identity) => identity !== undefined)).size > 1;
  });
  if (racing.length > 0) {
    const scopes = places.filter((place) => place.handlers.length > 0).map((place) => place.scope);
    const message = `installed more than once (${scopes.join(", ")}), so each event runs twice; uninstall one`;
    found.push(finding("WARN", cover.path, message, status));
  }
  return found;
}

const LIKELY =
  "likely the tool was not started anew after the installation, runs elsewhere, or was told not to trust its hooks";

function silence(
  facts: StatusFacts,
  lastReceived: Readonly<Record<string, string>>,
  commits: number,
): Finding {
  const last = Object.values(lastReceived).toSorted().at(-1);
  const failing = commits >= SILENT_COMMITS.fail && facts.showsWork?.() === true;
  const message = [
    last === undefined
      ? "hooks are installed, but none has been received here yet"
      : `no hook has been received here since ${last}`,
    ...(commits >= SILENT_COMMITS.warn ? [`and ${commits} commits were made since; ${LIKELY}`] : []),
  ].join(", ");
  return finding(failing ? "FAIL" : "WARN", facts.root, message, statusCommand(facts));
}

function healthy(facts: StatusFacts): Finding {
  return finding("OK", facts.root, "hooks are installed, whole and received", statusCommand(facts));
}
