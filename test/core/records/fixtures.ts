import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The layer of a repository that was run by the original. */
export const ORIGINAL = fileURLToPath(new URL("../../fixtures/original/", import.meta.url));
export const ORIGINAL_SESSIONS = join(ORIGINAL, "repo/sessions");
export const ORIGINAL_STATE = join(ORIGINAL, "local/state");

const GOLDEN = fileURLToPath(new URL("../../fixtures/golden/", import.meta.url));

export function golden(name: string): unknown {
  return JSON.parse(readFileSync(join(GOLDEN, name), "utf8"));
}

/** Name and text of every file of a directory that ends with `suffix`, context documents left out. */
export function textsOf(directory: string, suffix: string): [name: string, text: string][] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(suffix) && name !== "README.md")
    .map((name) => [name, readFileSync(join(directory, name), "utf8")]);
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), "majordomus-records-"));
}

/** A text that a fixture must have in it exactly once, replaced. */
export function edited(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`${from} is not there exactly once`);
  return text.replace(from, () => to);
}
