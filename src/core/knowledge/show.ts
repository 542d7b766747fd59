import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listKnowledge } from "../records/knowledge-store.ts";
import type { KnowledgeFile, KnowledgeStore } from "../records/knowledge-store.ts";
import type { ShowAnswer } from "./answers.ts";
import { SupersessionChains } from "./chain.ts";
import { referencesOf } from "./evidence.ts";
import { verifyRecord } from "./signature.ts";
import { readStore } from "./view.ts";

/**
 * The record of an id, the curated one where both shelves have it.
 *
 * @throws MajordomusError 12 where there is none, 10 where what stands in its place is none.
 */
export function findRecord(checkout: Checkout, id: string, store?: KnowledgeStore): KnowledgeFile {
  const { files, skipped } = store ?? listKnowledge(checkout);
  const file = files.findLast(({ stem }) => stem === id);
  if (file !== undefined) return file;
  const broken = skipped.find(({ path }) => path.endsWith(`/${id}.md`));
  throw new MajordomusError({
    code: broken === undefined ? "knowledge.absent" : "knowledge.unreadable",
    exit: broken === undefined ? EXIT.missing : EXIT.finding,
    subject: broken === undefined ? id : shownPath(checkout.root, broken.path),
    message: broken === undefined ? "no such knowledge record here" : broken.reason,
    ...(broken === undefined ? { remedy: "`majordomus knowledge candidates` lists what awaits review" } : {}),
  });
}

/** One record whole: its text, its evidence as it stands now, its signature, and its chain from either end. */
export function showRecord(checkout: Checkout, id: string): ShowAnswer {
  const store = readStore(checkout, ({ stem }) => stem === id);
  const file = findRecord(checkout, id, store);
  const chains = new SupersessionChains(store);
  const link = ({ stem, record, path }: KnowledgeFile): ShowAnswer["supersedes"][number] => ({
    id: stem,
    title: record.title,
    status: record.status,
    path: shownPath(checkout.root, path),
  });
  return {
    schema: 1,
    record: {
      ...store.view(file),
      shelf: file.shelf,
      tags: file.record.tags,
      origin: file.record.origin,
      superseded_by: file.record.supersededBy === "" ? null : file.record.supersededBy,
      text: file.text,
    },
    evidence: referencesOf(file.record).map((reference) => store.evidence.of(reference)),
    signature: verifyRecord(checkout, file.path),
    supersedes: chains.before(id).map(link),
    superseded_by: chains.after(id).map(link),
    chain_fault: chains.faultOf(id),
  };
}
