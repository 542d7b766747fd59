import type { BatchedFile } from "../../fs/read-batch.ts";

/** A line that holds the text. */
export interface FoundLine {
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

const NEWLINE = "\n";

/** Finds a text, whatever the case of its letters, in bytes. */
export interface TextFinder {
  /** Every line of the files of a batch that holds it, each once. */
  inBatch(buffer: Buffer, files: readonly BatchedFile[]): FoundLine[];
}

/**
 * Byte by byte where the text is ASCII: a pattern finds it whatever the case of its letters, in characters that
 * are bytes. No second text in lower case is made of what is looked through.
 */
class AsciiFinder implements TextFinder {
  private readonly pattern: RegExp;
  private readonly length: number;

  constructor(wanted: string) {
    this.pattern = new RegExp(wanted.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), "gi");
    this.length = wanted.length;
  }

  inBatch(buffer: Buffer, files: readonly BatchedFile[]): FoundLine[] {
    const text = buffer.toString("latin1", 0, files.at(-1)?.end ?? 0);
    const found: FoundLine[] = [];
    let place = 0;
    for (let hit = this.next(text, 0); hit !== -1;) {
      while ((files[place]?.end ?? Infinity) <= hit) place += 1;
      const file = files[place];
      if (file === undefined) break;
      // A hit that reaches into the next file is none. One line is found once.
      let from = hit + 1;
      if (hit + this.length <= file.end) {
        const line = lineAround(text, hit, file);
        found.push({
          path: file.path,
          line: countNewlines(text, file.start, line.start) + 1,
          text: buffer.toString("utf8", line.start, line.end).replace(/\r$/, ""),
        });
        from = line.end;
      }
      hit = this.next(text, from);
    }
    return found;
  }

  private next(text: string, from: number): number {
    this.pattern.lastIndex = from;
    return this.pattern.exec(text)?.index ?? -1;
  }
}

function lineAround(text: string, hit: number, file: BatchedFile): { start: number; end: number } {
  const before = hit === 0 ? -1 : text.lastIndexOf(NEWLINE, hit - 1);
  const after = text.indexOf(NEWLINE, hit);
  return {
    start: Math.max(file.start, before + 1),
    end: after === -1 ? file.end : Math.min(file.end, after),
  };
}

function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf(NEWLINE, start); at !== -1 && at < end; at = text.indexOf(NEWLINE, at + 1)) {
    count += 1;
  }
  return count;
}

/** Line by line for every other text: a change of case may change how many bytes a character has. */
class WideFinder implements TextFinder {
  private readonly wanted: string;

  constructor(wanted: string) {
    this.wanted = wanted.toLowerCase();
  }

  inBatch(buffer: Buffer, files: readonly BatchedFile[]): FoundLine[] {
    return files.flatMap(({ path, start, end }) => {
      const text = buffer.toString("utf8", start, end);
      if (!text.toLowerCase().includes(this.wanted)) return [];
      return text
        .split(/\r?\n/)
        .flatMap((line, index) =>
          line.toLowerCase().includes(this.wanted) ? [{ path, line: index + 1, text: line }] : [],
        );
    });
  }
}

/** @param wanted one line, not empty. */
export function finderOf(wanted: string): TextFinder {
  return /^[\x20-\x7e\t]*$/.test(wanted) ? new AsciiFinder(wanted) : new WideFinder(wanted);
}
