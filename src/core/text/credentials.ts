/** A shape that credentials have, and its name in findings. */
export interface CredentialShape {
  name: string;
  pattern: RegExp;
}

/*
 * The table that prompts and travelling records share (records.md 14.8), in its order. A key that begins
 * with a short word must not go on from another letter or digit: `task-` and `disk-` are ordinary words.
 */
export const CREDENTIAL_SHAPES: readonly CredentialShape[] = [
  { name: "anthropic-key", pattern: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{16,}/ },
  { name: "openai-key", pattern: /(?<![A-Za-z0-9])sk-(?:proj-)?[A-Za-z0-9_-]{20,}/ },
  { name: "github-token", pattern: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9_]{20,}/ },
  { name: "github-pat", pattern: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{20,}/ },
  { name: "aws-access-key-id", pattern: /(?<![A-Za-z0-9])AKIA[0-9A-Z]{16}/ },
  { name: "google-api-key", pattern: /(?<![A-Za-z0-9])AIza[0-9A-Za-z_-]{35}/ },
  { name: "slack-token", pattern: /(?<![A-Za-z0-9])xox[abprs]-[A-Za-z0-9-]{10,}/ },
  { name: "stripe-key", pattern: /(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/ },
  { name: "private-key-header", pattern: /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/ },
  { name: "bearer-token", pattern: /(?<![A-Za-z0-9])[Bb]earer [A-Za-z0-9._~+/=-]{20,}/ },
  {
    name: "assignment",
    pattern:
      /(?:api[-_]?key|access[-_]?token|secret[-_]?key|password)["']?[ \t]*[:=][ \t]*["']?[A-Za-z0-9._~+/-]{16,}/i,
  },
];

/** What a redaction leaves behind: where it stands, a credential stood. */
const REDACTED = new RegExp(`\\[redacted:(?:${CREDENTIAL_SHAPES.map(({ name }) => name).join("|")})\\]`);

/** Keys that are still keys when a line break was put into them. The other shapes have blanks in them, as prose has. */
const WHOLE_KEYS: ReadonlySet<string> = new Set([
  "anthropic-key",
  "openai-key",
  "github-token",
  "github-pat",
  "aws-access-key-id",
  "google-api-key",
  "slack-token",
  "stripe-key",
]);

/** A URL that carries a user and a password. */
const URL_WITH_PASSWORD = /[A-Za-z][A-Za-z0-9+.-]{0,31}:\/\/[^\s/?#"'<>@:]{0,256}:[^\s/?#"'<>@]{1,256}@/;

/** The first shape of the table that stands in a text. */
export function findCredential(text: string): string | undefined {
  const shape = CREDENTIAL_SHAPES.find(({ pattern }) => pattern.test(text))?.name;
  return shape ?? (REDACTED.test(text) ? "redacted-credential" : undefined);
}

/** A key that was broken over lines, in a text whose line breaks are taken out. */
export function findBrokenCredential(joined: string): string | undefined {
  return CREDENTIAL_SHAPES.find(({ name, pattern }) => WHOLE_KEYS.has(name) && pattern.test(joined))?.name;
}

/** Whether a URL with a password stands in a text. */
export function hasPasswordUrl(text: string): boolean {
  return URL_WITH_PASSWORD.test(text);
}
