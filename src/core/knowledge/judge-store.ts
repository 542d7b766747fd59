import { basename, join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listDirectory } from "../fs/read.ts";
import type { Finding } from "../labels/terms.ts";
import { shelfDirectory } from "../records/knowledge-store.ts";
import type { KnowledgeFile } from "../records/knowledge-store.ts";
import { SupersessionChains } from "./chain.ts";
import { referencesOf, shownReference } from "./evidence.ts";
import { faultsOf } from "./rules.ts";
import { verifyRecord } from "./signature.ts";
import { readStore } from "./view.ts";
import type { ReadStore } from "./view.ts";

export const CATEGORY = "knowledge";
const CHECK = "majordomus knowledge check";

function finding(level: Finding["level"], subject: string, message: string): Finding {
  return { level, category: CATEGORY, subject, message, reproduce: CHECK };
}

/** What a superseded record rested on may go with it. */
function judgeEvidence(store: ReadStore, file: KnowledgeFile): Finding[] {
  const level = file.record.status === "superseded" ? "WARN" : "FAIL";
  return referencesOf(file.record).flatMap((reference): Finding[] => {
    const { state, reason } = store.evidence.of(reference);
    const message = `evidence ${shownReference(reference)} does not resolve: ${reason}`;
    if (state === "dangling") return [finding(level, file.stem, message)];
    return state === "unknown" ? [finding("WARN", file.stem, message)] : [];
  });
}

/** A record that was superseded after it was signed has other bytes by its nature; any other may not. */
function judgeSignature(checkout: Checkout, file: KnowledgeFile): Finding[] {
  const { state, reason } = verifyRecord(checkout, file.path);
  if (state !== "invalid") return [];
  const level = file.record.status === "superseded" ? "WARN" : "FAIL";
  return [finding(level, file.stem, `signature: ${reason}`)];
}

function judgeRecord(
  checkout: Checkout,
  store: ReadStore,
  chains: SupersessionChains,
  file: KnowledgeFile,
): Finding[] {
  const fault = chains.faultOf(file.stem);
  return [
    ...faultsOf(file).map((clause) => finding("FAIL", file.stem, clause)),
    ...(fault === null ? [] : [finding("FAIL", file.stem, fault)]),
    ...judgeEvidence(store, file),
    ...judgeSignature(checkout, file),
    ...chains
      .onesidedOf(file)
      .map((id) => finding("WARN", file.stem, `relations: supersedes ${id}, which does not say so`)),
    ...file.record.unknown.map((key) =>
      finding("WARN", file.stem, `${key}: a key that this version does not know`),
    ),
  ];
}

/** Signatures whose record is not there. */
function strayed(checkout: Checkout, store: ReadStore): Finding[] {
  const directory = shelfDirectory(checkout, "curated");
  const stems = new Set(store.files.filter(({ shelf }) => shelf === "curated").map(({ stem }) => stem));
  return listDirectory(directory)
    .filter((name) => name.endsWith(".sig") && !stems.has(basename(name, ".sig")))
    .map((name) => finding("WARN", shownPath(checkout.root, join(directory, name)), "signs no record"));
}

/**
 * The integrity of every record of the store: schema, identity, vocabulary, evidence, supersession from both
 * ends, signatures, no words of a conversation. At most one git process.
 *
 * @param onEach told before each record, for progress
 */
export function judgeStore(
  checkout: Checkout,
  onEach: (done: number, total: number, id: string) => void = () => undefined,
): { records: number; findings: Finding[] } {
  const store = readStore(checkout);
  const chains = new SupersessionChains(store);
  const shelves = new Map<string, number>();
  for (const { stem } of store.files) shelves.set(stem, (shelves.get(stem) ?? 0) + 1);
  const findings = store.skipped.map(({ path, reason }) =>
    finding("FAIL", shownPath(checkout.root, path), reason),
  );
  for (const [id, count] of shelves) {
    if (count > 1)
      findings.push(finding("FAIL", id, "id: stands among the candidates and among the curated"));
  }
  for (const [done, file] of store.files.entries()) {
    onEach(done, store.files.length, file.stem);
    findings.push(...judgeRecord(checkout, store, chains, file));
  }
  findings.push(...strayed(checkout, store));
  return { records: store.files.length, findings };
}
