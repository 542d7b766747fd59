import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { recordPath } from "../episode/seal.ts";
import { readRegularFile } from "../fs/read.ts";
import { isLockTimeout, withLock } from "../fs/lock.ts";
import { pause } from "../fs/pause.ts";
import { makeDirectory, removeFile } from "../fs/write.ts";
import { commitFile } from "../git/commit-file.ts";
import type { Persistence } from "../git/commit-file.ts";
import { RECORD_MAXIMUM_BYTES } from "../records/record-file.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { isAsSealed, oweCommit, owedCommits, settleCommit } from "./owed-commits.ts";
import type { Steps } from "./steps.ts";

const STAND_IN = { name: "Majordomus", email: "majordomus@localhost" };

/** How old the event may be when another attempt begins, or another record's turn: a hook has two seconds in all. */
const EVENT_MILLISECONDS = 1500;
const TURN_MILLISECONDS = 700;
/** Git itself waits a tenth of a second for a branch that is held. */
const ATTEMPTS = 5;
/** What git needs for one attempt must be left of what the hook's runs of git may cost. */
const GIT_MILLISECONDS = 150;
const LONGEST_REST = 80;

/**
 * The step that commits the record of an episode that ended, where the policy says so
 * (`session.commit_record_on_end`): that path alone. What stands in its way is receipted, and the record lies
 * in the work tree as it does without the policy, until a later end commits it too.
 */
export async function commitRecordStep(checkout: Checkout, sessionId: string, steps: Steps): Promise<void> {
  const left = (): number => Math.max(0, EVENT_MILLISECONDS - steps.elapsed);
  await steps.run("commit_record", (note) => {
    const reason = commitInTurn(checkout, sessionId, left);
    if (reason !== undefined) note({ result: "skipped", reason });
  });
}

/**
 * Commits the record, and those that an earlier end owed. Ends that come together take turns, so that they
 * build upon each other's commits. The turn is a courtesy: git guards the branch, and who has waited long
 * enough tries without.
 *
 * @returns why the record was not committed, where it was not and should have been
 */
function commitInTurn(checkout: Checkout, sessionId: string, left: () => number): string | undefined {
  const { common, repository } = checkout;
  const inTime = (): boolean =>
    left() > 0 && (repository.allowance?.remaining() ?? Infinity) > GIT_MILLISECONDS;
  const commit = (): string | undefined => {
    const reason = commitRecord(checkout, sessionId, inTime, false);
    const owed = reason === undefined ? owedCommits(checkout) : [];
    for (const other of owed) if (inTime()) commitRecord(checkout, other, inTime, true);
    return reason;
  };
  oweCommit(checkout, sessionId);
  makeDirectory(common.locks, 0o700);
  try {
    return withLock(
      join(common.locks, "commit-record"),
      { waitMilliseconds: Math.min(TURN_MILLISECONDS, left()) },
      commit,
    );
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return commit();
  }
}

function persistenceFor({ random }: Checkout, inTime: () => boolean): Persistence {
  let attempts = 1;
  return {
    mayGoOn: () => {
      attempts += 1;
      return attempts <= ATTEMPTS && inTime();
    },
    rest: () => pause(1 + (Number.parseInt(random.hex(3), 16) % LONGEST_REST)),
  };
}

function commitRecord(
  checkout: Checkout,
  sessionId: string,
  inTime: () => boolean,
  owed: boolean,
): string | undefined {
  const path = findRecordOfSession(checkout.layout.sessions, sessionId);
  const bytes =
    path === undefined ? undefined : readRegularFile(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
  if (path === undefined || bytes === undefined) {
    settleCommit(checkout, sessionId);
    return "its record does not stand";
  }
  if (!bytes.ok) return `the record ${bytes.error.message}`;
  if (owed && !isAsSealed(checkout, path, bytes.value)) {
    settleCommit(checkout, sessionId);
    return "somebody has changed it";
  }
  const scratch = join(checkout.common.cache, `index-${checkout.random.hex(8)}`);
  const file = {
    path: recordPath(checkout, path),
    bytes: bytes.value,
    message: `Record session ${sessionId}\n`,
    at: Math.floor(checkout.clock.now() / 1000),
    standIn: STAND_IN,
    scratch,
  };
  try {
    const outcome = commitFile(checkout.repository, file, persistenceFor(checkout, inTime));
    if (outcome.state === "left") return outcome.reason;
    settleCommit(checkout, sessionId);
    return undefined;
  } finally {
    removeFile(scratch);
  }
}
