import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isCommitId } from "../base/id.ts";
import { readGitFile } from "./git-file.ts";

export interface RefLocation {
  gitDir: string;
  commonDir: string;
}

export type RefValue =
  | { kind: "object"; id: string }
  | { kind: "symref"; target: string }
  | { kind: "absent" }
  /** Not in a form that is read here (a link, a broken file): only git can say. */
  | { kind: "unclear" };

const ABSENT: RefValue = { kind: "absent" };
const UNCLEAR: RefValue = { kind: "unclear" };

/** git's depth limit for symbolic references. */
const MAXIMUM_DEPTH = 5;

/** Each worktree has these for itself; everything else below `refs/` is shared. */
const OWN_TO_WORKTREE = /^(?!refs\/)|^refs\/(?:bisect|worktree|rewritten)\//;

function isSafeName(name: string): boolean {
  if (name !== "HEAD" && !name.startsWith("refs/")) return false;
  // oxlint-disable-next-line no-control-regex
  return !/[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/$/.test(name) && !/(?:^|\/)\./.test(name);
}

function parseLoose(text: string): RefValue {
  const symref = /^ref:\s*([^\r\n]*?)\s*$/m.exec(text);
  if (symref && text.startsWith("ref:")) {
    const target = symref[1] as string;
    return isSafeName(target) ? { kind: "symref", target } : UNCLEAR;
  }
  const id = /^[0-9a-f]+(?=\s|$)/.exec(text)?.[0] ?? "";
  return isCommitId(id) ? { kind: "object", id } : UNCLEAR;
}

function readPacked(commonDir: string, name: string): RefValue {
  const packed = readGitFile(join(commonDir, "packed-refs"));
  if (packed === undefined) {
    return lstatSync(join(commonDir, "packed-refs"), { throwIfNoEntry: false }) ? UNCLEAR : ABSENT;
  }
  const needle = ` ${name}\n`;
  for (let at = packed.indexOf(needle); at !== -1; at = packed.indexOf(needle, at + 1)) {
    const id = packed.slice(packed.lastIndexOf("\n", at) + 1, at);
    if (isCommitId(id)) return { kind: "object", id };
  }
  return ABSENT;
}

/** Reads one reference without following it: the loose file before the packed line, as git does. */
export function readRef(location: RefLocation, name: string): RefValue {
  if (!isSafeName(name)) return UNCLEAR;
  const base = OWN_TO_WORKTREE.test(name) ? location.gitDir : location.commonDir;
  const path = join(base, ...name.split("/"));
  let stat;
  try {
    stat = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return UNCLEAR;
  }
  if (stat?.isSymbolicLink()) return UNCLEAR;
  if (stat?.isFile()) {
    const text = readGitFile(path);
    // Between the look and the reading, `git pack-refs` may have moved the value into the packed file.
    if (text !== undefined) return parseLoose(text);
  }
  return name === "HEAD" ? UNCLEAR : readPacked(location.commonDir, name);
}

export interface ResolvedRef {
  /** The last name of the chain. */
  name: string;
  /** Undefined when that reference does not exist (yet). */
  id: string | undefined;
}

/** Follows a reference to its object; undefined when the files do not give an exact answer. */
export function resolveRef(location: RefLocation, name: string): ResolvedRef | undefined {
  let current = name;
  for (let depth = 0; depth <= MAXIMUM_DEPTH; depth += 1) {
    const value = readRef(location, current);
    if (value.kind === "unclear") return undefined;
    if (value.kind === "object") return { name: current, id: value.id };
    if (value.kind === "absent") return { name: current, id: undefined };
    current = value.target;
  }
  return undefined;
}
