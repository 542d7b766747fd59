import type { HintsAnswer } from "../../core/labels/terms.ts";
import { fact } from "./facts.ts";
import type { Line } from "./line.ts";
import { shortHead } from "./names.ts";

/** Where the change of a commit went that is not in this history; nothing where git proves nothing. */
export function hintLines(
  hints: Pick<HintsAnswer, "rebased_to" | "merged_as"> | undefined,
  width: number,
): readonly Line[] {
  const { rebased_to: rebased, merged_as: merged } = hints ?? {};
  const at = (commit: string | undefined, says: string): string | undefined =>
    commit === undefined ? undefined : `${shortHead(commit)}, ${says}`;
  return [
    ...fact("rebased_to", at(rebased, "which makes the same change in this history"), width, "info"),
    ...fact("merged_as", at(merged, "which makes all the changes of its branch at once"), width, "info"),
  ];
}
