import { CREDENTIAL_SHAPES } from "../text/credentials.ts";

/** The name of an assignment stays, so that a reader knows what was taken out. */
const ASSIGNED = /^([^:=]*[:=][ \t]*["']?).*$/s;
const URL_PASSWORD = /([A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/[^\s/?#"'<>@:]{0,256}:)[^\s/?#"'<>@]{1,256}@/g;

/** Puts `[redacted:<name>]` in the place of everything that has the shape of a credential (records.md 14.8). */
export function redactCredentials(text: string): string {
  let redacted = text;
  for (const { name, pattern } of CREDENTIAL_SHAPES) {
    const everywhere = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
    redacted = redacted.replace(everywhere, (found) => {
      const kept = name === "assignment" ? (ASSIGNED.exec(found)?.[1] ?? "") : "";
      return `${kept}[redacted:${name}]`;
    });
  }
  return redacted.replace(URL_PASSWORD, (_, start: string) => `${start}[redacted:url-password]@`);
}
