import type { Finding } from "../labels/terms.ts";

/** What is wrong, or right, with one thing. `reproduce` is a command that shows it and changes nothing. */
export function judgement(
  level: Finding["level"],
  category: string,
  subject: string,
  message: string,
  reproduce?: string,
): Finding {
  return { level, category, subject, message, ...(reproduce === undefined ? {} : { reproduce }) };
}

/** The first of many findings; the last one says how many more there are. */
export function firstOf(findings: Finding[], maximum: number): Finding[] {
  const [first] = findings;
  if (first === undefined || findings.length <= maximum) return findings;
  const rest = findings.length - maximum;
  return [...findings.slice(0, maximum), { ...first, subject: "...", message: `and ${rest} more` }];
}

/** The findings, or one that says that all is well. */
export function orWell(findings: readonly Finding[], well: Finding): Finding[] {
  return findings.some(({ level }) => level !== "OK" && level !== "INFO")
    ? [...findings]
    : [well, ...findings];
}
