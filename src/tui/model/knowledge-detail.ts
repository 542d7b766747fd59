import type { Evidence, ShowAnswer } from "../../core/knowledge/answers.ts";
import { daysSince } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { excerptLines, fact, factList, textLines } from "./facts.ts";
import { EVIDENCE, evidenceSpan } from "./labels.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import type { RowOf } from "./rows.ts";
import type * as z from "zod/mini";

type Shown = z.infer<typeof ShowAnswer>;

function evidenceLines(evidence: readonly z.infer<typeof Evidence>[], width: number): readonly Line[] {
  return evidence.flatMap(({ reference, state, reason }, index) =>
    fact(index === 0 ? "evidence" : "", `${reference}: ${state}, ${reason}`, width, EVIDENCE[state].tone),
  );
}

function chainLines(shown: Shown, width: number): readonly Line[] {
  const named = (links: Shown["supersedes"]): string[] =>
    links.map(({ id, title, status }) => `${title} (${status}, ${id})`);
  return [
    ...factList("replaces", named(shown.supersedes), width),
    ...factList("replaced by", named(shown.superseded_by), width, "warn"),
    ...fact("chain", shown.chain_fault ?? undefined, width, "bad"),
  ];
}

/** A candidate with what it rests on, and the record whole as soon as it was read. */
export function candidateDetail(
  { candidate }: RowOf<"candidate">,
  { width, now, slices }: DetailContext,
): readonly Line[] {
  const { id, title, description, epistemics, date, episode, branch, evidence, faults, path } = candidate;
  const answer = slices?.candidate.data;
  const shown = answer?.record.id === id ? answer : undefined;
  return [
    [span(show(candidate.class), "accent"), span(`  ${show(epistemics)}  `, "muted"), evidenceSpan(evidence)],
    ...textLines(title, width),
    ...fact("", description, width, "muted"),
    ...factList("fault", faults, width, "bad"),
    ...fact("recorded", `${date}  ${daysSince(date, now)}`, width),
    ...fact("episode", episode ?? "none named", width),
    ...fact("branch", branch ?? "unknown here", width),
    ...(shown === undefined ? [] : evidenceLines(shown.evidence, width)),
    ...(shown === undefined ? [] : chainLines(shown, width)),
    ...fact("signature", shown?.signature.reason, width, "muted"),
    ...fact("record", path, width, "muted"),
    ...(shown === undefined ? [] : [[], ...excerptLines(shown.record.text.trim(), width)]),
  ];
}
