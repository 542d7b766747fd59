import { createHash, timingSafeEqual } from "node:crypto";

/** Equal or not, in a time that tells nothing about where they differ, nor about their lengths. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function passwordOf(encoded: string): string {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}

/**
 * Whether a request carries the server's token.
 *
 * @param basic a browser's password counts too. It sends that by itself, to whoever makes it ask: only for
 *   pages that say nothing about the repository.
 */
export function carriesToken(headers: Headers, token: string, { basic = false } = {}): boolean {
  const [scheme = "", given = ""] = (headers.get("authorization") ?? "").split(" ", 2);
  if (/^bearer$/iu.test(scheme)) return sameSecret(given, token);
  return basic && /^basic$/iu.test(scheme) && sameSecret(passwordOf(given), token);
}
