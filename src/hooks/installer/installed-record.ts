import { join } from "node:path";
import * as z from "zod/mini";
import { sha256Hex } from "../../core/base/id.ts";
import { readText } from "../../core/fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../../core/fs/write.ts";

const SCHEMA = "majordomus-installed/v1";

/** What an installation did to one file, kept so that it can be undone byte for byte. */
const InstalledRecord = z.object({
  schema: z.literal(SCHEMA),
  path: z.string(),
  /** The file before us, as base64; null where there was none. */
  original: z.nullable(z.string()),
  /** SHA-256 of what we wrote. */
  written: z.string(),
  made: z.object({ hooks: z.boolean(), events: z.array(z.string()) }),
  /** Directories that we made for it, innermost first. */
  directories: z.array(z.string()),
});
export type InstalledRecord = z.infer<typeof InstalledRecord>;

const MAXIMUM_BYTES = 16 * 1024 * 1024;

function recordPath(directory: string, path: string): string {
  return join(directory, `${sha256Hex(path).slice(0, 32)}.json`);
}

/** The record of a file; undefined when there is none, or none that can be believed. */
export function readInstalled(directory: string, path: string): InstalledRecord | undefined {
  const text = readText(recordPath(directory, path), { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return undefined;
  try {
    const record = InstalledRecord.parse(JSON.parse(text.value));
    return record.path === path ? record : undefined;
  } catch {
    return undefined;
  }
}

export function writeInstalled(directory: string, record: Omit<InstalledRecord, "schema">): void {
  makeDirectory(directory, 0o700);
  const text = `${JSON.stringify({ schema: SCHEMA, ...record }, null, 2)}\n`;
  writeAtomic(recordPath(directory, record.path), text, { mode: 0o600, durable: true });
}

export function dropInstalled(directory: string, path: string): void {
  removeFile(recordPath(directory, path));
}

/** True when these are the very bytes that the record says we wrote. */
export function isAsWritten(record: InstalledRecord, bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && sha256Hex(bytes) === record.written;
}

/** The bytes before us; undefined where there was no file. */
export function originalOf(record: InstalledRecord): Buffer | undefined {
  return record.original === null ? undefined : Buffer.from(record.original, "base64");
}
