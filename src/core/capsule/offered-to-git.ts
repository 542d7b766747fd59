import { runGit } from "../git/run.ts";
import type { Repository } from "../git/repository.ts";
import { isPrivate } from "./memory-root.ts";

/** What of a memory tree is nobody's history: the line that ignores it, and a path that the line would cover. */
const UNWANTED: readonly (readonly [ignored: string, probe: string])[] = [
  ["runtime/", "runtime/boot-receipt.json"],
  [".daemon-errors.log", ".daemon-errors.log"],
  ["capsules/*-auto-*.md", "capsules/2026-01-01-auto-00000000.md"],
];

/** As a line of `.gitignore` has it, where some characters that a path may hold choose many. */
function ignoreLine(relative: string, name: string): string {
  return `/${relative.replaceAll("[", "\\[")}/${name}`;
}

/**
 * The lines of `.gitignore` that are missing for a memory root which git may keep (decisions.md 3): without them a
 * commit of everything takes along what was said to an AI tool, secrets too. One git process, and none for a root
 * below `.ai/local`, which is ignored as a whole.
 *
 * @param relative the memory root, relative to the repository's top level.
 * @returns empty where nothing is offered, and where git does not tell.
 */
export function linesMissing(repository: Repository, relative: string): string[] {
  if (isPrivate(relative)) return [];
  const probes = UNWANTED.map(([, probe]) => `${relative}/${probe}`);
  const asked = runGit(repository, ["-c", "core.quotePath=false", "check-ignore", "--", ...probes]);
  if (asked.status !== 0 && asked.status !== 1) return [];
  const ignored = new Set(asked.stdout.toString("utf8").split("\n"));
  return UNWANTED.filter(([, probe]) => !ignored.has(`${relative}/${probe}`)).map(([name]) =>
    ignoreLine(relative, name),
  );
}
