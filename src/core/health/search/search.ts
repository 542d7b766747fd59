import { compareBytewise } from "../../base/bytewise.ts";
import type { Cancellation } from "../../base/cancellation.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { readBatches } from "../../fs/read-batch.ts";
import { readRegularFile, readText } from "../../fs/read.ts";
import { scanRegions } from "../../fs/scan-regions.ts";
import { ledgerFiles } from "../../ledger/files.ts";
import { withoutComments } from "../../records/comments.ts";
import { RECORD_MAXIMUM_BYTES } from "../../records/record-file.ts";
import type { SearchAnswer, SearchInput } from "./answers.ts";
import { BELONGS } from "./belongs-to-task.ts";
import { finderOf } from "./find-text.ts";
import type { FoundLine, TextFinder } from "./find-text.ts";
import { SEARCH_KINDS } from "./kinds.ts";
import type { SearchKind } from "./kinds.ts";
import { sourcesOf } from "./sources.ts";
import type { SearchSources } from "./sources.ts";

const DEFAULT_LIMIT = 10_000;
/** Logs that are read whole: decisions and questions. */
const FILE_MAXIMUM_BYTES = 16 * 1024 * 1024;
const COMMENT = "<!--";

/** What was looked through on the way. */
interface Progress {
  files: number;
  skipped: { path: string; reason: string }[];
}

/** A log of decisions or questions: what stands in an HTML comment is no part of it (records.md 8.4, 8.5). */
function inLog(path: string, bytes: Buffer, finder: TextFinder): FoundLine[] {
  const inWhole = (buffer: Buffer): FoundLine[] =>
    finder.inBatch(buffer, [{ path, start: 0, end: buffer.length }]);
  if (!bytes.includes(COMMENT)) return inWhole(bytes);
  const text = bytes.toString("utf8");
  const lines = text.split("\n");
  // The line as it stands is shown: a comment on it belongs to the place, though it is not what was found.
  return inWhole(Buffer.from(withoutComments(text))).map((found) => ({
    ...found,
    text: (lines[found.line - 1] ?? "").replace(/\r$/, ""),
  }));
}

function inRecords(
  { directories, files }: SearchSources,
  finder: TextFinder,
  progress: Progress,
  documents: readonly string[],
): FoundLine[] {
  const found: FoundLine[] = [];
  const isRecord = (name: string, suffixes: readonly string[]): boolean => {
    if (name.startsWith(".") || documents.includes(name)) return false;
    for (const suffix of suffixes) if (name.endsWith(suffix)) return true;
    return false;
  };
  const onSkipped = (path: string, reason: string): void => void progress.skipped.push({ path, reason });
  for (const { path, suffixes } of directories) {
    progress.files += readBatches(
      path,
      (buffer, batch) => {
        for (const line of finder.inBatch(buffer, batch)) found.push(line);
      },
      {
        accepts: (name) => isRecord(name, suffixes),
        maximumBytes: RECORD_MAXIMUM_BYTES,
        onSkipped,
      },
    );
  }
  for (const path of files) {
    const whole = readRegularFile(path, { maximumBytes: FILE_MAXIMUM_BYTES });
    if (!whole.ok) {
      if (whole.error.kind !== "absent") onSkipped(path, whole.error.message);
      continue;
    }
    progress.files += 1;
    for (const line of inLog(path, whole.value, finder)) found.push(line);
  }
  return found.toSorted((a, b) => compareBytewise(a.path, b.path) || a.line - b.line);
}

const NEWLINE = 0x0a;

function countLines(buffer: Buffer, end: number): number {
  let count = 0;
  for (let at = buffer.indexOf(NEWLINE); at !== -1 && at < end; at = buffer.indexOf(NEWLINE, at + 1))
    count += 1;
  return count;
}

/** The ledger's files, the oldest archive first, each in regions of complete lines. */
function inLedger({ layout }: Checkout, finder: TextFinder, progress: Progress): FoundLine[] {
  const found: FoundLine[] = [];
  for (const path of ledgerFiles(layout.state)) {
    let before = 0;
    const { size } = scanRegions(path, 0, (buffer, end) => {
      for (const line of finder.inBatch(buffer, [{ path, start: 0, end }])) {
        found.push({ ...line, line: line.line + before });
      }
      before += countLines(buffer, end);
    });
    if (size > 0) progress.files += 1;
  }
  return found;
}

function ofTask(kind: SearchKind, found: FoundLine[], task: string): FoundLine[] {
  const texts = new Map<string, string>();
  const textOf = (path: string): string => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const read = readText(path, { maximumBytes: FILE_MAXIMUM_BYTES });
    const text = read.ok ? read.value : "";
    texts.set(path, text);
    return text;
  };
  return found.filter((line) => BELONGS[kind](line, task, () => textOf(line.path)));
}

/**
 * Looks a text up in the records and the ledger of this checkout, literally and whatever the case of its
 * letters; nothing is indexed. Between two kinds it looks whether it was cancelled.
 *
 * @param capsules the directory of capsules, where this checkout has one.
 */
export function searchRecords(
  checkout: Checkout,
  input: SearchInput,
  signal: Cancellation,
  capsules?: string,
): SearchAnswer {
  const finder = finderOf(input.text);
  const limit = input.limit ?? DEFAULT_LIMIT;
  const progress: Progress = { files: 0, skipped: [] };
  const matches: SearchAnswer["matches"] = [];
  // Every directory of the layer has a document of its own, which is no record.
  const { documents } = checkout.settings.manifest.context;
  let total = 0;
  for (const kind of SEARCH_KINDS) {
    if (signal.aborted || input.kinds?.includes(kind) === false) continue;
    const all =
      kind === "ledger"
        ? inLedger(checkout, finder, progress)
        : inRecords(sourcesOf(checkout, kind, capsules), finder, progress, documents);
    const found = input.task === undefined ? all : ofTask(kind, all, input.task);
    total += found.length;
    for (const { path, line, text } of found.slice(0, limit - matches.length)) {
      matches.push({ kind, path: shownPath(checkout.root, path), line, text });
    }
  }
  return {
    schema: 1,
    matches,
    total,
    cut: total - matches.length,
    files: progress.files,
    skipped: progress.skipped.map(({ path, reason }) => ({ path: shownPath(checkout.root, path), reason })),
  };
}
