import { join } from "node:path";
import * as z from "zod/mini";
import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import {
  LEFT_OUT,
  takeInteger,
  takeOneOf,
  takePlain,
  takeText,
  takeTextOrNull,
} from "../base/plain-object.ts";
import type { PlainField } from "../base/plain-object.ts";
import { registrationName } from "../checkout/common.ts";
import type { CommonPaths } from "../checkout/common.ts";
import { listDirectory, readText, stampOf } from "../fs/read.ts";
import { createExclusive, makeDirectory, moveFile, removeFile, writeAtomic } from "../fs/write.ts";
import { endedNames, registrationPath } from "./registration-file.ts";

/** Who runs, or ran, as it is written down. */
export const ProcessIdentity = z.object({
  pid: z.int(),
  started: z.nullable(z.string()),
  boot: z.nullable(z.string()),
  namespace: z.nullable(z.string()),
});

/**
 * What we know of one open episode beside the original's open file: enough to find it from any
 * directory, to judge its worker, and to compose its record when its worktree is gone.
 */
export const Registration = z.object({
  schema: z.literal("majordomus-registration/v1"),
  session_id: z.string(),
  provider: z.string(),
  raw_id: z.string(),
  /** The open file's name without `.yaml`. */
  key: z.string(),
  worktree_id: z.string(),
  worktree: z.string(),
  repository_id: z.string(),
  branch: z.string(),
  start_head: z.string(),
  /** Empty where an older open file did not say. */
  start_working_tree: z.enum(["clean", "dirty", ""]),
  started_at: z.string(),
  owner: z.string(),
  worker: z.optional(z.string()),
  process: z.optional(ProcessIdentity),
  continues: z.optional(z.object({ session_id: z.string(), evidence: z.string() })),
  /** Set when an end came that could not seal, or when it was sealed: a timestamp. */
  ended: z.optional(z.string()),
  end_reason: z.optional(z.string()),
});
export type Registration = z.infer<typeof Registration>;

const PLAIN_PROCESS: readonly PlainField[] = [
  ["pid", takeInteger],
  ["started", takeTextOrNull],
  ["boot", takeTextOrNull],
  ["namespace", takeTextOrNull],
];
const PLAIN_CONTINUES: readonly PlainField[] = [
  ["session_id", takeText],
  ["evidence", takeText],
];
/** The same fields in the same order, as a file has them that we wrote. */
const PLAIN: readonly PlainField[] = [
  ["schema", takeOneOf("majordomus-registration/v1")],
  ["session_id", takeText],
  ["provider", takeText],
  ["raw_id", takeText],
  ["key", takeText],
  ["worktree_id", takeText],
  ["worktree", takeText],
  ["repository_id", takeText],
  ["branch", takeText],
  ["start_head", takeText],
  ["start_working_tree", takeOneOf("clean", "dirty", "")],
  ["started_at", takeText],
  ["owner", takeText],
  ["worker", takeText, LEFT_OUT],
  ["process", (value) => takePlain(value, PLAIN_PROCESS), LEFT_OUT],
  ["continues", (value) => takePlain(value, PLAIN_CONTINUES), LEFT_OUT],
  ["ended", takeText, LEFT_OUT],
  ["end_reason", takeText, LEFT_OUT],
];

/** Reads a registration's value; undefined for what is none. */
export function parseRegistration(value: unknown): Registration | undefined {
  const plain = takePlain(value, PLAIN);
  return plain === undefined ? Registration.safeParse(value).data : (plain as Registration);
}

export interface RegistrationEntry {
  path: string;
  registration: Registration;
  /** Milliseconds since the epoch: the file's time of change is its heartbeat. */
  heartbeat: number;
}

const MAXIMUM_BYTES = 64 * 1024;
const KEPT_ENDED = 500;

/** Throws where the disk refuses to give what stands there: that is neither an absence nor a fault of the file. */
function readEntry(path: string): RegistrationEntry | undefined {
  const stamp = stampOf(path);
  const text = readText(path, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok && text.error.kind === "unreadable") {
    throw new MajordomusError({
      code: "registration.unreadable",
      exit: EXIT.internal,
      subject: path,
      message: `cannot be read: ${text.error.message}`,
    });
  }
  if (stamp === undefined || !text.ok) return undefined;
  try {
    const registration = parseRegistration(JSON.parse(text.value));
    return registration === undefined ? undefined : { path, registration, heartbeat: stamp.modified };
  } catch {
    return undefined;
  }
}

/**
 * The registration of a provider session, or undefined where there is none, or none that is whole.
 *
 * @throws MajordomusError 13 where the disk does not give it: then nobody knows whether there is one.
 */
export function readRegistration(
  common: CommonPaths,
  provider: string,
  rawId: string,
): RegistrationEntry | undefined {
  const entry = readEntry(registrationPath(common, provider, rawId));
  return entry?.registration.raw_id === rawId ? entry : undefined;
}

