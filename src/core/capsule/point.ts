import { isAbsolute, relative, resolve, sep } from "node:path";
import { MajordomusError } from "../base/error.ts";
import type { Clock } from "../base/clock.ts";
import type { Patience } from "../base/patience.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { stampPointer } from "./body-state.ts";
import { CapsuleDocument } from "./document.ts";
import { readCapsule } from "./files.ts";
import { findCapsule } from "./find.ts";
import type { MemoryTree } from "./memory-tree.ts";

export type Pointed = { state: "pointed"; name: string } | { state: "refused"; name: string; reason: string };

/** Whether a path lies below a directory, by its way there and not by how it begins: a sibling is outside. */
function isBelow(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** A name that is no path means what it means to every other command. */
function pathOfNamed(tree: MemoryTree, wanted: string): Result<string, string> {
  try {
    return ok(findCapsule(tree, wanted).path);
  } catch (error) {
    if (error instanceof MajordomusError) return failed(error.message);
    throw error;
  }
}

/**
 * Stamps the compatibility pointer in `BODY_STATE.json` from a capsule's fields (capsules.md 11): a hint for audits.
 *
 * @param wanted a path, relative to `directory`, or a capsule's name or id.
 * @throws LockTimeout, or the errno error.
 */
export function pointAt(
  tree: MemoryTree,
  wanted: string,
  directory: string,
  means: { clock: Clock; patience: Patience },
): Pointed {
  const refused = (reason: string): Pointed => ({ state: "refused", name: wanted, reason });
  const plain = !wanted.includes("/") && !wanted.includes(sep);
  const named = plain ? pathOfNamed(tree, wanted) : ok(resolve(directory, wanted));
  if (!named.ok) return refused(named.error);
  const path = named.value;
  if (!isBelow(tree.memory.root, path)) return refused("lies outside of the memory root");
  const bytes = readCapsule(path);
  if (!bytes.ok) return refused(`is ${bytes.error}`);
  const document = CapsuleDocument.parse(bytes.value);
  if (document === undefined) return refused("has no front matter");
  const stamped = stampPointer(
    tree,
    {
      id: document.text("id").trim(),
      path: relative(tree.base, path).split(sep).join("/"),
      objective: document.value("objective").trim(),
      status: document.text("status"),
      created_at: new Date(means.clock.now()).toISOString(),
      trigger: document.text("trigger"),
    },
    means,
  );
  if (!stamped.ok) return refused(stamped.error);
  return stamped.value
    ? { state: "pointed", name: wanted }
    : refused("there is no BODY_STATE.json to note it in");
}
