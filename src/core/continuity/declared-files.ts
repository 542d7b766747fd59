import { dirname, join } from "node:path";
import { isCommitId, sha256Hex } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import { runGit } from "../git/run.ts";

/** A declaration that a commit has: its object, and its path from the repository's root. */
export type DeclaredFile = readonly [blob: string, path: string];

const MAXIMUM_BYTES = 64 * 1024;

function isDeclaredFile(value: unknown): value is DeclaredFile {
  return Array.isArray(value) && value.length === 2 && isCommitId(value[0]) && typeof value[1] === "string";
}

function recall(cache: string, commit: string): DeclaredFile[] | undefined {
  const text = readText(cache, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return undefined;
  try {
    const kept = JSON.parse(text.value) as { commit?: unknown; files?: unknown };
    const { files } = kept;
    return kept.commit === commit && Array.isArray(files) && files.every(isDeclaredFile) ? files : undefined;
  } catch {
    return undefined;
  }
}

function keep(cache: string, commit: string, files: readonly DeclaredFile[]): void {
  try {
    makeDirectory(dirname(cache), 0o700);
    writeAtomic(cache, `${JSON.stringify({ commit, files })}\n`, { mode: 0o600 });
  } catch {
    // It is asked again the next time.
  }
}

/**
 * The declarations that a commit has in a directory. What a commit has never changes, so of the one that was
 * asked last the answer is kept; one process else.
 *
 * @param directory from the repository's root, with a slash at its end.
 * @returns undefined where git cannot tell.
 */
export function declaredFiles(
  { repository, common }: Pick<Checkout, "repository" | "common">,
  commit: string,
  directory: string,
): readonly DeclaredFile[] | undefined {
  const cache = join(common.cache, `continuity-declared-${sha256Hex(directory).slice(0, 16)}.json`);
  const kept = recall(cache, commit);
  if (kept !== undefined) return kept;
  const outcome = runGit(repository, ["ls-tree", "-z", "--full-tree", commit, "--", directory]);
  if (outcome.status !== 0) return undefined;
  const files: DeclaredFile[] = [];
  for (const field of outcome.stdout.toString("utf8").split("\0")) {
    const [facts = "", path = ""] = field.split("\t");
    const [, type, id = ""] = facts.split(" ");
    const name = path.slice(directory.length);
    if (type === "blob" && name.endsWith(".yaml") && !name.startsWith(".")) files.push([id, path]);
  }
  keep(cache, commit, files);
  return files;
}
