import { EXIT, MajordomusError } from "../base/error.ts";
import { isCommitId } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { commitsBetween } from "../git/commits.ts";
import { indexDivergence } from "../git/divergence-index.ts";
import { labelDivergence } from "../labels/divergence.ts";
import { readRecordText } from "../records/record-file.ts";
import { findWorkingContext, parseWorkingContext } from "../records/working-context.ts";
import { ownOrRefuse } from "./own-or-refuse.ts";
import { homeOfSession } from "./home.ts";
import { recordPath } from "./seal.ts";
import type { SessionContextAnswer } from "./session-answers.ts";

function absent(subject: string, message: string): MajordomusError {
  return new MajordomusError({ code: "session.absent", exit: EXIT.missing, subject, message });
}

function commitsSince(checkout: Checkout, recorded: string): number | null {
  if (!isCommitId(recorded) || checkout.head === undefined) return null;
  const range = commitsBetween(checkout.repository, recorded, checkout.head);
  return range.state === "ok" ? range.commits.length : null;
}

/**
 * Where the working context of an episode lies, and how it stands to HEAD. A document that names no commit
 * is labelled `unknown` (records.md 3.4).
 *
 * @throws MajordomusError 12 when there is no such episode or no document of it, 10 for one that cannot be read.
 */
export async function locateContext(
  asking: Checkout,
  named: string | undefined,
): Promise<SessionContextAnswer> {
  const sessionId = named ?? ownOrRefuse(asking, undefined).own?.sessionId;
  if (sessionId === undefined) throw absent("session", "none is open in this worktree");
  const checkout = await homeOfSession(asking, sessionId);
  const path = findWorkingContext(checkout.layout.contexts, sessionId);
  if (path === undefined) throw absent(sessionId, "has no working context here");
  const text = readRecordText(path);
  const document = text.ok ? parseWorkingContext(text.value) : text;
  if (!document.ok) {
    throw new MajordomusError({
      code: "session.context_unreadable",
      exit: EXIT.finding,
      subject: recordPath(checkout, path),
      message: document.error,
    });
  }
  const { branch, head } = document.value.identity;
  const commits = head !== undefined && isCommitId(head) ? [head] : [];
  const index = indexDivergence(checkout.repository, checkout.head, commits);
  const label =
    head === undefined
      ? "unknown"
      : labelDivergence({ branch, head }, checkout, (commit) => index.of(commit)).divergence;
  return {
    schema: 1,
    session_id: sessionId,
    path: recordPath(checkout, path),
    label,
    recorded_head: head ?? null,
    commits_since: head === undefined ? null : commitsSince(checkout, head),
    text: text.ok ? text.value : "",
  };
}
