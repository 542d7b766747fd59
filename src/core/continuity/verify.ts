import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { isCommitId } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readBlobs } from "../git/blobs.ts";
import { hasCommit } from "../git/plumbing.ts";
import { admitRecord, recordPath } from "./admission.ts";
import type { Admission } from "./admission.ts";
import type { StorePlace } from "./judge-files.ts";
import { openStore } from "./place.ts";
import { LIMITS } from "./record.ts";
import type { SignedRecord } from "./record.ts";
import { readStore, STORE_REFERENCE } from "./store.ts";
import type { Store } from "./store.ts";

const text = z.string();

export const VerifyInput = z.strictObject({ record: z.optional(text) });

/** One record of a chain that was proved from its bytes. */
const Link = z.object({
  record: text,
  path: text,
  /** The git object of its bytes. */
  blob: text,
  holds: z.boolean(),
  code: z.optional(text),
  message: z.optional(text),
  device: z.optional(z.object({ node: text, label: text })),
  public_key: z.optional(text),
  published_at: z.optional(text),
  branch: z.optional(text),
  /** The commit that was signed with it. */
  head: z.optional(text),
  /** Whether that commit is in this clone. */
  head_here: z.optional(z.boolean()),
  /** The digest of the handover's body, and its file name where it was written. */
  handover: z.optional(z.object({ id: text, name: z.optional(text) })),
});
type Link = z.infer<typeof Link>;

export const VerifyAnswer = z.object({
  holds: z.boolean(),
  reference: text,
  tip: z.optional(text),
  /** 32 hex, of this repository. */
  repository: text,
  /** How many records were proved, or tried. */
  records: z.int(),
  /** The first thing that does not hold. */
  broken: z.optional(z.object({ record: text, code: text, message: text })),
  /** From the named record back to the first of its line. */
  chain: z.optional(z.array(Link)),
});
export type VerifyAnswer = z.infer<typeof VerifyAnswer>;

const RECORD_NAME = /^([0-9a-f]{32})\.json$/;

/** The records' files by id, as the tree has them; what was judged before does not count here. */
function filesOf(store: Store): Map<string, string> {
  return new Map(
    store.entries.flatMap(({ type, name, id }) => {
      const stem = type === "blob" ? RECORD_NAME.exec(name)?.[1] : undefined;
      return stem === undefined ? [] : [[stem, id] as const];
    }),
  );
}

function proveAll(
  place: StorePlace,
  files: ReadonlyMap<string, string>,
  ids: readonly string[],
): Map<string, Admission> {
  const byBlob = new Map<string, string[]>();
  for (const id of ids) {
    const blob = files.get(id);
    if (blob !== undefined) byBlob.set(blob, [...(byBlob.get(blob) ?? []), id]);
  }
  const proved = new Map<string, Admission>();
  readBlobs(place.repository, [...byBlob.keys()], LIMITS.file * 2, (blob, content) => {
    for (const id of byBlob.get(blob) ?? [])
      proved.set(id, admitRecord(recordPath(id), content, place.repositoryId));
  });
  return proved;
}

interface Fault {
  record: string;
  code: string;
  message: string;
}

/** A reference that holds other things and no record was moved by somebody: what it held before is gone from it. */
function strayFault({ stray, records, refused }: Store): Fault | undefined {
  const [path] = stray;
  if (path === undefined || records.size > 0 || refused.length > 0) return undefined;
  const more = stray.length === 1 ? "" : `, and ${stray.length - 1} more`;
  const message = `holds ${Buffer.from(path, "latin1").toString("utf8")}${more}, which is no place for a record`;
  return { record: STORE_REFERENCE, code: "continuity.stray_file", message };
}

/** What is wrong with the link between a record and the one that it says it goes on from. */
function linkFault(signed: SignedRecord, parent: Admission | undefined): Fault | undefined {
  const { id, record } = signed;
  if (record.parent === undefined) return undefined;
  if (parent === undefined) {
    const message = `continues ${record.parent}, which is not in this store`;
    return { record: id, code: "continuity.dangling_parent", message };
  }
  if (!parent.ok) return { record: record.parent, code: parent.code, message: parent.message };
  const line = parent.signed.record.line ?? parent.signed.id;
  if (line === record.line) return undefined;
  const message = `names line ${record.line ?? ""}, its parent is of ${line}`;
  return { record: id, code: "continuity.broken_lineage", message };
}

