import { EXIT, MajordomusError } from "../base/error.ts";
import { pause } from "../fs/pause.ts";
import { askCommitter } from "../git/identity.ts";
import type { Committer } from "../git/identity.ts";
import { commitObject, formatOf, objectName } from "../git/object-pack.ts";
import type { CommitContent, NewObject, ObjectFormat, TreeEntry } from "../git/object-pack.ts";
import {
  askObjectFormat,
  directoryEntry,
  isAncestor,
  moveReference,
  unpackObjects,
  writeBlob,
  writeCommit,
  writeTree,
} from "../git/plumbing.ts";
import type { Repository } from "../git/repository.ts";
import { recordPath } from "./admission.ts";
import { noteObjects } from "./own-objects.ts";
import { keepOwnTree, treesOf } from "./own-tree.ts";
import type { ContinuityPlace } from "./place.ts";
import { refusal } from "./refusal.ts";
import { MAXIMUM_FILES } from "./store-files.ts";
import { readStore, rememberAdded, STORE_REFERENCE } from "./store.ts";
import type { Store } from "./store.ts";

const REFLOG = "majordomus continuity";
const STAND_IN = { name: "majordomus", email: "majordomus@localhost" };

/** How long a move is tried again while others move the reference too. */
const CONTENTION_MILLISECONDS = 5_000;
const LONGEST_PAUSE = 60;

/** A whole number from 1 to `maximum`, so that those who collide once do not collide again. */
export function jitter(place: Pick<ContinuityPlace, "checkout">, maximum: number): number {
  return 1 + (Number.parseInt(place.checkout.random.hex(3), 16) % maximum);
}

function refuseNested(store: Store, whose: string): void {
  if (store.nested === undefined) return;
  throw refusal(
    "continuity.not_ours",
    `${STORE_REFERENCE} ${whose}`,
    "has directories where only records can be: this is not a store of ours",
    "nothing was changed; move that reference away, and records can be kept there again",
  );
}

interface Contents {
  /** Of the directory of records. */
  entries: readonly TreeEntry[];
  beside: readonly TreeEntry[];
  /** What of these git does not have yet. */
  blobs: readonly NewObject[];
}

/** What this repository names its objects by, told by one that it has. */
function formatHere({ store: { repository }, checkout }: ContinuityPlace, known?: string): ObjectFormat {
  const id = known ?? checkout.head;
  return id === undefined ? askObjectFormat(repository) : formatOf(id);
}

/** A commit to be made, and who is named in it. */
interface Making {
  content: Omit<CommitContent, "tree">;
  committer: Committer;
}

/** What came of a making: everything that was written, the commit last; its bytes, where we put it together. */
interface Made {
  ids: string[];
  object?: NewObject;
}

/** Everything at once, in one process; undefined where git takes it not, or only git knows what the commit would say. */
function writeTogether(
  repository: Repository,
  contents: Contents,
  format: ObjectFormat,
  { content, committer: { signature } }: Making,
): Made | undefined {
  if (signature === undefined) return undefined;
  const { records, whole } = treesOf(contents, format);
  const commit = commitObject({ ...content, tree: objectName(whole, format) }, signature);
  const ids = unpackObjects(repository, [...contents.blobs, records, whole, commit], format);
  return ids === undefined ? undefined : { ids, object: commit };
}

/** One by one: what others put beside our records may be such that git takes it in no pack, and in a tree all the same. */
function writeApart(
  repository: Repository,
  { entries, beside, blobs }: Contents,
  { content, committer }: Making,
): Made {
  const apart = blobs.map(({ bytes }) => writeBlob(repository, bytes));
  const inner = writeTree(repository, entries);
  const tree = writeTree(repository, [...beside, directoryEntry("records", inner)]);
  const commit = writeCommit(repository, { ...content, tree, identity: committer.missing }, STAND_IN);
  return { ids: [...apart, inner, tree, commit] };
}

interface Commit {
  commit: string;
  made: string[];
  object?: NewObject | undefined;
}

function commitContents(
  place: ContinuityPlace,
  contents: Contents,
  format: ObjectFormat,
  parents: readonly string[],
  message: string,
): Commit {
  const files = [...contents.entries, ...contents.beside].filter(({ type }) => type === "blob").length;
  if (files > MAXIMUM_FILES) {
    throw refusal(
      "continuity.full",
      STORE_REFERENCE,
      `would have ${files} files of at most ${MAXIMUM_FILES}`,
    );
  }
  const { repository } = place.store;
  const making = {
    content: { parents, message, at: Math.floor(place.checkout.clock.now() / 1000) },
    committer: askCommitter(repository, STAND_IN),
  };
  const { ids, object } =
    writeTogether(repository, contents, format, making) ?? writeApart(repository, contents, making);
  return { commit: ids.at(-1) ?? "", made: ids, object };
}

/** Somebody else moved the reference, or holds it just now. */
interface Contended {
  contended: string;
}

/** Repeats what another process's move has made stale, for a while. */
function untilMoved<Value extends object>(place: ContinuityPlace, attempt: () => Value | Contended): Value {
  const deadline = performance.now() + CONTENTION_MILLISECONDS;
  for (;;) {
    const outcome = attempt();
    if (!("contended" in outcome)) return outcome;
    if (performance.now() > deadline) {
      throw new MajordomusError({
        code: "continuity.contended",
        exit: EXIT.internal,
        subject: STORE_REFERENCE,
        message: outcome.contended,
        remedy: "try again; when nothing else runs, remove git's lock file that it names",
      });
    }
    pause(jitter(place, LONGEST_PAUSE));
  }
}

