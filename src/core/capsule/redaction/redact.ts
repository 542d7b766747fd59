import { CREDENTIAL_SHAPES } from "../../text/credentials.ts";
import { redactClientSecrets } from "./client-secrets.ts";
import { redactMarkup } from "./markup.ts";
import { namesSecret, redactNamedSecrets } from "./named-secrets.ts";
import { redactPrivateKeys } from "./private-keys.ts";
import { TOKEN_SHAPES } from "./token-shapes.ts";
import { redactBlocks, redactSaid } from "./written-out.ts";

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
  redacted = redactMarkup(redactBlocks(redactClientSecrets(redacted)));
  return redactSaid(redactNamedSecrets(redacted));
}

/** Deeper than any prompt of a provider. */
const DEEPEST = 64;

/** What a structure has under a key; text and numbers under the name of a secret are one. */
function redactNamed(isNamed: boolean, value: unknown, depth: number): unknown {
  if (!isNamed) return redactStructure(value, depth);
  if (typeof value === "string" && value !== "") return "[redacted:assignment]";
  if (Array.isArray(value)) return value.map((one) => redactNamed(true, one, depth + 1));
  return redactStructure(value, depth);
}

/** Whether a number is a secret under its key; `max_token: 4096` counts. */
function isNamedNumber(key: string, value: unknown): boolean {
  return typeof value === "number" && redactNamedSecrets(`${key}=${value}`) !== `${key}=${value}`;
}

/** The same within a structure: every text of it, and whatever stands under the name of a secret. */
export function redactStructure(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactCredentials(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) return "[redacted:depth]";
  if (Array.isArray(value)) return value.map((one) => redactStructure(one, depth + 1));
  const entries = Object.entries(value);
  const isNaming = entries.some(
    ([key, name]) => /^(?:name|key|id)$/i.test(key) && typeof name === "string" && namesSecret(name),
  );
  return Object.fromEntries(
    entries.map(([key, one]) => {
      const isNamed = namesSecret(key) || (isNaming && /^value$/i.test(key));
      const redacted = isNamedNumber(key, one)
        ? "[redacted:assignment]"
        : redactNamed(isNamed, one, depth + 1);
      return [redactCredentials(key), redacted];
    }),
  );
}
