import { show, span } from "./line.ts";
import type { Line, Span } from "./line.ts";
import { repositoryName, shortHead } from "./names.ts";

/** Where a checkout stands, as far as git's files tell it. */
export interface Place {
  root: string;
  branch: string;
  /** Undefined before the first commit. */
  head?: string | undefined;
}

const GAP = span(" · ", "muted");

/** Between the parts of the first row stands a dot. */
export function dotted(parts: readonly Span[][]): Line {
  return parts.flatMap((part, index) => (index === 0 ? part : [GAP, ...part]));
}

/** What the first row begins with; where it is narrow, the repository is more than our name. */
export function brandOf(width: number): Line {
  return width >= 80 ? [span(" majordomus  ", "accent", true)] : [span(" ")];
}

/** The repository, its branch and its commit: what the first row says before anything was asked. */
export function placeParts(root: string, place: Omit<Place, "root"> | undefined): Span[][] {
  const name = [span(repositoryName(root), "plain", true)];
  if (place === undefined) return [name];
  const head = shortHead(place.head);
  return [name, [span(show(place.branch)), ...(head === "" ? [] : [span(` ${head}`, "muted")])]];
}