/** The store's tip, and which files were added. */
export interface AddOutcome {
  tip: string | undefined;
  added: string[];
}

/** A record's file, byte for byte. */
export interface RecordFile {
  id: string;
  bytes: Buffer;
}

function fileEntry(name: string, bytes: Buffer, format: ObjectFormat): TreeEntry {
  return { mode: "100644", type: "blob", id: objectName({ type: "blob", bytes }, format), name };
}

/**
 * Adds files to the store; what is there already stays as it is. By plumbing alone: no branch, index or work
 * tree is touched, and no hook of the user's runs.
 *
 * @param message of the commit, its last newline included.
 * @throws MajordomusError 10 where the reference holds no store of ours; 13 when git fails.
 */
export function addRecords(
  place: ContinuityPlace,
  files: readonly RecordFile[],
  message: string,
): AddOutcome {
  const { repository } = place.store;
  return untilMoved(place, (): AddOutcome | Contended => {
    const store = readStore(place.store);
    const standing = new Set(store.entries.map(({ name }) => `records/${name}`));
    const missing = files.filter(({ id }) => !standing.has(recordPath(id)));
    if (missing.length === 0) return { tip: store.tip, added: [] };
    refuseNested(store, "here");
    const format = formatHere(place, store.tip);
    const added = missing.map(({ id, bytes }) => fileEntry(`${id}.json`, bytes, format));
    const contents = {
      entries: [...store.entries, ...added],
      beside: store.beside,
      blobs: missing.map(({ bytes }): NewObject => ({ type: "blob", bytes })),
    };
    const { commit, made, object } = commitContents(
      place,
      contents,
      format,
      store.tip === undefined ? [] : [store.tip],
      message,
    );
    const move = moveReference(repository, STORE_REFERENCE, commit, store.tip, REFLOG);
    if (!move.moved) {
      if (move.contended) return { contended: move.reason };
      throw refusal("continuity.not_written", STORE_REFERENCE, move.reason);
    }
    noteObjects(place, made);
    if (object !== undefined) keepOwnTree(place.store, object, contents);
    rememberAdded(
      place.store,
      store,
      commit,
      missing.map(({ id, bytes }) => ({ entry: fileEntry(recordPath(id), bytes, format), bytes })),
    );
    return { tip: commit, added: missing.map(({ id }) => id) };
  });
}

/** What a merge came to. */
export interface MergeOutcome {
  tip: string | undefined;
  /** Names that both sides have with other bytes: ours stood. */
  collisions: string[];
}

function union(
  ours: readonly TreeEntry[],
  theirs: readonly TreeEntry[],
  leftOut: (name: string) => boolean,
): { entries: TreeEntry[]; collisions: string[] } {
  const known = new Map(ours.map((entry) => [entry.name, entry]));
  const collisions: string[] = [];
  for (const entry of theirs) {
    const mine = known.get(entry.name);
    if (mine !== undefined && mine.id !== entry.id && !leftOut(entry.name)) collisions.push(entry.name);
    if (mine === undefined && !leftOut(entry.name)) known.set(entry.name, entry);
  }
  return { entries: [...known.values()], collisions };
}

/**
 * Unites the store with what a remote has (records.md 14.15). Nothing is rewritten: files are taken over as
 * objects. The remote's commit becomes a parent, also where some of its files were left out.
 *
 * @param excluded paths of the remote that may not come in.
 * @throws MajordomusError 10 where either side is no store of ours, or both together would be too large.
 */
export function mergeRemote(
  place: ContinuityPlace,
  remote: Store,
  excluded: ReadonlySet<string>,
): MergeOutcome {
  const theirs = remote.tip;
  if (theirs === undefined) return { tip: readStore(place.store).tip, collisions: [] };
  refuseNested(remote, "at the remote");
  const { repository } = place.store;
  return untilMoved(place, (): MergeOutcome | Contended => {
    const local = readStore(place.store);
    const tip = local.tip;
    const beside = union(local.beside, remote.beside, () => false);
    const records = union(local.entries, remote.entries, (name) => excluded.has(`records/${name}`));
    const collisions = records.collisions.map((name) => `records/${name}`);
    if (tip !== undefined && isAncestor(repository, theirs, tip) === true) return { tip, collisions: [] };
    let next: Commit;
    if (excluded.size === 0 && (tip === undefined || isAncestor(repository, tip, theirs) === true)) {
      next = { commit: theirs, made: [] };
    } else if (tip === undefined && records.entries.length === 0) {
      return { tip, collisions };
    } else {
      refuseNested(local, "here");
      const contents = { entries: records.entries, beside: beside.entries, blobs: [] };
      const parents = tip === undefined ? [theirs] : [tip, theirs];
      next = commitContents(place, contents, formatOf(theirs), parents, "majordomus continuity: merge\n");
    }
    const move = moveReference(repository, STORE_REFERENCE, next.commit, tip, REFLOG);
    if (move.moved) {
      noteObjects(place, next.made);
      return { tip: next.commit, collisions };
    }
    if (move.contended) return { contended: move.reason };
    throw refusal("continuity.not_written", STORE_REFERENCE, move.reason);
  });
}
