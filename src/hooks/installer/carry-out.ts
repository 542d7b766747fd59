import { join } from "node:path";
import { EXIT, MajordomusError } from "../../core/base/error.ts";
import { commonPaths } from "../../core/checkout/common.ts";
import { LockTimeout, withLock } from "../../core/fs/lock.ts";
import { refuseFollowed } from "../../core/fs/linked.ts";
import { makeDirectory } from "../../core/fs/write.ts";
import { applyEdits } from "./apply-edits.ts";
import type { EditAction, FileEdit } from "./edit.ts";

/** What became of one file, for people. */
export interface FileChange {
  path: string;
  /** Where the change really lies, when `path` is a symbolic link. */
  target?: string;
  action: EditAction;
  note?: string;
}

const LOCK_WAIT = 5000;

/**
 * Plans and carries out an installation, or its undoing, while nobody else does.
 *
 * @throws MajordomusError 10, 15 for what the plan refuses, before anything is written; 13 while another
 *   installation is under way.
 */
export function carryOut(commonDirectory: string, plan: () => FileEdit[]): FileChange[] {
  const { root, installed, locks } = commonPaths(commonDirectory);
  // What will be refused is refused before even a lock is made.
  plan();
  refuseFollowed([root, installed, locks]);
  makeDirectory(locks);
  try {
    return withLock(join(locks, "installed"), { waitMilliseconds: LOCK_WAIT }, () => {
      const edits = plan();
      applyEdits(edits, installed);
      return edits.map(changeOf);
    });
  } catch (error) {
    if (!(error instanceof LockTimeout)) throw error;
    throw new MajordomusError({
      code: "hooks.busy",
      exit: EXIT.internal,
      subject: error.path,
      message: "another installation is under way",
      remedy: "try again",
      cause: error,
    });
  }
}

function changeOf({ file, action, note }: FileEdit): FileChange {
  return {
    path: file.path,
    action,
    ...(file.target !== file.path && { target: file.target }),
    ...(note !== undefined && { note }),
  };
}
