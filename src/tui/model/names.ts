import { basename } from "node:path";
import { show } from "./line.ts";

/** `s-20260904170000-fc51` as `s-…fc51`: the last four tell episodes and tasks of one day apart. */
export function shortId(id: string): string {
  const match = /^([a-z])-\d.*-([0-9a-f]{4})$/.exec(id);
  return match ? `${match[1] ?? ""}-…${match[2] ?? ""}` : show(id);
}

export function shortHead(head: string | undefined): string {
  return head === undefined ? "" : show(head.slice(0, 7));
}

/** A path as a person would write it, with `~` for the home directory. */
export function shortPath(path: string, home: string | undefined): string {
  const inside = home !== undefined && home !== "" && (path === home || path.startsWith(`${home}/`));
  return show(inside ? `~${path.slice(home.length)}` : path);
}

/** A path below a repository without the way there; any other one as `shortPath` shows it. */
export function pathFrom(root: string, path: string, home: string | undefined): string {
  return path.startsWith(`${root}/`) ? show(path.slice(root.length + 1)) : shortPath(path, home);
}

export function repositoryName(root: string): string {
  return show(basename(root) || root);
}

/** `1 checkpoint`, `3 checkpoints`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
