import { CREDENTIAL_SHAPES } from "../../text/credentials.ts";
import { namesSecret, redactNamedSecrets } from "./named-secrets.ts";
import { redactPrivateKeys } from "./private-keys.ts";
import { TOKEN_SHAPES } from "./token-shapes.ts";
import { redactWrittenOut } from "./written-out.ts";

/** What is known better here: the lines of a key go with its header, and a named value goes whole. */
const OURS: ReadonlySet<string> = new Set(["private-key-header", "assignment"]);

const SHAPES = [...CREDENTIAL_SHAPES, ...TOKEN_SHAPES]
  .filter(({ name }) => !OURS.has(name))
  .map(({ name, pattern }) => ({
    name,
    everywhere: new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`),
  }));

/**
 * Puts `[redacted:<name>]` in the place of everything that has the shape of a credential, or is named as one: the table
 * of records.md 14.8, and what else a person pastes into a prompt. Too much is taken out rather than too little.
 */
export function redactCredentials(text: string): string {
  let redacted = redactPrivateKeys(text);
  for (const { name, everywhere } of SHAPES) {
    redacted = redacted.replace(everywhere, `[redacted:${name}]`);
  }
  return redactNamedSecrets(redactWrittenOut(redacted));
}

/** Deeper than any prompt of a provider. */
const DEEPEST = 64;

/** The same within a structure: every text of it, and whatever stands under the name of a secret. */
export function redactStructure(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactCredentials(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[redacted:depth]";
  if (Array.isArray(value)) return value.map((one) => redactStructure(one, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => {
      const named = typeof one === "string" && one !== "" && namesSecret(key);
      return [redactCredentials(key), named ? "[redacted:assignment]" : redactStructure(one, depth + 1)];
    }),
  );
}
