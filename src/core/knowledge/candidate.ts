import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { stampOf } from "../fs/read.ts";
import { makeDirectory } from "../fs/write.ts";
import { sectionLines } from "../records/body-sections.ts";
import { knowledgePath, readKnowledgeFile } from "../records/knowledge-store.ts";
import type { KnowledgeFile, KnowledgeShelf } from "../records/knowledge-store.ts";
import { knowledgeLock } from "./derive.ts";
import { faultsOf } from "./rules.ts";

export function knowledgeError(
  code: string,
  exit: 2 | 10 | 12 | 13,
  subject: string,
  message: string,
): MajordomusError {
  return new MajordomusError({ code: `knowledge.${code}`, exit, subject, message });
}

/**
 * The record of an id on one shelf; undefined where there is no file.
 *
 * @throws MajordomusError 12 for text that is no id, 10 for a file that is no record.
 */
export function findOnShelf(
  checkout: Checkout,
  shelf: KnowledgeShelf,
  id: string,
): KnowledgeFile | undefined {
  const path = knowledgePath(checkout, shelf, id);
  if (stampOf(path) === undefined) return undefined;
  const file = readKnowledgeFile(path, shelf, id);
  if (file.ok) return file.value;
  throw knowledgeError("unreadable", EXIT.finding, shownPath(checkout.root, path), file.error);
}

/** Refuses a record that a person could not answer for: what is wrong with it is said. */
export function refuseFaulty(checkout: Checkout, file: KnowledgeFile): void {
  const [fault] = faultsOf(file);
  if (fault !== undefined) {
    throw knowledgeError("faulty", EXIT.finding, shownPath(checkout.root, file.path), fault);
  }
}

/** Refuses a record that is no candidate any more. */
export function refuseSettled(id: string, { record: { status } }: KnowledgeFile): void {
  if (status === "candidate") return;
  throw knowledgeError(
    "status",
    EXIT.finding,
    id,
    `is ${status === "" ? "of no status" : status}, not a candidate`,
  );
}

/** Does something while no candidate can be derived, promoted or rejected by another process. */
export function withKnowledge<Value>(checkout: Checkout, action: () => Value): Value {
  makeDirectory(checkout.layout.locks);
  return withPatientLock(knowledgeLock(checkout), checkout.patience, action);
}

/** Whether a record says under a heading what a person says again: the same act, brought to its end. */
export function alreadySays(file: KnowledgeFile, section: "Evidence" | "Rejected", words: string): boolean {
  const said = sectionLines(file.record.body, section)?.join("\n");
  return said !== undefined && said === words;
}
