const PLAIN = /^[\w@%+=:,./-]+$/;

/** A text as one word of a POSIX shell's command line. */
export function shellWord(text: string): string {
  // A word that begins like an option would be taken for one.
  if (PLAIN.test(text) && !text.startsWith("-")) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
