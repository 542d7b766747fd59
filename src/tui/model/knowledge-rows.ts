import type { Slices } from "../slices.ts";
import { searchable } from "./rows.ts";
import type { Row } from "./rows.ts";

/** What waits for a person, the newest first: an old queue must not hide what was learned today. */
export function candidateRows(root: string, { candidates }: Slices): readonly Row[] {
  return (candidates.data?.candidates ?? []).toReversed().map((candidate) => {
    const { id, title, description, episode, branch, evidence, date, faults } = candidate;
    return {
      kind: "candidate",
      id: `${root}\0candidate\0${id}`,
      root,
      search: searchable(
        id,
        candidate.class,
        title,
        description,
        episode ?? undefined,
        branch ?? undefined,
        evidence,
        date,
        ...faults,
      ),
      candidate,
    };
  });
}
