import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";

export const PAYLOADS = join(import.meta.dirname, "../../fixtures/payloads");

interface IndexEntry {
  file: string;
  provider: string;
  role: "stdin" | "stdout" | "config" | "argv" | "plugin-call";
}

export interface SamplePayload {
  file: string;
  provider: string;
  role: IndexEntry["role"];
  /** The event that the command line of this hook would name. */
  event: string;
  bytes: Buffer;
}

/** Every sample that a hook, or a plugin for it, could be called with. */
export function samplePayloads(): SamplePayload[] {
  const index = JSON.parse(readFileSync(join(PAYLOADS, "index.json"), "utf8")) as { entries: IndexEntry[] };
  return index.entries
    .filter((entry) => entry.provider !== "*" && (entry.role === "stdin" || entry.role === "plugin-call"))
    .filter((entry) => !basename(entry.file).startsWith("statusline"))
    .map((entry) => ({ ...entry, event: eventOf(entry), bytes: readFileSync(join(PAYLOADS, entry.file)) }));
}

function eventOf(entry: IndexEntry): string {
  const name = basename(entry.file, ".json");
  if (entry.provider === "opencode") return name.replace(/\.busy$/, "");
  return name.split(".")[0] ?? name;
}

export function samplePayload(file: string): SamplePayload {
  const sample = samplePayloads().find((candidate) => candidate.file === file);
  if (sample === undefined) throw new Error(`no sample ${file}`);
  return sample;
}

/** The broken inputs, by file name. */
export function malformedInputs(): { file: string; path: string; bytes: Buffer }[] {
  const directory = join(PAYLOADS, "_malformed");
  return readdirSync(directory)
    .toSorted()
    .map((file) => join(directory, file))
    .map((path) => ({ file: relative(directory, path), path, bytes: readFileSync(path) }));
}
