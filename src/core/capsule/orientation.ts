import { dirname, join, relative, sep } from "node:path";
import { readText } from "../fs/read.ts";
import { inertLines } from "../text/inert.ts";
import { ageLines } from "./age.ts";
import { REFERENCE_ONLY, RULINGS, SECTIONS } from "./framing.ts";
import { readCapsule } from "./files.ts";
import { CapsuleDocument } from "./document.ts";
import { loadCapsule } from "./load.ts";
import type { LoadedCapsule } from "./load.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { quoteValue } from "./quote.ts";
import type { Selection } from "./select.ts";
import { rejectionCounts } from "./summary.ts";

/** What a start that is no clear is told of memory; nothing of it is spent. */
export interface OrientationFacts {
  now: number;
  selection: Selection;
  /** The selected capsule's values; undefined when it could not be read any more. */
  loaded: LoadedCapsule | undefined;
  /** Of the selected capsule, relative to the install root. */
  shownPath: string;
  hot: readonly string[];
  sessionLogHeading: string | undefined;
  identity: string | undefined;
}

const FILE_BYTES = 256 * 1024;
const HOT_NAMES = 5;

function textAt(path: string): string | undefined {
  const text = readText(path, { maximumBytes: FILE_BYTES });
  return text.ok ? text.value : undefined;
}

/** A hot entry's name, whichever of the two forms it has. */
function hotName(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  const { name, path, file } = entry as Record<string, unknown>;
  return [name, path, file].find((value) => typeof value === "string");
}

function hotNames(path: string): string[] {
  try {
    const value: unknown = JSON.parse(textAt(path) ?? "null");
    if (typeof value !== "object" || value === null) return [];
    const { hot_top_20: top, hot } = value as Record<string, unknown>;
    const list = Array.isArray(top) ? top : hot;
    if (!Array.isArray(list)) return [];
    return list
      .slice(0, HOT_NAMES)
      .map(hotName)
      .filter((name) => name !== undefined);
  } catch {
    return [];
  }
}

/** The identity text lies beside the memory root, else in the install root. */
function identityText(tree: MemoryTree): string | undefined {
  const name = "identity-core.md";
  return textAt(join(dirname(tree.memory.root), name)) ?? textAt(join(tree.base, name));
}

/** Gathers what an orientation tells; reads, and spends nothing. */
export function gatherOrientation(tree: MemoryTree, selection: Selection, now: number): OrientationFacts {
  const { capsule } = selection;
  const bytes = capsule === undefined ? undefined : readCapsule(capsule.path);
  const document = bytes?.ok === true ? CapsuleDocument.parse(bytes.value) : undefined;
  const heading = /^#{2,3}[ \t]+(.*)$/m.exec(textAt(tree.sessionLog) ?? "")?.[1];
  return {
    now,
    selection,
    loaded: capsule === undefined || document === undefined ? undefined : loadCapsule(capsule, document),
    shownPath: capsule === undefined ? "" : relative(tree.base, capsule.path).split(sep).join("/"),
    hot: hotNames(tree.heatIndex),
    sessionLogHeading: heading,
    identity: identityText(tree),
  };
}

function pointerLines(facts: OrientationFacts): string[] {
  const { selection, loaded, shownPath, now } = facts;
  const { capsule, rejected, unavailable } = selection;
  const others = rejected.length === 0 ? [] : [`  not selected: ${rejectionCounts(rejected)}`];
  if (capsule === undefined)
    return [`No capsule could be resumed now (${unavailable ?? "none"}).`, ...others];
  if (loaded === undefined) {
    return [`The newest capsule, ${quoteValue(shownPath, 160)}, could not be read any more.`, ...others];
  }
  const values: readonly (readonly [label: string, value: string, characters: number])[] = [
    ["objective", loaded.objective, 240],
    ["next_valid_action", loaded.nextValidAction, 400],
    ["waiting_on", loaded.waitingOn, 200],
  ];
  return [
    `Newest active capsule, a pointer only; this start spends nothing. ${REFERENCE_ONLY}`,
    `  path: ${quoteValue(shownPath, 160)}`,
    ...values
      .filter(([, value]) => value !== "")
      .map(([label, value, most]) => `  ${label}: ${quoteValue(value, most, { bytes: most * 1.5 })}`),
    `  ${ageLines(loaded, now)[0] ?? ""}; ${loaded.autosave ? "an autosave" : "curated"}`,
    ...others,
    `  Sections: ${SECTIONS.map(({ heading }) => heading.slice(3)).join("; ")}. Pending-Gates and Claimed-Rows must be re-verified.`,
    `  ${RULINGS.join(" ")}`,
  ];
}

const IDENTITY_CUT = "… identity-core.md goes on; the rest was left out here";

/** As many whole lines as fit, and a last one that says that there are more. */
function withinBytes(lines: readonly string[], maximumBytes: number, cut: string): string[] {
  const size = (kept: readonly string[]): number => Buffer.byteLength(kept.join("\n")) + 1;
  if (size(lines) <= maximumBytes) return [...lines];
  const kept = [...lines];
  while (kept.length > 0 && size([...kept, cut]) > maximumBytes) kept.pop();
  return kept.length === 0 ? [] : [...kept, cut];
}

/**
 * Composes the orientation of a start that is no clear: a pointer to the newest capsule first, then what is hot,
 * then the identity text as far as it fits, cut by whole lines and announced (decisions.md 6).
 *
 * @param maximumBytes UTF-8 bytes of the whole.
 */
export function composeOrientation(facts: OrientationFacts, maximumBytes: number): string {
  const lines = pointerLines(facts);
  if (facts.hot.length > 0) lines.push(`Hot: ${facts.hot.map((name) => quoteValue(name, 60)).join(", ")}`);
  if (facts.sessionLogHeading !== undefined) {
    lines.push(`Session log begins: ${quoteValue(facts.sessionLogHeading, 160)}`);
  }
  const bounded = withinBytes(lines, maximumBytes, "… more was left out here");
  const left = maximumBytes - Buffer.byteLength(bounded.join("\n")) - 1;
  const identity =
    facts.identity === undefined ? [] : inertLines(facts.identity.trim()).map((line) => `  ${line}`);
  const told = identity.length === 0 ? [] : withinBytes(["Identity:", ...identity], left, IDENTITY_CUT);
  return `${[...bounded, ...told].join("\n")}\n`;
}
