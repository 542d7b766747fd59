import { MISSING_OBJECT } from "./admission.ts";
import type { AdmissionCode } from "./admission-codes.ts";
import { judgementKey } from "./admission-cache.ts";
import type { Judgement } from "./admission-cache.ts";
import { bounded, diagnostic } from "./diagnostic.ts";
import type { Diagnostic } from "./diagnostic.ts";
import { judgeFiles, judgeFilesAside, judgeWritten } from "./judge-files.ts";
import type { StorePlace, WrittenFile } from "./judge-files.ts";
import { recallOwnTree } from "./own-tree.ts";
import { listStoreFiles, partOwnTree, readTip } from "./store-files.ts";
import type { StoreFiles } from "./store-files.ts";
import type { RecordSummary } from "./summary.ts";

/** Where records travel (records.md 14.10): a reference of its own, on no branch. */
export const STORE_REFERENCE = "refs/majordomus/continuity";

/** Where what a remote had at the last look is kept. */
export function trackingReference(remote: string): string {
  return `refs/majordomus/remotes/${remote}/continuity`;
}

/** A file of the tree that is no record. */
export interface RefusedFile {
  path: string;
  code: AdmissionCode;
  message: string;
}

/** The records below one commit, all of them judged. */
export interface Store extends Omit<StoreFiles, "files"> {
  tip: string | undefined;
  /** Admitted, by id. */
  records: ReadonlyMap<string, RecordSummary>;
  refused: readonly RefusedFile[];
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

/** Stores of this process by their commit, which they cannot outlive: a second question costs nothing. */
const recent = new Map<string, Store>();
const REMEMBERED = 6;

function memoryKey({ repository, repositoryId }: StorePlace, tip: string): string {
  return `${repository.commonDir}\0${repositoryId}\0${tip}`;
}

function assemble(
  tip: string,
  { files, ...rest }: StoreFiles,
  judged: ReadonlyMap<string, Judgement>,
): Store {
  const records = new Map<string, RecordSummary>();
  const refused: RefusedFile[] = [];
  for (const { id, name } of files) {
    const judgement = judged.get(judgementKey({ path: name, blob: id }));
    if (judgement === undefined) continue;
    if ("summary" in judgement) records.set(judgement.summary.id, judgement.summary);
    else refused.push({ path: name, code: judgement.code, message: judgement.message });
  }
  return { tip, records, refused, ...rest };
}

function remember(place: StorePlace, tip: string, store: Store): Store {
  // An object that is missing may come yet, and the commit would be the same.
  if (store.refused.some(({ message }) => message === MISSING_OBJECT)) return store;
  recent.set(memoryKey(place, tip), store);
  const [oldest] = recent.keys();
  if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest);
  return store;
}

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
  const remembered = recent.get(memoryKey(place, tip));
  if (remembered !== undefined) return remembered;
  const files = listStoreFiles(place.repository, tip, reference);
  return remember(place, tip, assemble(tip, files, judgeFiles(place, files.files)));
}

/** Reads and judges the records of this repository's own store. */
export function readStore(place: StorePlace): Store {
  return readStoreAt(place, readTip(place.repository, STORE_REFERENCE));
}

/**
 * Remembers the store as it is after files were added to it: git has told that they stand, and nobody need ask again.
 *
 * @param before the store that they were added to
 * @param files in a record's place, none of which stood there before
 */
export function rememberAdded(
  place: StorePlace,
  before: Store,
  tip: string,
  files: readonly WrittenFile[],
): void {
  const records = new Map(before.records);
  const refused = [...before.refused];
  for (const judgement of judgeWritten(place, files)) {
    if ("summary" in judgement) records.set(judgement.summary.id, judgement.summary);
    else refused.push({ path: judgement.path, code: judgement.code, message: judgement.message });
  }
  const added = files.map(({ entry }) => ({ ...entry, name: entry.name.slice("records/".length) }));
  // In the order in which git lists them.
  const byName = (a: string, b: string): number => (a < b ? -1 : 1);
  remember(place, tip, {
    ...before,
    tip,
    records: new Map([...records].toSorted(([a], [b]) => byName(a, b))),
    refused,
    entries: [...before.entries, ...added].toSorted((a, b) => byName(a.name, b.name)),
  });
}

/**
 * Judges what lies below a reference ahead of the question, so that {@link readStoreAt} finds it done: the
 * same judgement, faster where there is much that was never judged.
 *
 * @throws as {@link readStoreAt}.
 */
export async function judgeAhead(place: StorePlace, reference: string = STORE_REFERENCE): Promise<void> {
  const tip = readTip(place.repository, reference);
  if (tip === undefined || recent.has(memoryKey(place, tip))) return;
  await judgeTip(place, tip, listStoreFiles(place.repository, tip, reference));
}

/**
 * The same of this repository's own store, for who adds to it: git is not asked about a tree that was made here
 * last, and refuses to add to one that it has lost.
 */
export async function judgeForAdding(place: StorePlace): Promise<void> {
  const tip = readTip(place.repository, STORE_REFERENCE);
  if (tip === undefined || recent.has(memoryKey(place, tip))) return;
  const own = recallOwnTree(place, tip);
  if (own === undefined) await judgeAhead(place);
  else await judgeTip(place, tip, partOwnTree(own));
}

async function judgeTip(place: StorePlace, tip: string, files: StoreFiles): Promise<void> {
  remember(place, tip, assemble(tip, files, await judgeFilesAside(place, files.files)));
}

/** What a later version wrote is as it should be; only this program is not. */
function severityOf(code: AdmissionCode): Diagnostic["severity"] {
  return code === "continuity.schema_too_new" ? "warning" : "error";
}

/** What a person should know of a store's files. */
export function storeFindings(store: Store): Diagnostic[] {
  const upgrade = store.refused.filter(({ code }) => code === "continuity.schema_too_new").length;
  return [
    ...bounded(
      store.refused.map(({ code, message, path }) => diagnostic(severityOf(code), code, message, path)),
    ),
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
