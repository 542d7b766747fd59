import { basename, dirname } from "node:path";
import { EXIT, MajordomusError, errnoOf } from "../base/error.ts";
import { isTemporary } from "./temporary.ts";

/** How Node words what the system answered: `EACCES: permission denied, open '/…'`. */
const WORDED = /^E[A-Z0-9]+: ([^,']+)/;

const ACCESS = "make it accessible to this user";
const ROOM = "free some space there";

/** What a person can do, by the name of the error. */
const REMEDIES: Readonly<Record<string, string>> = {
  EACCES: ACCESS,
  EPERM: ACCESS,
  ENOSPC: ROOM,
  EDQUOT: ROOM,
  EROFS: "it lies on a disk that cannot be written: make that writable",
};

/** The file that a person knows: never one of the names that a write has meanwhile. */
function subjectOf(error: Error): string | undefined {
  const { dest, path } = error as { dest?: unknown; path?: unknown };
  const named = typeof dest === "string" && !isTemporary(basename(dest)) ? dest : path;
  if (typeof named !== "string" || named === "") return undefined;
  return isTemporary(basename(named)) ? dirname(named) : named;
}

/**
 * An error of the system for people: where, what, and what to do.
 *
 * @returns undefined for any other error.
 */
export function systemError(error: unknown): MajordomusError | undefined {
  const errno = errnoOf(error);
  if (errno === undefined || !(error instanceof Error) || error instanceof MajordomusError) return undefined;
  const worded = WORDED.exec(error.message)?.[1];
  const subject = worded === undefined ? undefined : subjectOf(error);
  const remedy = REMEDIES[errno];
  return new MajordomusError({
    code: `system.${errno}`,
    exit: EXIT.internal,
    message: worded === undefined ? error.message : `${worded.trim()} (${errno})`,
    ...(subject === undefined ? {} : { subject }),
    ...(remedy === undefined ? {} : { remedy }),
    cause: error,
  });
}
