import { composeProcedure, WHOLE } from "../capsule/procedure.ts";
import type { ResumeDepth, ResumeFacts } from "../capsule/procedure.ts";

/** Composes a briefing of at most so many UTF-8 bytes, its most important lines first. */
export type Briefing = (maximumBytes: number) => string;

/** Of the 9,000 bytes that a provider takes, what each part may use (decisions.md 1). */
export const START_BYTES = 9000;
export const PROCEDURE_BYTES = 5500;
export const BRIEFING_BESIDE_PROCEDURE = 3300;
export const ORIENTATION_BYTES = 2500;
const BRIEFING_SHRUNK = 1000;

const LEFT_OUT = "The briefing was left out here; `majordomus context` prints it.\n";

const COUNTED: ResumeDepth = { rejections: "counts", values: WHOLE.values };
const SHORT: ResumeDepth = { rejections: "counts", values: { characters: 200, bytes: 420 } };

/** Fences, steps and declared lines are never cut: the lines that an install declares are no part of the measure. */
function declaredBytes({ extension, acknowledgement }: ResumeFacts): number {
  const lines = [...extension.resume_preload, ...extension.resume_reground, acknowledgement.line ?? ""];
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 100, 0);
}

/**
 * Puts the procedure before the briefing, within what a provider takes. When they are too long together, the
 * briefing shrinks first, then the rejections become counts, then values are cut, then the briefing becomes the
 * name of its command (decisions.md 1.13); each cut is announced where it is made.
 *
 * @param briefing undefined where the policy wants none.
 */
export function composeClear(facts: ResumeFacts, briefing: Briefing | undefined): string {
  const limit = PROCEDURE_BYTES + declaredBytes(facts);
  const depths = [WHOLE, COUNTED, SHORT].map((depth) => composeProcedure(facts, depth));
  const fitting = depths.find((text) => Buffer.byteLength(text) <= limit) ?? depths.at(-1) ?? "";
  const told = (text: string | undefined): string => (text === undefined ? "" : `\n${text}`);
  const attempts: (() => readonly [procedure: string, briefing: string | undefined])[] = [
    () => [fitting, briefing?.(BRIEFING_BESIDE_PROCEDURE)],
    ...depths
      .slice(depths.indexOf(fitting))
      .map((text) => () => [text, briefing?.(BRIEFING_SHRUNK)] as const),
    () => [depths.at(-1) ?? fitting, briefing === undefined ? undefined : LEFT_OUT],
  ];
  let whole = "";
  for (const attempt of attempts) {
    const [procedure, brief] = attempt();
    whole = `${procedure}${told(brief)}`;
    if (Buffer.byteLength(whole) <= START_BYTES) return whole;
  }
  return whole;
}
