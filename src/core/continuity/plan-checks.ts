import { minutesBetween, parseTimestamp } from "../base/time.ts";
import { RECOMMEND } from "./commands.ts";
import type { Recommendation } from "./commands.ts";
import type { Lineage } from "./lineage.ts";
import type { PlanStatus } from "./plan-answer.ts";
import type { SignedRecord, SourceState } from "./record.ts";
import type { SourceRelation } from "./source-relation.ts";
import type { RecordSummary } from "./summary.ts";
import type { Trust } from "./trust.ts";

/** Everything that the checks look at; nothing of it is asked for any more. */
export interface PlanFacts {
  record: RecordSummary;
  signed: SignedRecord;
  /** A person named this very record. */
  explicit: boolean;
  trust: Trust;
  /** Why an untrusted key is. */
  whyUntrusted: string;
  lineage: Lineage;
  /** Whether the store has a record. */
  has: (id: string) => boolean;
  /** The records that nothing goes on from, of this record's line. */
  heads: readonly RecordSummary[];
  /** What this branch stands on. */
  position: RecordSummary | undefined;
  ownNode: string | undefined;
  /** Milliseconds since the epoch. */
  now: number;
  relation: SourceRelation;
  local: SourceState;
  /** The remote that commands name. */
  remote: string;
}

type Verdict = Extract<PlanStatus, "refused" | "conflict" | "requires_source_update">;

interface Check {
  code: string;
  /** What it does to the plan; a warning where there is no verdict. */
  verdict?: Verdict;
  /** Only a warning for a record that a person named. */
  yields?: boolean;
  /** What is found, as one clause; undefined where the check is passed. */
  find: (facts: PlanFacts) => string | undefined;
  action?: (facts: PlanFacts) => Recommendation[];
}

/** An episode that is open is taken for lived in for so long. */
const ACTIVE_MINUTES = 60;
const NAMED_PATHS = 5;

const short = (id: string): string => id.slice(0, 12);
const commit = (id: string | undefined): string => (id ?? "").slice(0, 7);

function paths({ changed = [], changed_total: total }: SourceState): string {
  const named = changed.slice(0, NAMED_PATHS).join(", ");
  return total > NAMED_PATHS ? `${named} and ${total - NAMED_PATHS} more` : named;
}

/** Whether both sides have the very same uncommitted work; undefined where that cannot be compared. */
export function sameUncommittedWork({
  signed,
  local,
}: Pick<PlanFacts, "signed" | "local">): boolean | undefined {
  const [here, there] = [local.fingerprint, signed.record.source.fingerprint];
  return here === undefined || there === undefined ? undefined : here === there;
}

function each(records: readonly RecordSummary[]): Recommendation[] {
  return records.map(({ id, label }) => RECOMMEND.planRecord(id, label));
}

