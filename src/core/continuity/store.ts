import { EXIT, MajordomusError, reasonOf } from "../base/error.ts";
import { readBlobs } from "../git/blobs.ts";
import { keepsRefsElsewhere } from "../git/head.ts";
import { listTree } from "../git/plumbing.ts";
import type { TreeEntry } from "../git/plumbing.ts";
import { readReference } from "../git/reference.ts";
import { readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { runGit } from "../git/run.ts";
import { admitRecord, MISSING_OBJECT } from "./admission.ts";
import type { AdmissionCode } from "./admission-codes.ts";
import { judgementKey, keepJudgements, recallJudgements } from "./admission-cache.ts";
import type { Judgement } from "./admission-cache.ts";
import { bounded, diagnostic } from "./diagnostic.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { LIMITS } from "./record.ts";
import { summariseRecord } from "./summary.ts";
import type { RecordSummary } from "./summary.ts";

/** Where records travel (records.md 14.10): a reference of its own, on no branch. */
export const STORE_REFERENCE = "refs/majordomus/continuity";

/** Where what a remote had at the last look is kept. */
export function trackingReference(remote: string): string {
  return `refs/majordomus/remotes/${remote}/continuity`;
}

const RECORD_PATH = /^records\/[0-9a-f]{32}\.json$/;
export const MAXIMUM_FILES = 10_000;

/** What a store is read with. */
export interface StorePlace {
  repository: Repository;
  /** 32 hex. */
  repositoryId: string;
  /** Where judgements are kept. */
  cache: string;
}

/** A file of the tree that is no record. */
export interface RefusedFile {
  path: string;
  code: AdmissionCode;
  message: string;
}

/** The records below one commit, all of them judged. */
export interface Store {
  tip: string | undefined;
  /** Admitted, by id. */
  records: ReadonlyMap<string, RecordSummary>;
  refused: readonly RefusedFile[];
  /** Paths where no record can be. */
  stray: readonly string[];
  /** Of the directory of records, as they stand. */
  entries: readonly TreeEntry[];
  /** Beside it, as they stand. */
  beside: readonly TreeEntry[];
  /** Why nothing may be added here: directories where only files can be. */
  nested: string | undefined;
}

const EMPTY: Store = {
  tip: undefined,
  records: new Map(),
  refused: [],
  stray: [],
  entries: [],
  beside: [],
  nested: undefined,
};

function notOurs(reference: string, message: string): MajordomusError {
  return new MajordomusError({
    code: "continuity.not_ours",
    exit: EXIT.finding,
    subject: reference,
    message,
    remedy: "nothing was changed; move that reference away, and records can be kept there again",
  });
}

/**
 * The commit that a reference of ours stands for.
 *
 * @throws MajordomusError 10 for a symbolic reference: writing to it would move what it leads to.
 */
export function readTip(repository: Repository, reference: string): string | undefined {
  const value = keepsRefsElsewhere(repository) ? undefined : readRef(repository, reference);
  if (value?.kind === "object") return value.id;
  if (value?.kind === "absent") return undefined;
  if (value?.kind === "symref" || runGit(repository, ["symbolic-ref", "-q", reference]).status === 0) {
    throw notOurs(reference, "leads to another reference");
  }
  return readReference(repository, reference);
}

interface Sorted {
  records: TreeEntry[];
  stray: string[];
  entries: TreeEntry[];
  beside: TreeEntry[];
  nested: string | undefined;
}

/** Parts a tree's listing into the directory of records and what stands beside it. */
function sortEntries(listing: readonly TreeEntry[]): Sorted {
  const sorted: Sorted = { records: [], stray: [], entries: [], beside: [], nested: undefined };
  for (const entry of listing) {
    const inside = entry.name.startsWith("records/");
    const name = inside ? entry.name.slice("records/".length) : entry.name;
    if (entry.type === "tree") {
      if (entry.name !== "records") sorted.nested ??= entry.name;
      continue;
    }
    // What lies in a directory that has no place here is not ours to carry.
    if (!name.includes("/")) (inside ? sorted.entries : sorted.beside).push({ ...entry, name });
    if (entry.type !== "blob") continue;
    if (RECORD_PATH.test(entry.name)) sorted.records.push(entry);
    else sorted.stray.push(entry.name);
  }
  return sorted;
}

/** What is known of each file, asked of git only where it was never judged before. */
function judgeFiles(place: StorePlace, files: readonly TreeEntry[]): Map<string, Judgement> {
  const wanted = new Map(
    files.map(({ id, name }) => [judgementKey({ path: name, blob: id }), { path: name, blob: id }]),
  );
  const { known, lines } = recallJudgements(place.cache, new Set(wanted.keys()));
  const asked = new Map<string, string[]>();
  for (const [key, { path, blob }] of wanted) {
    if (known.has(key)) continue;
    const paths = asked.get(blob);
    if (paths === undefined) asked.set(blob, [path]);
    else paths.push(path);
  }
  const fresh: Judgement[] = [];
  readBlobs(place.repository, [...asked.keys()], LIMITS.file * 2, (id, blob) => {
    for (const path of asked.get(id) ?? []) {
      const admission = admitRecord(path, blob, place.repositoryId);
      const judgement: Judgement = admission.ok
        ? { path, blob: id, summary: summariseRecord(id, admission.signed) }
        : { path, blob: id, code: admission.code, message: admission.message };
      // A missing object may come yet.
      if (blob.state !== "missing") fresh.push(judgement);
      else known.set(judgementKey(judgement), judgement);
    }
  });
  keepJudgements(place.cache, fresh, known, lines);
  for (const judgement of fresh) known.set(judgementKey(judgement), judgement);
  return known;
}

/** Stores of this process by their commit, which they cannot outlive: a second question costs nothing. */
const recent = new Map<string, Store>();
const REMEMBERED = 6;

/**
 * Reads and judges every record below a commit.
 *
 * @throws MajordomusError 10 where that is no tree of records, or one of more than ten thousand files.
 */
export function readStoreAt(
  place: StorePlace,
  tip: string | undefined,
  reference: string = STORE_REFERENCE,
): Store {
  if (tip === undefined) return EMPTY;
  const key = `${place.repository.commonDir}\0${place.repositoryId}\0${tip}`;
  const remembered = recent.get(key);
  if (remembered !== undefined) return remembered;
  let listing: TreeEntry[];
  try {
    listing = listTree(place.repository, tip);
  } catch (error) {
    throw notOurs(reference, `is not a commit of records: ${reasonOf(error)}`);
  }
  const files = listing.filter(({ type }) => type === "blob").length;
  if (files > MAXIMUM_FILES) throw notOurs(reference, `has ${files} files of at most ${MAXIMUM_FILES}`);
  const { records: paths, ...sorted } = sortEntries(listing);
  const judged = judgeFiles(place, paths);
  const records = new Map<string, RecordSummary>();
  const refused: RefusedFile[] = [];
  for (const { id, name } of paths) {
    const judgement = judged.get(judgementKey({ path: name, blob: id }));
    if (judgement === undefined) continue;
    if ("summary" in judgement) records.set(judgement.summary.id, judgement.summary);
    else refused.push({ path: name, code: judgement.code, message: judgement.message });
  }
  const store: Store = { tip, records, refused, ...sorted };
  // An object that is missing may come yet, and the commit would be the same.
  if (refused.every(({ message }) => message !== MISSING_OBJECT)) recent.set(key, store);
  const [oldest] = recent.keys();
  if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
  return store;
}

/** Reads and judges the records of this repository's own store. */
export function readStore(place: StorePlace): Store {
  return readStoreAt(place, readTip(place.repository, STORE_REFERENCE));
}

/** What a person should know of a store's files. */
export function storeFindings(store: Store): Diagnostic[] {
  const upgrade = store.refused.filter(({ code }) => code === "continuity.schema_too_new").length;
  return [
    ...bounded(store.refused.map(({ code, message, path }) => diagnostic("error", code, message, path))),
    ...bounded(
      store.stray.map((path) =>
        diagnostic(
          "warning",
          "continuity.stray_file",
          "is no place for a record",
          Buffer.from(path, "latin1").toString("utf8"),
        ),
      ),
    ),
    ...(upgrade === 0
      ? []
      : [
          diagnostic(
            "warning",
            "continuity.upgrade_required",
            `${upgrade} record(s) are of a later version; they are kept, and a later program reads them`,
          ),
        ]),
  ];
}
