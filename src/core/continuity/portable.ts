import { judgeReceivedText, judgeRepositoryPath } from "../text/portability.ts";
import type { PortabilityFinding } from "../text/portability.ts";
import { pointerTo } from "./record.ts";
import type { ContinuityRecord } from "./record.ts";

/** One text of a record, and where it stands. */
export interface TextField {
  /** JSON pointer below the record. */
  pointer: string;
  text: string;
}

/** A text that may not travel. */
export interface FieldFinding extends PortabilityFinding {
  pointer: string;
}

/** Every text of a record, in its order. */
export function textsOf(record: ContinuityRecord): TextField[] {
  const texts: TextField[] = [];
  const walk = (value: unknown, path: readonly PropertyKey[]): void => {
    if (typeof value === "string") texts.push({ pointer: pointerTo(path), text: value });
    else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) walk(member, [...path, key]);
    }
  };
  walk(record, []);
  return texts;
}

const REPOSITORY_PATH = /^\/(?:source\/changed|task\/scope)\/\d+$/;

/** The first text of a record that a judgement or the rule for paths refuses; a secret before everything else. */
export function findUnportable(
  record: ContinuityRecord,
  judge: (text: string) => PortabilityFinding | undefined = judgeReceivedText,
): FieldFinding | undefined {
  let first: FieldFinding | undefined;
  for (const { pointer, text } of textsOf(record)) {
    const finding = judge(text) ?? judgePath(pointer, text);
    if (finding === undefined) continue;
    if (finding.kind === "secret") return { ...finding, pointer };
    first ??= { ...finding, pointer };
  }
  return first;
}

function judgePath(pointer: string, text: string): PortabilityFinding | undefined {
  if (!REPOSITORY_PATH.test(pointer)) return undefined;
  const shape = judgeRepositoryPath(text);
  return shape === undefined ? undefined : { kind: "nonportable_field", shape };
}
