import { isAbsolute, join } from "node:path";
import { registrationName } from "../checkout/common.ts";
import { readText } from "../fs/read.ts";
import { removeFile, makeDirectory, writeAtomic } from "../fs/write.ts";
import { userStateDirectory } from "./user-state.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where open provider sessions are looked up when the directory of an event is gone: one small file a
 * session under the user's state directory, naming the repository's common directory (decisions.md 1).
 */
function indexDirectory(environment: Environment): string | undefined {
  const state = userStateDirectory(environment);
  return state === undefined ? undefined : join(state, "sessions");
}

/** Notes the repository of an open episode. Without a home directory there is no index, and none is needed. */
export function indexSession(
  environment: Environment,
  provider: string,
  rawId: string,
  commonDir: string,
): void {
  const directory = indexDirectory(environment);
  if (directory === undefined) return;
  makeDirectory(directory, 0o700);
  writeAtomic(join(directory, registrationName(provider, rawId)), `${commonDir}\n`, { mode: 0o600 });
}

/** The common directory of the repository in which this provider session has an open episode. */
export function indexedCommonDirectory(
  environment: Environment,
  provider: string,
  rawId: string,
): string | undefined {
  const directory = indexDirectory(environment);
  if (directory === undefined) return undefined;
  const text = readText(join(directory, registrationName(provider, rawId)), { maximumBytes: 8192 });
  const path = text.ok ? text.value.trimEnd() : "";
  return isAbsolute(path) ? path : undefined;
}

export function forgetIndexedSession(environment: Environment, provider: string, rawId: string): void {
  const directory = indexDirectory(environment);
  if (directory !== undefined) removeFile(join(directory, registrationName(provider, rawId)));
}
