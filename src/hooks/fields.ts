import { isAbsolute } from "node:path";
import type { StartSource } from "../core/boundary/event.ts";
import { failed, ok, type Result } from "../core/base/result.ts";
import type { Payload } from "./payload.ts";

/** Reads single fields of a payload. Only own keys count, and nothing is turned into something else. */

/** The first of these keys that the payload has, whatever stands there. */
export function fieldOf(payload: Payload, ...keys: string[]): unknown {
  const key = keys.find((candidate) => Object.hasOwn(payload, candidate));
  return key === undefined ? undefined : payload[key];
}

/** The first of these keys that holds a text that is not empty. */
export function textOf(payload: Payload, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = fieldOf(payload, key);
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

/** The first of these keys that holds a path of this machine: absolute, without NUL. */
export function pathOf(payload: Payload, ...keys: string[]): string | undefined {
  const text = textOf(payload, ...keys);
  return text !== undefined && isUsablePath(text) ? text : undefined;
}

/** No system takes longer paths, in bytes. */
const PATH_BYTES = 4096;

export function isUsablePath(text: string): boolean {
  return isAbsolute(text) && !text.includes("\0") && Buffer.byteLength(text) <= PATH_BYTES;
}

/** The object under this key, or an empty one. */
export function objectOf(payload: Payload, key: string): Payload {
  const value = fieldOf(payload, key);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

const SESSION_BYTES = 1024;

/**
 * A provider session's id: a string of 1 to 1,024 bytes after trim, never coerced (decisions.md 1.1).
 *
 * @returns the id; undefined when the key is absent; or one line that says what is wrong.
 */
export function sessionOf(payload: Payload, ...keys: string[]): Result<string | undefined, string> {
  const value = fieldOf(payload, ...keys);
  if (value === undefined) return ok(undefined);
  if (typeof value !== "string") return failed("session id is not a string");
  const id = value.trim();
  if (id === "") return failed("session id is empty");
  const bytes = Buffer.byteLength(id);
  if (bytes > SESSION_BYTES) return failed(`session id is longer than ${SESSION_BYTES} bytes`);
  return ok(id);
}

const SOURCES: Readonly<Record<string, StartSource>> = {
  startup: "startup",
  new: "startup",
  resume: "resume",
  clear: "clear",
  compact: "compact",
  fork: "fork",
};

/** What started a session; undefined for a word that we do not know. */
export function sourceOf(payload: Payload): StartSource | undefined {
  const word = textOf(payload, "source");
  return word !== undefined && Object.hasOwn(SOURCES, word) ? SOURCES[word] : undefined;
}

export function triggerOf(payload: Payload): "manual" | "auto" | undefined {
  const word = textOf(payload, "trigger");
  return word === "manual" || word === "auto" ? word : undefined;
}