function linkOf(id: string, blob: string, admission: Admission | undefined): Link {
  const base = { record: id, path: recordPath(id), blob };
  if (admission === undefined || !admission.ok) {
    const code = admission?.code ?? "continuity.record_malformed";
    return { ...base, holds: false, code, message: admission?.message ?? "cannot be read" };
  }
  const { record, public_key: publicKey } = admission.signed;
  const { branch, head } = record.source;
  const { id: handover, name } = record.handover;
  return {
    ...base,
    holds: true,
    device: record.device,
    public_key: publicKey,
    published_at: record.published_at,
    ...(branch === undefined ? {} : { branch }),
    ...(head === undefined ? {} : { head }),
    handover: { id: handover, ...(name === undefined ? {} : { name }) },
  };
}

/** Proves a record and everything that it goes on from, back to the first of its line. */
function proveChain(
  place: StorePlace,
  store: Store,
  files: ReadonlyMap<string, string>,
  id: string,
): { chain: Link[]; broken: Fault | undefined } {
  const chain: Link[] = [];
  const hint: string[] = [];
  for (let next: string | undefined = id; next !== undefined && hint.length <= files.size;) {
    hint.push(next);
    next = store.records.get(next)?.parent;
  }
  const proved = proveAll(place, files, hint);
  const prove = (wanted: string): Admission | undefined =>
    proved.get(wanted) ?? proveAll(place, files, [wanted]).get(wanted);
  const seen = new Set<string>();
  for (let current = id; ;) {
    const admission = prove(current);
    const link = linkOf(current, files.get(current) ?? "", admission);
    chain.push(link);
    seen.add(current);
    if (admission === undefined || !admission.ok) {
      const { code = "", message = "" } = link;
      return { chain, broken: { record: current, code, message } };
    }
    const { parent } = admission.signed.record;
    if (parent === undefined) return { chain, broken: undefined };
    if (seen.has(parent)) {
      const message = "goes on from itself";
      return { chain, broken: { record: current, code: "continuity.broken_lineage", message } };
    }
    const fault = linkFault(admission.signed, prove(parent));
    if (fault !== undefined && fault.record !== parent) {
      chain[chain.length - 1] = { ...link, holds: false, code: fault.code, message: fault.message };
      return { chain, broken: fault };
    }
    current = parent;
  }
}

function nameOne(files: ReadonlyMap<string, string>, given: string): string {
  const prefix = given.trim().toLowerCase();
  const named = /^[0-9a-f]{1,32}$/.test(prefix)
    ? [...files.keys()].filter((id) => id.startsWith(prefix))
    : [];
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  throw new MajordomusError({
    code: only === undefined ? "continuity.record_unknown" : "continuity.record_ambiguous",
    exit: only === undefined ? EXIT.missing : EXIT.usage,
    subject: given,
    message: only === undefined ? "names no file of this store" : `begins ${named.length} records`,
    remedy: "`majordomus continuity records` lists them",
  });
}

/**
 * Proves records from the reference alone, offline: that each was written by its key, at its commit, in this
 * repository, and that its chain to the first record of its line is whole. What was judged before is not believed,
 * and no key of this machine is asked for.
 *
 * @param request a record by its first digits; all records where none is named.
 * @throws MajordomusError 12 or 2 where no one file is named.
 */
export function verifyRecords(checkout: Checkout, request: { record?: string | undefined }): VerifyAnswer {
  const place = openStore(checkout);
  const store = readStore(place);
  const files = filesOf(store);
  const base = {
    reference: STORE_REFERENCE,
    ...(store.tip === undefined ? {} : { tip: store.tip }),
    repository: place.repositoryId,
  };
  if (request.record !== undefined) {
    const { chain, broken } = proveChain(place, store, files, nameOne(files, request.record));
    const commits = new Map<string, boolean>();
    const links = chain.map((link) => {
      const { head } = link;
      if (head === undefined || !isCommitId(head)) return link;
      const here = commits.get(head) ?? hasCommit(place.repository, head);
      commits.set(head, here);
      return { ...link, head_here: here };
    });
    return {
      holds: broken === undefined,
      ...base,
      records: chain.length,
      ...(broken === undefined ? {} : { broken }),
      chain: links,
    };
  }
  const proved = proveAll(place, files, [...files.keys()]);
  let broken = strayFault(store);
  for (const [id, admission] of proved) {
    const fault = admission.ok
      ? linkFault(admission.signed, proved.get(admission.signed.record.parent ?? ""))
      : { record: id, code: admission.code, message: admission.message };
    broken ??= fault;
  }
  return {
    holds: broken === undefined,
    ...base,
    records: proved.size,
    ...(broken === undefined ? {} : { broken }),
  };
}
