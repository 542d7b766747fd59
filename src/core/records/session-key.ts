import { sha256Hex } from "../base/id.ts";

const KEY_BYTES = 64;
/** 64 less `-` and eight hex digits. */
const DISTINCT_PREFIX_BYTES = 55;

const KEY_BYTE = /[A-Za-z0-9._-]/;
const STORED_BYTE = /[A-Za-z0-9._:@/-]/;

/** Byte for byte: what is not allowed becomes `-`, runs of `-` become one, the rest is cut to 64 bytes. */
function squeezed(raw: string, allowed: RegExp): string {
  let result = "";
  for (const byte of Buffer.from(raw, "utf8")) {
    const character = String.fromCharCode(byte);
    const next = allowed.test(character) ? character : "-";
    if (next === "-" && result.endsWith("-")) continue;
    if (result.length === KEY_BYTES) break;
    result += next;
  }
  return result;
}

/**
 * The file name of an episode's open file, without its suffix, from the provider session's raw id
 * (records.md 3.2). Never empty, never a path, at most 65 bytes. Different raw ids may share a key:
 * {@link distinctSessionKey} is the way out.
 */
export function sessionKey(raw: string): string {
  const key = squeezed(raw, KEY_BYTE).replace(/^-/, "").replace(/-$/, "");
  if (key === "") return "hand";
  return /^\.+$/.test(key) ? `_${key}` : key;
}

/** The key of a session whose plain key already belongs to another raw id: 55 bytes, `-`, 8 hex of SHA-256. */
export function distinctSessionKey(raw: string): string {
  return `${sessionKey(raw).slice(0, DISTINCT_PREFIX_BYTES)}-${sha256Hex(raw).slice(0, 8)}`;
}

/** A provider session id as records store it (records.md 3.2); undefined when nothing is left of it. */
export function storedSessionId(raw: string | null | undefined): string | undefined {
  const stored = squeezed(raw ?? "", STORED_BYTE)
    .replace(/^-/, "")
    .replace(/-$/, "");
  return stored === "" ? undefined : stored;
}
