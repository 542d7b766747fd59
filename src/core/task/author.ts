import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import type { HeldLock } from "../fs/lock.ts";
import { makeDirectory } from "../fs/write.ts";
import { authoredLine } from "../text/authored.ts";

/** On whose behalf something is written. */
export interface Author {
  /** The open episode that the ledger line is stamped with; nobody's line otherwise. */
  session?: string | undefined;
  /** A hook: what cannot be locked in time is put aside instead of failing. */
  deferrable?: boolean;
}

/**
 * Does something to one of this store's files under its lock.
 *
 * @throws LockTimeout when another process holds it for too long.
 */
export function underLock<Value>(
  checkout: Pick<Checkout, "layout" | "patience">,
  name: "decisions" | "questions" | "task",
  action: (lock: HeldLock) => Value,
): Value {
  makeDirectory(checkout.layout.locks);
  return withPatientLock(join(checkout.layout.locks, name), checkout.patience, action);
}

/** An argument that cannot be taken as it is: exit status 2, nothing is written. */
export function badArgument(subject: string, message: string, remedy?: string): MajordomusError {
  return new MajordomusError({
    code: "argument",
    exit: EXIT.usage,
    subject,
    message,
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/**
 * A value that becomes one line of a file: line breaks folded, controls removed.
 *
 * @throws MajordomusError 2 when nothing is left, or when it would open a comment that hides what follows.
 */
export function oneLine(subject: string, text: string): string {
  const line = authoredLine(text);
  if (line === "") throw badArgument(subject, "is empty");
  if (line.includes("<!--")) {
    throw badArgument(subject, "may not contain `<!--`", "readers would take what follows for a comment");
  }
  return line;
}

/** Like {@link oneLine}, for a value that may be left out; an empty one is left out too. */
export function optionalLine(subject: string, text: string | undefined): string | undefined {
  return text === undefined || authoredLine(text) === "" ? undefined : oneLine(subject, text);
}

/** An addition that readers would not see: something above it in the file swallows it. */
export function hidden(path: string): MajordomusError {
  return new MajordomusError({
    code: "store.hides",
    exit: EXIT.finding,
    subject: path,
    message: "what is added would stand inside an HTML comment and be ignored by every reader",
    remedy: "close the comment above with `-->`",
  });
}
