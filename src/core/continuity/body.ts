import { sectionLines } from "../records/body-sections.ts";

/**
 * The text under a level-one heading, matched whatever its capitals (records.md 14.16), without outer blank
 * lines; undefined where there is none or it says nothing.
 */
export function sectionText(body: string, name: string): string | undefined {
  for (const line of body.split(/\r?\n/)) {
    const heading = /^# +(.+?)\s*$/.exec(line)?.[1];
    if (heading?.toLowerCase() !== name) continue;
    const text = sectionLines(body, heading)?.join("\n").trim();
    if (text !== undefined && text !== "") return text;
  }
  return undefined;
}
