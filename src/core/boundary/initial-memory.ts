import { join, posix } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { MARKER_PATH } from "../capsule/install-root.ts";
import { MemoryRootError, faultOfDeclaration } from "../capsule/memory-declaration.ts";
import { isPrivate, resolveDeclared, resolveMemoryRoot } from "../capsule/memory-root.ts";
import type { MemoryRoot } from "../capsule/memory-root.ts";
import { stampOf } from "../fs/read.ts";

/** Files that declare and seed a memory tree, by their paths relative to the root. */
export interface MemoryPart {
  path: string;
  text: string;
}

/** Where memory lies in a repository that has none yet: private, and made on first use. */
const PRIVATE_ROOT = ".ai/local/memory";

const LOG = "# Session log\n";

/** What cannot be used is refused before anything is written: an installer never goes sideways. */
function refusing<Value>(action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    if (!(error instanceof MemoryRootError)) throw error;
    throw new MajordomusError({
      code: error.code,
      exit: EXIT.refused,
      message: error.message,
      remedy: "nothing was written",
      cause: error,
    });
  }
}

function markerText(relative: string): string {
  const marker = { schemaVersion: 1, status: "ready", completedAt: null, memory_root: relative };
  return `${JSON.stringify(marker, null, 2)}\n`;
}

/** A tree that a clone must have needs a file in it: git keeps no empty directories. */
function seeded({ relative, exists }: MemoryRoot): MemoryPart[] {
  return exists || isPrivate(relative) ? [] : [{ path: posix.join(relative, "SESSION_LOG.md"), text: LOG }];
}

/**
 * Decides what of a memory tree an initialisation adds (decisions.md 3): the declaration where there is none and
 * no default tree exists, and the seed of a tree that git shall keep. A marker that is there is never rewritten,
 * and nothing is ever moved.
 *
 * @param wanted where memory shall lie; undefined leaves the choice to us.
 * @throws MajordomusError 15 for a place that cannot be used, or another than the one that is declared.
 */
export function planMemory(root: string, wanted: string | undefined): MemoryPart[] {
  const present = refusing(() => resolveMemoryRoot(root, { allowMissing: true }));
  const declared = present.source === "configured" ? present.relative : undefined;
  const path = wanted?.trim();
  if (path !== undefined) {
    const fault = faultOfDeclaration(path);
    if (fault !== undefined)
      refusing(() => {
        throw new MemoryRootError(path, fault);
      });
  }
  if (stampOf(join(root, MARKER_PATH)) !== undefined) {
    if (path === undefined || path === declared) return declared === undefined ? [] : seeded(present);
    throw new MajordomusError({
      code: "memory.declared",
      exit: EXIT.refused,
      subject: join(root, MARKER_PATH),
      message:
        declared === undefined ? "is there already, and declares no memory root" : `declares ${declared}`,
      remedy: `nothing was written; put "memory_root": ${JSON.stringify(path)} into it by hand`,
    });
  }
  if (path === undefined && present.exists) return [];
  const relative = path ?? PRIVATE_ROOT;
  const place = refusing(() => resolveDeclared(root, relative, { allowMissing: true }));
  return [...seeded(place), { path: MARKER_PATH, text: markerText(relative) }];
}