/** The checks of a plan (records.md 14.16), in their order. */
const CHECKS: readonly Check[] = [
  {
    code: "origin_untrusted",
    verdict: "refused",
    find: ({ trust, record, whyUntrusted }) =>
      trust === "untrusted" ? `${record.label} is not trusted here: ${whyUntrusted}` : undefined,
    action: ({ record }) => [RECOMMEND.show(record.id)],
  },
  {
    code: "origin_undeclared",
    find: ({ trust, record }) =>
      trust === "undeclared" ? `no mesh declaration says whether ${record.label} is trusted` : undefined,
  },
  {
    code: "line_diverged",
    verdict: "conflict",
    yields: true,
    find: ({ heads, explicit }) => {
      if (heads.length < 2) return undefined;
      const list = heads.map(({ id, label }) => `${short(id)} from ${label}`).join(", ");
      const choice = explicit
        ? "the others stay as they are"
        : "a person must name one; the others stay as they are";
      return `the same work was continued ${heads.length} times: ${list}; ${choice}`;
    },
    action: ({ heads }) => each(heads),
  },
  {
    code: "lineage_incomplete",
    find: ({ record, has }) =>
      record.parent !== undefined && !has(record.parent)
        ? `it continues ${short(record.parent)}, which is not in this store yet`
        : undefined,
  },
  {
    code: "already_resumed",
    find: ({ position, record, lineage }) => {
      if (position === undefined) return undefined;
      if (position.id === record.id) return "this branch stands on it already";
      return lineage.descends(record.id, position.id)
        ? `this branch has gone on from it, to ${short(position.id)}`
        : undefined;
    },
  },
  {
    code: "would_diverge",
    verdict: "conflict",
    yields: true,
    find: ({ position, record, lineage }) =>
      position !== undefined && lineage.relation(position, record) === "diverged"
        ? `this checkout continued the same work otherwise, at ${short(position.id)}; that stays in the store`
        : undefined,
    action: ({ record, position }) => each(position === undefined ? [record] : [record, position]),
  },
  {
    code: "origin_may_be_active",
    find: ({ signed, record, ownNode, now }) => {
      if (signed.record.episode !== "open" || record.node === ownNode) return undefined;
      const at = parseTimestamp(record.publishedAt);
      const minutes = at === undefined ? undefined : minutesBetween(at, now);
      return minutes !== undefined && minutes < ACTIVE_MINUTES
        ? `its episode on ${record.label} was open ${Math.max(0, minutes)} minutes ago`
        : undefined;
    },
  },
  {
    code: "local_ahead",
    find: ({ relation, record }) =>
      relation === "local_ahead" ? `this branch has gone on since ${commit(record.head)}` : undefined,
  },
  {
    code: "local_behind",
    verdict: "requires_source_update",
    find: ({ relation, record }) =>
      relation === "local_behind" ? `this branch has not come to ${commit(record.head)} yet` : undefined,
    action: ({ remote, record, local }) => [RECOMMEND.pull(remote, record.branch ?? local.branch ?? "HEAD")],
  },
  {
    code: "source_diverged",
    verdict: "conflict",
    find: ({ relation, record }) =>
      relation === "diverged" ? `this branch and ${commit(record.head)} have gone different ways` : undefined,
    action: ({ record }) => [RECOMMEND.merge(record.head ?? "")],
  },
  {
    code: "head_missing",
    verdict: "requires_source_update",
    find: ({ relation, record }) =>
      relation === "head_missing"
        ? `${commit(record.head)} is not in this clone: not pushed, or not fetched`
        : undefined,
    action: ({ remote }) => [RECOMMEND.fetch(remote)],
  },
  {
    code: "branch_differs",
    verdict: "requires_source_update",
    find: ({ relation, record, local }) =>
      relation === "branch_differs"
        ? `it is of ${record.branch ?? ""}, here is ${local.branch ?? "no branch"}`
        : undefined,
    action: ({ record }) => [RECOMMEND.switchTo(record.branch ?? "")],
  },
  {
    code: "source_unknown",
    find: ({ relation, local, record }) => {
      if (relation !== "unknown") return undefined;
      if (record.head === undefined) return "the record names no commit";
      return local.head === undefined
        ? "this checkout has no commit"
        : "git cannot tell how the commits stand";
    },
  },
  {
    code: "source_incomplete",
    find: ({ signed, ...facts }) => {
      const { source } = signed.record;
      if (source.working_tree !== "dirty" || sameUncommittedWork({ signed, ...facts }) === true)
        return undefined;
      return `${source.changed_total} uncommitted change(s) stayed on the other machine: ${paths(source)}`;
    },
  },
  {
    code: "local_dirty",
    find: (facts) => {
      const { local } = facts;
      if (local.working_tree !== "dirty" || sameUncommittedWork(facts) === true) return undefined;
      return `${local.changed_total} uncommitted change(s) here: ${paths(local)}`;
    },
  },
];

/** What the checks come to. */
export interface Judged {
  status: Extract<PlanStatus, "ready" | "ready_with_warnings" | Verdict>;
  blockers: { code: string; message: string }[];
  warnings: { code: string; message: string }[];
  actions: Recommendation[];
}

const GRAVEST: readonly Verdict[] = ["refused", "conflict", "requires_source_update"];

/** Judges a record against this checkout: pure, and the same however it is shown. */
export function judgePlan(facts: PlanFacts): Judged {
  const blockers: Judged["blockers"] = [];
  const warnings: Judged["warnings"] = [];
  const actions: Recommendation[] = [];
  const verdicts = new Set<Verdict>();
  for (const { code, verdict, yields, find, action } of CHECKS) {
    const message = find(facts);
    if (message === undefined) continue;
    if (verdict === undefined || (yields === true && facts.explicit)) {
      warnings.push({ code, message });
      continue;
    }
    verdicts.add(verdict);
    blockers.push({ code, message });
    actions.push(...(action?.(facts) ?? []));
  }
  const gravest = GRAVEST.find((verdict) => verdicts.has(verdict));
  const status = gravest ?? (warnings.length > 0 ? "ready_with_warnings" : "ready");
  const unique = [...new Map(actions.map((action) => [action.command, action])).values()];
  return { status, blockers, warnings, actions: unique };
}
