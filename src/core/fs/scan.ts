import { DEFAULT_LINE_BYTES, scanRegions, type ScanEnd, type ScanOptions } from "./scan-regions.ts";

export type { ScanEnd, ScanOptions } from "./scan-regions.ts";

/**
 * One line: `buffer[start, end)` without its line ending, and the offset in the file at which it begins.
 * The buffer is used again after the call: take what you need with `buffer.toString("utf8", start, end)`.
 */
export type VisitLine = (buffer: Buffer, start: number, end: number, offset: number) => void;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The end of a line's text, given where its newline stands: a carriage return before it is no text. */
function textEnd(buffer: Buffer, start: number, newline: number): number {
  return newline > start && buffer[newline - 1] === CARRIAGE_RETURN ? newline - 1 : newline;
}

/**
 * Visits every complete line of a log that begins at or after `from`, which must itself be the start of a
 * line. An unfinished last line is counted in `tornBytes` and never visited. An absent file has no lines; when
 * `from` lies beyond the end, `consumed` is `from` and `size` tells that the file was cut.
 *
 * @throws MajordomusError 13 when the path is not a regular file or cannot be read.
 */
export function scanLines(path: string, from: number, visit: VisitLine, options: ScanOptions = {}): ScanEnd {
  const maximum = options.maximumLineBytes ?? DEFAULT_LINE_BYTES;
  return scanRegions(
    path,
    from,
    (buffer, regionEnd, offset) => {
      for (let start = 0; start < regionEnd;) {
        const newline = buffer.indexOf(NEWLINE, start);
        const end = textEnd(buffer, start, newline);
        if (newline - start > maximum) options.onOversized?.(offset + start, newline - start);
        else visit(buffer, start, end, offset + start);
        start = newline + 1;
      }
    },
    options,
  );
}

/**
 * Visits only the lines that contain the bytes of `needle`, several times faster than `scanLines`: line
 * bounds are looked for only around a hit. It is a filter, not a proof: the needle may stand anywhere in the
 * line. Otherwise as `scanLines`, but that `onOversized` need not hear of long lines without the needle.
 */
export function scanMatching(
  path: string,
  needle: Buffer | string,
  from: number,
  visit: VisitLine,
  options: ScanOptions = {},
): ScanEnd {
  const wanted = typeof needle === "string" ? Buffer.from(needle) : needle;
  if (wanted.length === 0) return scanLines(path, from, visit, options);
  const maximum = options.maximumLineBytes ?? DEFAULT_LINE_BYTES;
  return scanRegions(
    path,
    from,
    (buffer, regionEnd, offset) => {
      const region = buffer.subarray(0, regionEnd);
      let hit = region.indexOf(wanted);
      while (hit !== -1) {
        const start = hit === 0 ? 0 : region.lastIndexOf(NEWLINE, hit - 1) + 1;
        const newline = region.indexOf(NEWLINE, hit);
        const end = textEnd(region, start, newline);
        // A hit that reaches into the line ending is none, and hides none before it.
        const inside = hit + wanted.length <= end;
        if (inside && newline - start > maximum) options.onOversized?.(offset + start, newline - start);
        else if (inside) visit(buffer, start, end, offset + start);
        hit = region.indexOf(wanted, newline + 1);
      }
    },
    options,
  );
}