/**
 * Moves what stands in the place of a provider session's registration and is none out of the way, so that the
 * session can be registered again. It stays beside the others, where it is told of.
 */
export function setDamagedAside(common: CommonPaths, provider: string, rawId: string): boolean {
  const path = registrationPath(common, provider, rawId);
  if (stampOf(path) === undefined || readRegistration(common, provider, rawId) !== undefined) return false;
  return moveFile(path, path.replace(/\.json$/, "~damaged.json"));
}

/** Writes a registration unless the provider session has one: of many at once, one is written. */
export function createRegistration(common: CommonPaths, registration: Registration): boolean {
  const path = registrationPath(common, registration.provider, registration.raw_id);
  makeDirectory(common.episodes, 0o700);
  return createExclusive(path, serialise(registration), { mode: 0o600 });
}

/** Replaces a registration; the caller holds its episode's lock. */
export function replaceRegistration(path: string, registration: Registration): void {
  writeAtomic(path, serialise(registration), { mode: 0o600 });
}

function serialise(registration: Registration): string {
  return `${JSON.stringify(registration, null, 2)}\n`;
}

/** Registrations of all open episodes of the repository, and the files there that are none. */
export function listRegistrations(common: CommonPaths): {
  entries: RegistrationEntry[];
  unreadable: { path: string; reason: string }[];
} {
  const entries: RegistrationEntry[] = [];
  const unreadable: { path: string; reason: string }[] = [];
  for (const name of listDirectory(common.episodes)) {
    if (!name.endsWith(".json")) continue;
    const path = join(common.episodes, name);
    try {
      const entry = readEntry(path);
      if (entry === undefined) unreadable.push({ path, reason: "is not a registration" });
      else entries.push(entry);
    } catch (error) {
      unreadable.push({ path, reason: reasonOf(error) });
    }
  }
  return { entries, unreadable };
}

/** A successor of the same provider session takes the name: the old episode stays open beside it. */
export function setAside(common: CommonPaths, entry: RegistrationEntry): void {
  const { provider, raw_id, session_id } = entry.registration;
  moveFile(entry.path, join(common.episodes, `${registrationName(provider, raw_id)}~${session_id}.json`));
}

/** The registrations of one provider session that successors set aside, in no order. */
export function asideRegistrations(common: CommonPaths, provider: string, rawId: string): Registration[] {
  const beginning = `${registrationName(provider, rawId)}~`;
  return listDirectory(common.episodes)
    .filter((name) => name.startsWith(beginning))
    .map((name) => readEntry(join(common.episodes, name))?.registration)
    .filter((registration) => registration !== undefined);
}

/**
 * Moves an ended episode's registration to the ended ones, of which the newest 500 are kept.
 *
 * @returns false when the name is another episode's by now, or nobody's: then nothing is moved.
 */
export function retireRegistration(
  common: CommonPaths,
  entry: RegistrationEntry,
  ended: { at: string; reason: string },
): boolean {
  const { session_id, provider, raw_id, started_at } = entry.registration;
  if (readEntry(entry.path)?.registration.session_id !== session_id) return false;
  const sealed: Registration = { ...entry.registration, ended: ended.at, end_reason: ended.reason };
  const target = join(
    common.ended,
    `${started_at.replaceAll(/[-:]/g, "")}~${registrationName(provider, raw_id)}~${session_id}.json`,
  );
  makeDirectory(common.ended, 0o700);
  writeAtomic(target, serialise(sealed), { mode: 0o600 });
  removeFile(entry.path);
  const names = listDirectory(common.ended).filter((name) => name.endsWith(".json"));
  for (const name of names.slice(0, Math.max(0, names.length - KEPT_ENDED))) {
    removeFile(join(common.ended, name));
  }
  return true;
}

/** The ended episodes of one provider session, oldest first. */
export function endedRegistrations(common: CommonPaths, provider: string, rawId: string): Registration[] {
  return endedNames(common, provider, rawId)
    .map((name) => readEntry(join(common.ended, name))?.registration)
    .filter((registration) => registration !== undefined);
}

/** Every ended episode that is still remembered, oldest first; at most `newest` of them. */
export function listEnded(common: CommonPaths, newest: number = KEPT_ENDED): Registration[] {
  return listDirectory(common.ended)
    .filter((name) => name.endsWith(".json"))
    .slice(-newest)
    .map((name) => readEntry(join(common.ended, name))?.registration)
    .filter((registration) => registration !== undefined);
}

/** The episode ids of the ended ones, from their names alone. */
export function endedSessionIds(common: CommonPaths): string[] {
  return listDirectory(common.ended)
    .map((name) => /~([^~]+)\.json$/.exec(name)?.[1])
    .filter((id) => id !== undefined);
}

/** Whether a repository has the registration of an episode, open, set aside or ended. */
export function holdsEpisode(common: CommonPaths, sessionId: string): boolean {
  return (
    endedSessionIds(common).includes(sessionId) ||
    listRegistrations(common).entries.some(({ registration }) => registration.session_id === sessionId)
  );
}
