import type { Finding } from "../core/labels/terms.ts";
import { inert, inertLines } from "../core/text/inert.ts";
import { jsonText } from "./json-text.ts";

/** Where a command writes. Everything for people is made inert on its way out; JSON is exact. */
export interface Output {
  /** One physical line of text. */
  line(text: string): void;
  /** A text of several lines, each made inert. */
  block(text: string): void;
  /** Findings, one line each (records.md 8.7). */
  findings(findings: readonly Finding[]): void;
  /** One JSON document on one line. */
  json(value: unknown): void;
  /** One line on standard error, under the program's name. */
  warn(text: string): void;
  /**
   * What a reader passed over, with the reason: `warning: skipped <path>: <reason>` on standard error, the words
   * that scripts look for (records.md 7.1).
   */
  skipped(files: readonly { path: string; reason: string }[]): void;
  /** One line on standard error that begins with a token of its own, as other programs look for it. */
  token(text: string): void;
  /** What another program printed, as it stands. */
  verbatim(text: string): void;
  /** Aborted when whoever reads standard output has left, or nothing more can be written to it. */
  readonly readerGone: AbortSignal;
  /** Why standard output could not take everything, where it is no reader who left. */
  fault(): string | undefined;
}

/** Where text goes. */
export interface Sink {
  /** @returns false when nobody reads any more, or nothing more can be written */
  write(text: string): boolean;
  /** Why nothing more can be written; undefined for a reader who left, which is no fault. */
  fault?(): string | undefined;
}

/** A finding as one line (records.md 8.7). */
function findingLine(finding: Finding): string {
  const { level, category, subject, message, reproduce } = finding;
  const line = `${level.padEnd(4)} ${category.padEnd(11)} ${subject} — ${message}`;
  return reproduce === undefined ? line : `${line}  [reproduce: ${reproduce}]`;
}

/**
 * Writes to a pair of streams. A reader that leaves early (`| head`) ends the writing and nothing
 * else: a command that changes something still finishes it.
 */
export function createOutput(stdout: Sink, stderr: Sink): Output {
  let hasLeft = false;
  // Node loads what it is made of first: only who waits for something asks for it.
  let gone: AbortController | undefined;
  const write = (text: string): void => {
    if (hasLeft || stdout.write(text)) return;
    hasLeft = true;
    gone?.abort();
  };
  return {
    line: (text) => write(`${inert(text)}\n`),
    block: (text) =>
      write(
        inertLines(text)
          .map((line) => `${line}\n`)
          .join(""),
      ),
    findings: (findings) => write(findings.map((finding) => `${inert(findingLine(finding))}\n`).join("")),
    json: (value) => write(`${jsonText(value)}\n`),
    warn: (text) => void stderr.write(`majordomus: ${inert(text)}\n`),
    skipped: (files) => {
      for (const { path, reason } of files) stderr.write(`${inert(`warning: skipped ${path}: ${reason}`)}\n`);
    },
    token: (text) => void stderr.write(`${inert(text)}\n`),
    verbatim: write,
    get readerGone() {
      gone ??= new AbortController();
      if (hasLeft) gone.abort();
      return gone.signal;
    },
    fault: () => stdout.fault?.(),
  };
}
