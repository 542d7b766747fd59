import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { recordPath } from "../episode/seal.ts";
import { readRegularFile } from "../fs/read.ts";
import { makeDirectory, removeFile } from "../fs/write.ts";
import { commitFile } from "../git/commit-file.ts";
import { RECORD_MAXIMUM_BYTES } from "../records/record-file.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import type { Steps } from "./steps.ts";

const STAND_IN = { name: "Majordomus", email: "majordomus@localhost" };

/**
 * The step that commits the record of an episode that ended, where the policy says so
 * (`session.commit_record_on_end`): that path alone. What stands in its way is receipted, and the record lies
 * in the work tree as it does without the policy.
 */
export async function commitRecordStep(checkout: Checkout, sessionId: string, steps: Steps): Promise<void> {
  if (!checkout.settings.policy.session.commit_record_on_end) return;
  await steps.run("commit_record", (note) => {
    const reason = commitRecord(checkout, sessionId);
    if (reason !== undefined) note({ result: "skipped", reason });
  });
}

/** @returns why nothing was committed, where nothing was and should have been. */
function commitRecord(checkout: Checkout, sessionId: string): string | undefined {
  const path = findRecordOfSession(checkout.layout.sessions, sessionId);
  if (path === undefined) return "its record does not stand";
  const bytes = readRegularFile(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
  if (!bytes.ok) return `the record ${bytes.error.message}`;
  makeDirectory(checkout.common.cache);
  const scratch = join(checkout.common.cache, `index-${checkout.random.hex(8)}`);
  try {
    const outcome = commitFile(checkout.repository, {
      path: recordPath(checkout, path),
      bytes: bytes.value,
      message: `Record session ${sessionId}\n`,
      at: Math.floor(checkout.clock.now() / 1000),
      standIn: STAND_IN,
      scratch,
    });
    return outcome.state === "left" ? outcome.reason : undefined;
  } finally {
    removeFile(scratch);
  }
}
