import { sectionText } from "./body.ts";
import type { SignedRecord } from "./record.ts";

/** What lineage, lists and offers need of an admitted record; the whole is read where it is acted on. */
export interface RecordSummary {
  id: string;
  /** The git object of its file. */
  blob: string;
  publicKey: string;
  /** The line that it declares, or its own id. */
  line: string;
  parent?: string;
  node: string;
  label: string;
  session?: string;
  branch?: string;
  head?: string;
  workingTree: "clean" | "dirty";
  changedTotal: number;
  publishedAt: string;
  handoverId: string;
  task?: string;
  issue?: string;
  milestone?: string;
  /** The first line of its objective. */
  objective?: string;
}

/** Takes out of an admitted record what is kept in memory of it. */
export function summariseRecord(
  blob: string,
  { id, public_key: publicKey, record }: SignedRecord,
): RecordSummary {
  const { device, source, handover } = record;
  const objective = sectionText(handover.body, "objective")?.split("\n")[0];
  const optional = {
    parent: record.parent,
    session: record.session,
    branch: source.branch,
    head: source.head,
    task: record.task?.title,
    issue: handover.issue,
    milestone: handover.milestone,
    objective,
  };
  return {
    id,
    blob,
    publicKey,
    line: record.line ?? id,
    node: device.node,
    label: device.label,
    workingTree: source.working_tree,
    changedTotal: source.changed_total,
    publishedAt: record.published_at,
    handoverId: handover.id,
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<
      typeof optional
    > as object),
  };
}
