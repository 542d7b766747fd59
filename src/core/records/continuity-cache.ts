import { join } from "node:path";
import { compareBytewise } from "../base/bytewise.ts";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { listDirectory, readText } from "../fs/read.ts";
import * as z from "zod/mini";

const SCHEMA = "majordomus-continuity-local/v1";
const MAXIMUM_BYTES = 4 * 1024 * 1024;
const text = z.string();

/** Where a branch of this checkout stands in the records that travel. */
export const Position = z.object({
  line: text,
  record: text,
  via: z.enum(["published", "resumed"]),
  at: text,
});
export type Position = z.infer<typeof Position>;

/** A record of another machine that could be gone on from. */
export const Offer = z.object({
  record: text,
  /** Its label. */
  device: text,
  branch: z.optional(text),
  published_at: text,
  /** The task's title. */
  task: z.optional(text),
  issue: z.optional(text),
});
export type Offer = z.infer<typeof Offer>;

export const LastSync = z.object({
  remote: text,
  at: text,
  outcome: z.enum(["ok", "partial", "unreachable"]),
  detail: z.optional(text),
});
export type LastSync = z.infer<typeof LastSync>;

/** `S/continuity.json`; what later versions add is kept. */
const State = z.looseObject({
  schema: z.literal(SCHEMA),
  branches: z.record(text, Position),
  offers: z.array(Offer),
  last_sync: z.optional(LastSync),
});

/** What one checkout remembers of the records that travel (records.md 14.7). */
export interface ContinuityState {
  /** By branch, or `DETACHED`. */
  branches: ReadonlyMap<string, Position>;
  offers: readonly Offer[];
  lastSync: LastSync | undefined;
  /** Members that this version does not know. */
  rest: Readonly<Record<string, unknown>>;
}

/** The file of a checkout's state directory. */
export function continuityStatePath(state: string): string {
  return join(state, "continuity.json");
}

/** Reads the state; an absent file is an empty one. Fails with the reason: such a file is never replaced. */
export function readContinuityState(path: string): Result<ContinuityState, string> {
  const source = readText(path, { maximumBytes: MAXIMUM_BYTES });
  if (!source.ok) {
    if (source.error.kind !== "absent") return failed(source.error.message);
    return ok({ branches: new Map(), offers: [], lastSync: undefined, rest: {} });
  }
  let value: unknown;
  try {
    value = JSON.parse(source.value);
  } catch {
    return failed("is not JSON");
  }
  const state = State.safeParse(value);
  if (!state.success)
    return failed(`${state.error.issues[0]?.path.join(".") ?? "it"} is not as it should be`);
  const { schema: _, branches, offers, last_sync: lastSync, ...rest } = state.data;
  return ok({ branches: new Map(Object.entries(branches)), offers, lastSync, rest });
}

/** Writes the state as the original does: pretty JSON and one newline, branches sorted bytewise. */
export function formatContinuityState({ branches, offers, lastSync, rest }: ContinuityState): string {
  const sorted = [...branches].toSorted(([a], [b]) => compareBytewise(a, b));
  const state = {
    schema: SCHEMA,
    branches: Object.fromEntries(sorted),
    offers,
    ...(lastSync === undefined ? {} : { last_sync: lastSync }),
    ...rest,
  };
  return `${JSON.stringify(state, null, 2)}\n`;
}

/**
 * The directory of a checkout's state in which a record lies while it is being published, by id: beside the
 * positions, because what is cut short is this checkout's to settle.
 */
export function unfinishedPublications(state: string): string {
  return join(state, "continuity-publishing");
}

/** Where our own memory of travelling records lies, shared by all worktrees of a repository. */
export interface ContinuityMemory {
  /** Records that a person does not want to be offered on this machine, by id. */
  hidden: string;
  /** Records that this machine published, by id, to be put back if something else drops them. */
  published: string;
}

/** @param commonRoot our directory in the git common directory. */
export function continuityMemory(commonRoot: string): ContinuityMemory {
  const root = join(commonRoot, "continuity");
  return { hidden: join(root, "hidden"), published: join(root, "published") };
}

/**
 * The handovers of other machines that wait here, from the last sync's notes alone: no git, no network. None
 * where the notes cannot be read; commands of continuity say so.
 *
 * @param commonRoot our directory in the git common directory.
 */
export function waitingOffers(state: string, commonRoot: string): readonly Offer[] {
  const notes = readContinuityState(continuityStatePath(state));
  if (!notes.ok || notes.value.offers.length === 0) return [];
  const hidden = new Set(listDirectory(continuityMemory(commonRoot).hidden));
  return notes.value.offers.filter(({ record }) => !hidden.has(record));
}

/**
 * One sentence about the handovers that wait, undefined where none does. It repeats nothing that another
 * machine wrote: it stands in briefings.
 */
export function waitingSentence(offers: readonly Offer[], branch: string): string | undefined {
  if (offers.length === 0) return undefined;
  const here = offers.filter((offer) => offer.branch === branch).length;
  const what =
    offers.length === 1
      ? "1 handover of another machine waits"
      : `${offers.length} handovers of other machines wait`;
  const where =
    here === offers.length ? "on this branch" : here === 0 ? "on another branch" : `${here} on this branch`;
  return `${what} to be resumed (${where}); \`majordomus continuity plan\` says what that would do.`;
}
