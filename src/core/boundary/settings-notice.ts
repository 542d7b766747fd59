import { clip, inert } from "../text/inert.ts";

const LONGEST = 600;

/**
 * What a start tells in the briefing's place where the settings cannot be read: what is wrong, where, and how to mend
 * it. One line; a hook that says nothing would look like one that is not installed.
 */
export function settingsNotice(reason: string): string {
  const cause = clip(inert(reason), LONGEST);
  return `Majordomus cannot work here: ${cause}. The next prompt after that makes up for this start.\n`;
}
