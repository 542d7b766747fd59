import * as z from "zod/mini";
import { compareBytewise } from "../base/bytewise.ts";
import { minutesBetween, parseTimestamp } from "../base/time.ts";
import { hiddenRecords } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import type { RecordSummary } from "./summary.ts";

const text = z.string();

export const Trust = z.enum(["this_device", "trusted", "untrusted", "undeclared"]);

/** An admitted record as lists show it. */
export const RecordView = z.object({
  id: text,
  line: text,
  parent: z.optional(text),
  device: z.object({ node: text, label: text }),
  this_device: z.boolean(),
  trust: Trust,
  session: z.optional(text),
  branch: z.optional(text),
  head: z.optional(text),
  working_tree: z.enum(["clean", "dirty"]),
  changed_total: z.int(),
  published_at: text,
  /** Whole minutes by our clock and its stamp; absent for a stamp that cannot be read or lies ahead. */
  age_minutes: z.optional(z.int()),
  /** The task's title. */
  task: z.optional(text),
  issue: z.optional(text),
  /** The first line of the handover's objective. */
  objective: z.optional(text),
  /** Hidden on this machine by a person. */
  hidden: z.optional(z.boolean()),
});
export type RecordView = z.infer<typeof RecordView>;

/** Makes views of one place at one moment. */
export function recordViewer(place: ContinuityPlace): (record: RecordSummary) => RecordView {
  const hidden = hiddenRecords(place);
  const now = place.checkout.clock.now();
  return (record) => {
    const at = parseTimestamp(record.publishedAt);
    const age = at === undefined ? -1 : minutesBetween(at, now);
    const trust = place.trust.of(record.publicKey);
    const { parent, session, branch, head, task, issue, objective } = record;
    return {
      id: record.id,
      line: record.line,
      ...(parent === undefined ? {} : { parent }),
      device: { node: record.node, label: record.label },
      this_device: record.node === place.device?.node,
      trust,
      ...(session === undefined ? {} : { session }),
      ...(branch === undefined ? {} : { branch }),
      ...(head === undefined ? {} : { head }),
      working_tree: record.workingTree,
      changed_total: record.changedTotal,
      published_at: record.publishedAt,
      ...(age < 0 ? {} : { age_minutes: age }),
      ...(task === undefined ? {} : { task }),
      ...(issue === undefined ? {} : { issue }),
      ...(objective === undefined ? {} : { objective }),
      ...(hidden.has(record.id) ? { hidden: true } : {}),
    };
  };
}

/** By their own stamps, the latest first; equal ones by id. An order for the eye: lineage decides everything else. */
export function latestFirst(
  a: Pick<RecordSummary, "publishedAt" | "id">,
  b: Pick<RecordSummary, "publishedAt" | "id">,
): number {
  return compareBytewise(b.publishedAt, a.publishedAt) || compareBytewise(a.id, b.id);
}
