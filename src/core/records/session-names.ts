import { listDirectory } from "../fs/read.ts";

const RECORD = /^\d{8}T\d{6}Z--(.+?)--.*\.md$/s;

/**
 * The episode ids that the names of closed records carry, without reading one of them: enough to know that an
 * episode has a record. An id with two dashes in a row is cut at them.
 */
export function sessionNamesOf(directory: string): Set<string> {
  const ids = listDirectory(directory).map((name) => RECORD.exec(name)?.[1]);
  return new Set(ids.filter((id) => id !== undefined));
}
