const PLAIN = /^[\w@%+=:,./-]+$/;

/** A text as one word of a POSIX shell's command line. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
