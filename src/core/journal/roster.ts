import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { canonicalPath } from "../fs/contain.ts";
import { stampOf } from "../fs/read.ts";
import { standingOf } from "../labels/standing.ts";
import type { Standing } from "../labels/terms.ts";
import { listOpenEpisodes } from "../records/open-episode.ts";
import type { OpenEpisode } from "../records/open-episode.ts";
import { readPointer } from "../records/pointer.ts";
import type { Pointer } from "../records/pointer.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { layoutOf } from "../checkout/layout.ts";
import type { Layout } from "../checkout/layout.ts";
import { AnnouncedEnds } from "./announced-ends.ts";
import type { AnnouncedEnd, ProviderSession } from "./announced-ends.ts";
import { listRegistrations } from "./registration.ts";
import type { Registration, RegistrationEntry } from "./registration.ts";
import { readWorktreeMap, standingWorktree, whereaboutsOf } from "./whereabouts.ts";
import type { Whereabouts, WorktreeMap } from "./whereabouts.ts";
import { judgeWorker } from "./worker.ts";
import type { WorkerJudgement } from "./worker.ts";

/** One open episode of the repository, whichever of our two accounts knows it: open file, registration, or both. */
export interface RosterEntry {
  sessionId: string;
  key: string;
  /** The open file; of a lost worktree, where it was. */
  path: string;
  file?: OpenEpisode;
  registration?: RegistrationEntry;
  whereabouts: Whereabouts;
  standing: Standing;
  /** False for an episode of another worktree. */
  here: boolean;
  worker: WorkerJudgement;
  /** It was told to end, and no record says that it did. */
  ended?: AnnouncedEnd;
}

export interface Roster {
  entries: RosterEntry[];
  pointer: Pointer;
  worktrees: WorktreeMap;
  /** Files in the place of an episode or a registration that are none. */
  unreadable: { path: string; reason: string }[];
  /** Episodes whose record stands and whose registration was left: by a close that was killed, or by the original's. */
  leftBehind: RosterEntry[];
}

/**
 * The open episodes of every worktree of the repository, each judged against its own worktree (decisions.md 2).
 *
 * @param starting the session whose start is being taken, where one is
 */
export function readRoster(checkout: Checkout, starting?: ProviderSession): Roster {
  const worktrees = readWorktreeMap(checkout);
  const pointer = readPointer(checkout.layout);
  const registrations = listRegistrations(checkout.common);
  const bySession = new Map(registrations.entries.map((entry) => [entry.registration.session_id, entry]));
  const files = listOpenEpisodes(checkout.layout.sessionsOpen);
  const unreadable = [...files.findings, ...registrations.unreadable];
  const ends = new AnnouncedEnds(checkout, starting);
  const entries: RosterEntry[] = [];
  for (const { path, key, episode } of files.episodes) {
    const registration = bySession.get(episode.session_id);
    bySession.delete(episode.session_id);
    const entry = fileEntry(checkout, { path, key, file: episode }, registration, worktrees, pointer);
    entries.push(withEnd(entry, ends));
  }
  const leftBehind: RosterEntry[] = [];
  for (const registration of bySession.values()) {
    const { entry, sealed } = registeredEntry(checkout, registration, worktrees, pointer);
    if (sealed) leftBehind.push(entry);
    else entries.push(withEnd(entry, ends));
  }
  entries.sort(newestFirst);
  return { entries, pointer, worktrees, unreadable, leftBehind };
}

/**
 * An episode that was told to end is nobody's current one, and no process is its worker: Claude's goes on after
 * its session was cleared.
 */
function withEnd(entry: RosterEntry, ends: AnnouncedEnds): RosterEntry {
  const ended = ends.of({
    sessionId: entry.sessionId,
    startedAt: startedAt(entry),
    registration: entry.registration?.registration,
  });
  if (ended === undefined) return entry;
  const { standing, worker } = entry;
  return {
    ...entry,
    ended,
    standing: standing === "current" ? "open" : standing,
    worker:
      worker.state === "alive" ? { state: "unknown", note: `${worker.note}, and its session ended` } : worker,
  };
}

function startedAt(entry: RosterEntry): string {
  return entry.file?.started_at ?? entry.registration?.registration.started_at ?? "";
}

function newestFirst(a: RosterEntry, b: RosterEntry): number {
  const [first, second] = [startedAt(a), startedAt(b)];
  if (first !== second) return first < second ? 1 : -1;
  return a.sessionId < b.sessionId ? -1 : 1;
}

