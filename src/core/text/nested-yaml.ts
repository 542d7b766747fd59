import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { parseFlat } from "./flat-yaml.ts";
import { clip } from "./inert.ts";

/**
 * The whole of the records' YAML subset (records.md 1.6): what `parseFlat` reads, and maps and lists of
 * maps below it by two-space indent. Without a library, for records that a hook reads by the dozen.
 */
export type NestedValue = string | string[] | NestedFields | NestedFields[];
export type NestedFields = Map<string, NestedValue>;

const KEY = /^([A-Za-z_][\w.-]*):(?: |$)/s;
const IGNORED = /^ *(?:#.*)?$/s;
const ITEM = /^( *)-(?: +(.*))?$/s;
const MAXIMUM_DEPTH = 16;

/** A top-level key's line and the lines below it that belong to it. */
interface Chunk {
  key: string;
  /** The number of the key's line in the file. */
  at: number;
  lines: string[];
}

function complaint(line: number, key: string, message: string): string {
  return `line ${line} (${clip(key, 40)}): ${message}`;
}

function chunksOf(text: string, firstLine: number): Result<Chunk[], string> {
  const chunks: Chunk[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    const key = KEY.exec(line)?.[1];
    if (key !== undefined) chunks.push({ key, at: index + firstLine, lines: [line] });
    else if (!IGNORED.test(line) && (chunks.length === 0 || !/^ |^-(?: |$)/.test(line))) {
      return failed(`line ${index + firstLine}: neither \`key: value\` nor a list item`);
    } else chunks.at(-1)?.lines.push(line);
  }
  return ok(chunks);
}

/** Takes an indent off every line; undefined where a line that says something has less. */
function dedented(lines: readonly string[], indent: number): string[] | undefined {
  const blank = " ".repeat(indent);
  const kept = lines.map((line) => {
    if (line.startsWith(blank)) return line.slice(indent);
    return IGNORED.test(line) ? "" : undefined;
  });
  return kept.includes(undefined) ? undefined : kept.filter((line) => line !== undefined);
}

/** `- key: value` begins a map, `- kind:value` is text. */
function beginsMap(line: string): boolean {
  return KEY.test(ITEM.exec(line)?.[2] ?? "");
}

/** Items of another indent would be text of the item before them to YAML. */
function evenlyIndented(block: readonly string[]): boolean {
  const indents = block.map((line) => ITEM.exec(line)?.[1]?.length).filter((indent) => indent !== undefined);
  return new Set(indents).size < 2;
}

function readMaps(chunk: Chunk, block: readonly string[], depth: number): Result<NestedFields[], string> {
  const maps: NestedFields[] = [];
  const first = block.findIndex((line) => !IGNORED.test(line));
  const indent = ITEM.exec(block[first] ?? "")?.[1]?.length ?? 0;
  for (let start = first; start < block.length;) {
    let end = start + 1;
    while (end < block.length && ITEM.exec(block[end] ?? "")?.[1]?.length !== indent) end += 1;
    const [head = "", ...rest] = block.slice(start, end);
    const item = dedented([`${" ".repeat(indent)}  ${head.slice(indent + 2)}`, ...rest], indent + 2);
    const at = chunk.at + 1 + start;
    if (item === undefined) return failed(complaint(at, chunk.key, "an item that is not indented by two"));
    const map = parseAt(item.join("\n"), at, depth + 1);
    if (!map.ok) return map;
    maps.push(map.value);
    start = end;
  }
  return ok(maps);
}

function readChunk(chunk: Chunk, depth: number): Result<NestedValue, string> {
  const [own = "", ...block] = chunk.lines;
  const below = block.find((line) => !IGNORED.test(line));
  const isList = below !== undefined && ITEM.test(below);
  if (below === undefined || (isList && !beginsMap(below))) {
    if (!evenlyIndented(block)) return failed(complaint(chunk.at, chunk.key, "a list of uneven indent"));
    const flat = parseFlat(chunk.lines.join("\n"), chunk.at);
    return flat.ok ? ok(flat.value.get(chunk.key) ?? "") : flat;
  }
  if (!IGNORED.test(own.slice(chunk.key.length + 1))) {
    return failed(complaint(chunk.at, chunk.key, "has a value and lines below it"));
  }
  if (isList) return readMaps(chunk, block, depth);
  const inner = dedented(block, 2);
  if (inner === undefined) return failed(complaint(chunk.at, chunk.key, "is not indented by two"));
  return parseAt(inner.join("\n"), chunk.at + 1, depth + 1);
}

function parseAt(text: string, firstLine: number, depth: number): Result<NestedFields, string> {
  if (depth > MAXIMUM_DEPTH) return failed(`line ${firstLine}: nested deeper than ${MAXIMUM_DEPTH} levels`);
  const chunks = chunksOf(text, firstLine);
  if (!chunks.ok) return chunks;
  const fields: NestedFields = new Map();
  for (const chunk of chunks.value) {
    if (fields.has(chunk.key)) return failed(complaint(chunk.at, chunk.key, "the key stands twice"));
    const value = readChunk(chunk, depth);
    if (!value.ok) return value;
    fields.set(chunk.key, value.value);
  }
  return ok(fields);
}

/**
 * Reads nested YAML text of the subset. A bare key is the empty string; CRLF is tolerated. Fails, naming
 * line and key, on odd indentation, tabs, flow maps, anchors, folded text, a key that stands twice and NUL.
 *
 * @param firstLine the number of the text's first line in its file: 2 for a head below its fence
 */
export function parseNested(text: string, firstLine = 1): Result<NestedFields, string> {
  return parseAt(text, firstLine, 0);
}
