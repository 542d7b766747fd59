import { hash, timingSafeEqual } from "node:crypto";

const digestOf = (text: string): Buffer => hash("sha256", text, "buffer");

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
export type TokenCheck = (headers: Headers, options?: { basic?: boolean }) => boolean;

/**
 * Makes the check of one token: it is compared in a time that tells nothing about where a guess differs, nor about
 * lengths.
 */
export function createTokenCheck(token: string): TokenCheck {
  const expected = digestOf(token);
  const isToken = (given: string): boolean => timingSafeEqual(digestOf(given), expected);
  return (headers, { basic = false } = {}) => {
    const [scheme = "", given = ""] = (headers.get("authorization") ?? "").split(" ", 2);
    if (/^bearer$/iu.test(scheme)) return isToken(given);
    return basic && /^basic$/iu.test(scheme) && isToken(passwordOf(given));
  };
}
