import { verifyMessageAside } from "../device/signing.ts";
import { readBlobs } from "../git/blobs.ts";
import type { Blob } from "../git/blobs.ts";
import type { TreeEntry } from "../git/object-pack.ts";
import type { Repository } from "../git/repository.ts";
import { admitRecord, concludeRecord, examineRecord } from "./admission.ts";
import type { Admission } from "./admission.ts";
import { judgementKey, keepJudgements, recallJudgements } from "./admission-cache.ts";
import type { Judgement } from "./admission-cache.ts";
import { LIMITS } from "./record.ts";
import { summariseRecord } from "./summary.ts";

/** What a store is read with. */
export interface StorePlace {
  repository: Repository;
  /** 32 hex. */
  repositoryId: string;
  /** Where judgements are kept. */
  cache: string;
}

const LARGEST = LIMITS.file * 2;
/** Files that are in work beside this thread at a time, twice. */
const ASIDE = 1_000;

/** What was judged before, and which blobs are left, with the paths that they stand at. */
interface Docket {
  known: Map<string, Judgement>;
  lines: number;
  left: Map<string, string[]>;
}

function openDocket(place: StorePlace, files: readonly TreeEntry[]): Docket {
  const wanted = new Set(files.map(({ id, name }) => judgementKey({ path: name, blob: id })));
  const { known, lines } = recallJudgements(place.cache, wanted);
  const left = new Map<string, string[]>();
  for (const { id, name } of files) {
    if (known.has(judgementKey({ path: name, blob: id }))) continue;
    left.set(id, [...(left.get(id) ?? []), name]);
  }
  return { known, lines, left };
}

function judgementOf(path: string, blob: string, admission: Admission): Judgement {
  return admission.ok
    ? { path, blob, summary: summariseRecord(blob, admission.signed) }
    : { path, blob, code: admission.code, message: admission.message };
}

interface Judged {
  judgement: Judgement;
  /** True for good. */
  final: boolean;
}

/** Keeps what is true for good; an object that is missing may come yet. */
function closeDocket(
  place: StorePlace,
  { known, lines }: Docket,
  fresh: readonly Judged[],
): Map<string, Judgement> {
  const kept = fresh.filter(({ final }) => final).map(({ judgement }) => judgement);
  keepJudgements(place.cache, kept, known, lines);
  for (const { judgement } of fresh) known.set(judgementKey(judgement), judgement);
  return known;
}

/** Judges files of a store, asking git and the crypto only for those that were never judged before; by key. */
export function judgeFiles(place: StorePlace, files: readonly TreeEntry[]): Map<string, Judgement> {
  const docket = openDocket(place, files);
  const fresh: Judged[] = [];
  readBlobs(place.repository, [...docket.left.keys()], LARGEST, (id, blob) => {
    for (const path of docket.left.get(id) ?? []) {
      const admission = admitRecord(path, blob, place.repositoryId);
      fresh.push({ judgement: judgementOf(path, id, admission), final: blob.state !== "missing" });
    }
  });
  return closeDocket(place, docket, fresh);
}

/** A file of a store with its bytes, as they were just written. */
export interface WrittenFile {
  entry: TreeEntry;
  bytes: Buffer;
}

/** Judges files that were just written by their bytes, which need not be read again. */
export function judgeWritten(place: StorePlace, files: readonly WrittenFile[]): Judgement[] {
  const fresh = files.map(({ entry: { id, name }, bytes }) =>
    judgementOf(name, id, admitRecord(name, { state: "read", bytes }, place.repositoryId)),
  );
  keepJudgements(place.cache, fresh, new Map(), 0);
  return fresh;
}

async function admitAside(place: StorePlace, path: string, blob: Blob): Promise<Admission> {
  const examined = examineRecord(path, blob);
  if ("ok" in examined) return examined;
  const { public_key: publicKey, signature } = examined.signed;
  const holds = await verifyMessageAside(publicKey, examined.message, signature);
  return concludeRecord(examined, holds, place.repositoryId);
}

async function judgeAside(place: StorePlace, path: string, id: string, blob: Blob): Promise<Judged> {
  const admission = await admitAside(place, path, blob);
  return { judgement: judgementOf(path, id, admission), final: blob.state !== "missing" };
}

/** The same, with the signatures verified beside this thread, which takes a third of the time of many. */
export async function judgeFilesAside(
  place: StorePlace,
  files: readonly TreeEntry[],
): Promise<Map<string, Judgement>> {
  const docket = openDocket(place, files);
  const ids = [...docket.left.keys()];
  const fresh: Judged[] = [];
  let before: Promise<readonly Judged[]> = Promise.resolve([]);
  for (let start = 0; start < ids.length; start += ASIDE) {
    const works: Promise<Judged>[] = [];
    readBlobs(place.repository, ids.slice(start, start + ASIDE), LARGEST, (id, blob) => {
      for (const path of docket.left.get(id) ?? []) works.push(judgeAside(place, path, id, blob));
    });
    // One batch is verified while the next one is read.
    fresh.push(...(await before));
    before = Promise.all(works);
  }
  fresh.push(...(await before));
  return closeDocket(place, docket, fresh);
}
