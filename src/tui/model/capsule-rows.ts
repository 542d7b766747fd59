import type { CapsuleFile } from "../../core/capsule/answers.ts";
import type { Slices } from "../slices.ts";
import { searchable, textRows } from "./rows.ts";
import type { Row, RowOf } from "./rows.ts";

function capsuleRow(root: string, file: CapsuleFile, slices: Slices): RowOf<"capsule"> {
  const { name, verdict, detail, field, id, status, objective } = file;
  const selected = slices.selection.data?.capsule ?? undefined;
  return {
    kind: "capsule",
    id: `${root}\0capsule\0${name}`,
    root,
    search: searchable(name, verdict, detail, field, id, status, objective),
    file,
    values: selected?.name === name ? selected : undefined,
  };
}

/** Selected, then what should have been selectable and is not, then the ordinary past; each by age as named. */
function rankOf({ verdict, ordinary }: CapsuleFile): number {
  if (verdict === "selected") return 0;
  return ordinary ? 2 : 1;
}

/** Every capsule on disk with its verdict. */
export function capsuleRows(root: string, slices: Slices): readonly Row[] {
  const newestFirst = (slices.capsules.data?.files ?? []).toReversed();
  return newestFirst
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .map((file) => capsuleRow(root, file, slices));
}

/** The one that would be resumed, as one row of the overview. */
export function selectedCapsule(root: string, slices: Slices): readonly Row[] {
  const values = slices.selection.data?.capsule;
  if (values === undefined || values === null) return [];
  const { name, id, status, objective, created_at, autosave } = values;
  const file: CapsuleFile = {
    name,
    verdict: "selected",
    ordinary: true,
    id,
    status,
    objective,
    created_at,
    autosave,
  };
  return [capsuleRow(root, file, slices)];
}

/** The procedure as a clear would print it now, a row a line. */
export function procedureRows(root: string, { procedure }: Slices): readonly Row[] {
  return textRows(root, "procedure", "What a clear would print now", procedure.data?.procedure);
}
