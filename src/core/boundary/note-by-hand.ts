import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { appendLines } from "../fs/append.ts";
import { readRecordText } from "../records/record-file.ts";
import { findWorkingContext, formatNote, parseWorkingContext } from "../records/working-context.ts";
import { authoredText } from "../text/authored.ts";
import { episodeHere } from "./work-by-hand.ts";

function refuse(
  code: string,
  exit: typeof EXIT.missing | typeof EXIT.refused | typeof EXIT.usage,
  subject: string,
  message: string,
): MajordomusError {
  return new MajordomusError({ code, exit, subject, message });
}

/**
 * Appends a note to the working context of this process's episode (records.md 3.7): what stands there is never
 * rewritten.
 *
 * @throws MajordomusError 2 for an empty note, 12 without an episode or a document, 15 once it is closed.
 */
export function noteInContext(checkout: Checkout, given: string): { session_id: string; path: string } {
  const note = authoredText(given).trim();
  if (note === "") throw refuse("note.empty", EXIT.usage, "note", "is empty");
  const own = episodeHere(checkout);
  if (own === undefined)
    throw refuse("session.absent", EXIT.missing, "session", "none is open in this worktree");
  const path = findWorkingContext(checkout.layout.contexts, own.sessionId);
  if (path === undefined) {
    throw refuse("session.absent", EXIT.missing, own.sessionId, "has no working context here");
  }
  const text = readRecordText(path);
  const document = text.ok ? parseWorkingContext(text.value) : text;
  if (document.ok && document.value.closed) {
    throw refuse(
      "session.closed",
      EXIT.refused,
      own.sessionId,
      "is closed: its working context takes no notes",
    );
  }
  appendLines(path, formatNote(note).replace(/\n$/, "").split("\n"));
  return { session_id: own.sessionId, path: shownPath(checkout.root, path) };
}
