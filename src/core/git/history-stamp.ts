import { join } from "node:path";
import { listDirectory } from "../fs/read.ts";
import { readGitFile } from "./git-file.ts";
import { keepsRefsElsewhere } from "./head.ts";
import type { Repository } from "./repository.ts";

const REPLACED = "refs/replace/";

/**
 * What else than commits decides who is whose ancestor here: where a shallow clone is cut, grafts, replaced
 * objects, and the settings that say whether these count. While it stays the same, an ancestor of an ancestor
 * stays one.
 *
 * @returns undefined where files do not tell, as with reftable.
 */
export function historyStamp(repository: Repository): string | undefined {
  if (keepsRefsElsewhere(repository)) return undefined;
  const { commonDir } = repository;
  const replaced = readReplaced(commonDir);
  if (replaced === undefined) return undefined;
  const files = ["shallow", "info/grafts", "config"].map(
    (name) => readGitFile(join(commonDir, name)) ?? null,
  );
  return JSON.stringify([...files, replaced]);
}

function readReplaced(commonDir: string): string[] | undefined {
  const packed = readGitFile(join(commonDir, "packed-refs")) ?? "";
  const lines = packed.includes(REPLACED) ? packed.split("\n").filter((line) => line.includes(REPLACED)) : [];
  const directory = join(commonDir, REPLACED);
  try {
    const names = listDirectory(directory);
    return [...lines, ...names.map((name) => `${name} ${readGitFile(join(directory, name)) ?? ""}`)];
  } catch {
    return undefined;
  }
}
