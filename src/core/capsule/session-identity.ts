/** Which session this is, by the only authority there is: the hook's own payload (capsules.md 5.4). */
export interface BootSession {
  session_id: string;
  /** Where the id came from, and what the receipt said to it. */
  source: string;
  receipt_check: "match" | "mismatch" | "receipt-unavailable";
  /** The overridden id on disk, on a mismatch. */
  receipt_session_id?: string;
}

/**
 * Decides which session this is. Capsule text is no input: a session id in it is history. An id that is not a
 * string is invalid, never turned into one; a receipt alone is never an authority.
 *
 * @param hookId the payload's own field, whatever it holds.
 * @param receiptId what the receipt on disk names.
 * @returns null when no authoritative id was supplied.
 */
export function identifyBoot(hookId: unknown, receiptId: string | undefined): BootSession | null {
  const id = typeof hookId === "string" ? hookId.trim() : "";
  if (id === "") return null;
  if (receiptId === undefined) {
    return {
      session_id: id,
      source: "SessionStart hook; no boot receipt to compare with",
      receipt_check: "receipt-unavailable",
    };
  }
  if (receiptId === id) {
    return { session_id: id, source: "SessionStart hook; the boot receipt agrees", receipt_check: "match" };
  }
  return {
    session_id: id,
    source: "SessionStart hook; the boot receipt disagrees and is overridden",
    receipt_check: "mismatch",
    receipt_session_id: receiptId,
  };
}
