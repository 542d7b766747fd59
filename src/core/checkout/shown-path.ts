import { relative, sep } from "node:path";

/** A path as records, ledger lines and people read it: relative to the work tree, with slashes; absolute outside of it. */
export function shownPath(root: string, path: string): string {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`) ? path : way.split(sep).join("/");
}
