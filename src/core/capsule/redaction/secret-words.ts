/** A word that says of a name, or of what a sentence tells of, that it is a secret. */
interface SecretWord {
  /** As a pattern without case; a compound is one word. */
  word: string;
  /** What a person types to get in may be several words, which no key of a service is. */
  isTyped?: true;
  /** Too short to be found within other words: in a name it stands as a part of its own. */
  isPart?: true;
}

/**
 * Every word that names a secret, for all forms in which one is written: a word that is added here is known as the name
 * of a value, as an option, as an element, in a header, in a table and in a sentence.
 */
const WORDS: readonly SecretWord[] = [
  { word: "password", isTyped: true },
  { word: "passwd", isTyped: true },
  { word: "passphrase", isTyped: true },
  { word: "passcode", isTyped: true },
  { word: "pwd", isTyped: true },
  { word: "pin[-_ ]?code", isTyped: true },
  { word: "(?:seed|recovery)[-_ ]?(?:phrase|code|words)", isTyped: true },
  { word: "token" },
  { word: "secret" },
  { word: "credentials?" },
  {
    word: "(?:api|app|access|account|auth|client|deploy|encryption|license|master|private|recovery|secret|service|shared|signing|ssh|storage|subscription|webhook)[-_. ]?key",
  },
  { word: "oauth2?[-_]bearer" },
  { word: "pass", isTyped: true, isPart: true },
  { word: "pw", isTyped: true, isPart: true },
  { word: "auth", isPart: true },
  { word: "key", isPart: true },
];

const patternOf = (words: readonly SecretWord[]): string => `(?:${words.map(({ word }) => word).join("|")})`;

/** Any of the words; a part has yet to be looked at with `isPartOfName`. */
export const SECRET_WORD = patternOf(WORDS);

/** The words that say so in markup, where `branch-key` is a place to be filled in. */
export const NAME_WORD = patternOf(
  WORDS.filter(({ isPart, isTyped }) => isPart !== true || isTyped === true),
);

/** The words that stand for a secret in a sentence: not the parts, which are words of any sentence. */
export const SAID_WORD = patternOf(WORDS.filter(({ isPart }) => isPart !== true));

/** The words for what a person types, of which a sentence or a line may tell without more ado. */
export const TYPED_WORD = patternOf(
  WORDS.filter(({ isTyped, isPart }) => isTyped === true && isPart !== true),
);

const WHOLE_NAME = new RegExp(`^(?:[A-Za-z]+[-_.])*${SECRET_WORD}s?(?:[-_.][A-Za-z]*\\d{0,2}){0,4}$`, "i");

/** Whether a text is the name of a secret, which may stand in the place of one: `env("DB_PASSWORD", "access_token")`. */
export const isNameOfSecret = (text: string): boolean => WHOLE_NAME.test(text);

const matcher = (words: readonly SecretWord[]): RegExp => new RegExp(`^${patternOf(words)}$`, "i");
const TYPED = matcher(WORDS.filter(({ isTyped }) => isTyped === true));
const PART = matcher(WORDS.filter(({ isPart }) => isPart === true));
const TYPED_PART = matcher(WORDS.filter(({ isPart, isTyped }) => isPart === true && isTyped === true));

export const isTypedWord = (word: string): boolean => TYPED.test(word);

/** Whether a word is too short to be meant wherever it stands. */
export const isPart = (word: string): boolean => PART.test(word);

/** Whether a short word stands by itself in a text, with no name before it, and is one that a person means so. */
export function isAlone(text: string, at: number, word: string): boolean {
  return TYPED_PART.test(word) && !/[\w.-]/.test(text.charAt(at - 1));
}

/** Whether a short word is a part of the name it stands in: `db_pass`, `DB-PASS`, `dbPass`; not `compass`. */
export function isPartOfName(text: string, at: number, word: string): boolean {
  const before = text.charAt(at - 1);
  if (/[-_.]/.test(before)) return true;
  return TYPED_PART.test(word) && /[a-z0-9]/.test(before) && /^[A-Z]/.test(word);
}
