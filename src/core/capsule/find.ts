import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { CapsuleDocument } from "./document.ts";
import { listCapsules, readCapsule, readForJudging } from "./files.ts";
import type { MemoryTree } from "./memory-tree.ts";

/** A capsule that somebody named, read whole. */
export interface NamedCapsule {
  name: string;
  path: string;
  bytes: Buffer;
  document: CapsuleDocument;
}

function absent(wanted: string): MajordomusError {
  return new MajordomusError({
    code: "capsule.absent",
    exit: EXIT.missing,
    subject: wanted,
    message: "no capsule has this id or name",
    remedy: "`majordomus capsule list` shows them",
  });
}

/** The names that a person may mean: a file's name, with or without its ending, else the id in a file. */
function namesOf(tree: MemoryTree, wanted: string): string[] {
  const entries = listCapsules(tree.capsules);
  if (!entries.ok) return [];
  const named = entries.value.filter(({ name }) => name === wanted || name === `${wanted}.md`);
  if (named.length > 0) return named.map(({ name }) => name);
  return entries.value
    .filter((entry) => {
      const document = readForJudging(tree.capsules, entry);
      return document.ok && document.value?.text("id").trim() === wanted;
    })
    .map(({ name }) => name);
}

/**
 * Finds a capsule by its file's name or its id.
 *
 * @throws MajordomusError 12 when there is none, 10 when several have the id, or the file cannot be read as a capsule.
 */
export function findCapsule(tree: MemoryTree, wanted: string): NamedCapsule {
  const [name, ...others] = namesOf(tree, wanted);
  if (name === undefined) throw absent(wanted);
  const refuse = (message: string, remedy?: string): MajordomusError =>
    new MajordomusError({
      code: "capsule.unusable",
      exit: EXIT.finding,
      subject: name,
      message,
      ...(remedy === undefined ? {} : { remedy }),
    });
  if (others.length > 0)
    throw refuse(`and ${others.length} more file(s) have the id ${wanted}`, "name the file");
  const path = join(tree.capsules, name);
  const bytes = readCapsule(path);
  if (!bytes.ok) throw refuse(`is ${bytes.error}`);
  const document = CapsuleDocument.parse(bytes.value);
  if (document === undefined) throw refuse("has no front matter");
  return { name, path, bytes: bytes.value, document };
}