function fileEntry(
  checkout: Checkout,
  open: { path: string; key: string; file: OpenEpisode },
  registration: RegistrationEntry | undefined,
  worktrees: WorktreeMap,
  pointer: Pointer,
): RosterEntry {
  const whereabouts =
    registration === undefined
      ? whereaboutsByPath(checkout, open.file.worktree, worktrees)
      : whereaboutsOf(checkout, registration.registration, worktrees);
  const standing = standingOf({
    worktree: open.file.worktree,
    worktreeExists: whereabouts.kind !== "gone",
    isHere: whereabouts.kind === "here",
    sessionId: open.file.session_id,
    ...(pointer.sessionId === undefined ? {} : { pointerSession: pointer.sessionId }),
  });
  return {
    sessionId: open.file.session_id,
    ...open,
    ...(registration === undefined ? {} : { registration }),
    whereabouts,
    standing,
    here: true,
    worker: judgeWorker(registration?.registration),
  };
}

/** An open file without a registration (the original's, or a copied one) has only its path to go by. */
function whereaboutsByPath(checkout: Checkout, worktree: string, map: WorktreeMap): Whereabouts {
  if (worktree === "") return { kind: "here" };
  const path = canonicalPath(worktree);
  if (path === checkout.root) return { kind: "here" };
  const registered = map.worktrees.find((other) => other.exists && other.path === path);
  if (registered !== undefined) return { kind: "sibling", worktree: registered };
  if (stampOf(path) === undefined) return { kind: "gone", reason: "its worktree is gone from disk" };
  return { kind: "sibling", worktree: { path, gitDir: "", exists: true, main: false } };
}

function siblingLayout(checkout: Checkout, root: string): Layout {
  return layoutOf(root, checkout.settings.manifest);
}

function registeredEntry(
  checkout: Checkout,
  entry: RegistrationEntry,
  worktrees: WorktreeMap,
  pointer: Pointer,
): { entry: RosterEntry; sealed: boolean } {
  const { registration } = entry;
  const whereabouts = whereaboutsOf(checkout, registration, worktrees);
  const root =
    whereabouts.kind === "here" ? checkout.root : (standingWorktree(whereabouts) ?? registration.worktree);
  const layout = siblingLayout(checkout, root);
  const path = join(layout.sessionsOpen, `${registration.key}.yaml`);
  const fileStands = whereabouts.kind !== "gone" && stampOf(path) !== undefined;
  const sealed =
    whereabouts.kind !== "gone" &&
    !fileStands &&
    findRecordOfSession(layout.sessions, registration.session_id) !== undefined;
  const ownPointer = whereabouts.kind === "sibling" ? readPointer(layout) : pointer;
  const known: RosterEntry = {
    sessionId: registration.session_id,
    key: registration.key,
    path,
    registration: entry,
    whereabouts,
    standing: standingOf({
      worktree: registration.worktree,
      worktreeExists: whereabouts.kind !== "gone",
      isHere: whereabouts.kind === "here" || whereabouts.kind === "sibling",
      sessionId: registration.session_id,
      ...(ownPointer.sessionId === undefined ? {} : { pointerSession: ownPointer.sessionId }),
    }),
    here: whereabouts.kind === "here",
    worker: judgeWorker(registration),
  };
  return { entry: known, sealed };
}

/** The facts of an episode, whichever account has them. */
export function episodeFacts(
  entry: RosterEntry,
): Pick<
  Registration,
  "branch" | "start_head" | "start_working_tree" | "started_at" | "worktree" | "repository_id"
> & { owner: string; worker?: string; provider?: string; providerSession?: string } {
  const facts = entry.file ?? entry.registration?.registration;
  if (facts === undefined) throw new Error(`episode ${entry.sessionId} is in no account`);
  const provider = entry.file?.provider ?? entry.registration?.registration.provider;
  const providerSession = entry.file?.provider_session ?? entry.registration?.registration.raw_id;
  return {
    branch: facts.branch,
    start_head: facts.start_head,
    start_working_tree: facts.start_working_tree,
    started_at: facts.started_at,
    worktree: facts.worktree,
    repository_id: facts.repository_id,
    owner: facts.owner,
    ...(facts.worker === undefined ? {} : { worker: facts.worker }),
    ...(provider === undefined ? {} : { provider }),
    ...(providerSession === undefined ? {} : { providerSession }),
  };
}
