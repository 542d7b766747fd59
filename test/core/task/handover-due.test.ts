import { describe, expect, it } from "vitest";
import { handoverIsDue, lostHandoverIsDue } from "../../../src/core/task/handover-due.ts";
import type { WorkedOn } from "../../../src/core/task/handover-due.ts";
import { composeLine, parseLine } from "../../../src/core/ledger/line.ts";
import type { LedgerLine, Payload } from "../../../src/core/ledger/line.ts";

const [START, NEXT] = ["a".repeat(40), "b".repeat(40)];

function line(event: string, payload: Payload, head = START): LedgerLine {
  const envelope = { ts: "2026-09-04T12:00:00Z", event, head, branch: "main", by: "majordomus/0" };
  const parsed = parseLine(composeLine(envelope, payload));
  if (parsed === undefined) throw new Error(event);
  return parsed;
}

const OPENED = line("session.started", { owner: "dev" });
const RECEIPT = line("provider.event.received", { provider: "p", provider_event: "start" });
const DERIVED = line("task.checkpoint", { checkpoint_path: "c.md", derived: 1 });
const BY_HAND = line("task.checkpoint", { checkpoint_path: "c.md" });
const LOOKED = line("task.checkpoint", { task_id: "t-1" });
const HANDED = line("task.handed_over", { handover_path: "h.md", closed: 0 });
const DERIVED_HANDOVER = line("task.handed_over", { handover_path: "h.md", closed: 0, derived: 1 });
const DECIDED = line("decision.recorded", { task_id: "none", decision: "d" });
const ASKED = line("question.opened", { task_id: "none", question: "q" });
const ANSWERED = line("question.resolved", { task_id: "none", question: "q", answer: "a" });
const TASK = line("task.started", { task_id: "t-1", profile: "p", owner: "o", scope: [] });

const IDLE: WorkedOn = {
  head: START,
  startHead: START,
  changed: [],
  changedThen: () => undefined,
  touchedSince: () => false,
};
const COMMITTED: WorkedOn = { ...IDLE, head: NEXT };
const CHANGED: WorkedOn = { ...IDLE, changed: ["a.ts"] };

describe("a handover is due", () => {
  it.each<[string, LedgerLine[], WorkedOn, boolean]>([
    ["never for an idle episode", [OPENED, RECEIPT, DERIVED], IDLE, false],
    ["after a task was started", [OPENED, TASK], IDLE, true],
    ["after a checkpoint by hand", [OPENED, BY_HAND], IDLE, true],
    ["after a look at the task", [OPENED, LOOKED], IDLE, true],
    ["after a decision", [OPENED, DECIDED], IDLE, true],
    ["after a question", [OPENED, ASKED], IDLE, true],
    ["after an answer", [OPENED, ANSWERED], IDLE, true],
    ["after a commit", [OPENED], COMMITTED, true],
    ["after files changed", [OPENED], CHANGED, true],
    [
      "not for changes that the last one of all had seen",
      [OPENED],
      { ...CHANGED, changedThen: () => ["a.ts"] },
      false,
    ],
    [
      "for going on with what the last one of all had seen",
      [OPENED],
      { ...CHANGED, changedThen: () => ["a.ts"], touchedSince: (paths) => paths.includes("a.ts") },
      true,
    ],
    [
      "for going on with what the episode's own had seen",
      [OPENED, HANDED],
      { ...CHANGED, changedThen: () => ["a.ts"], touchedSince: (paths) => paths.includes("a.ts") },
      true,
    ],
    [
      "for taking back what the episode's own had seen",
      [OPENED, HANDED],
      { ...IDLE, changedThen: () => ["a.ts"] },
      true,
    ],
    [
      "not for what somebody took back before the episode",
      [OPENED],
      { ...IDLE, changedThen: () => ["a.ts"] },
      false,
    ],
    [
      "for taking back what the last one of all had seen",
      [OPENED],
      { ...IDLE, changedThen: () => ["a.ts"], touchedSince: (paths) => paths.includes("a.ts") },
      true,
    ],
    ["for other changes than that", [OPENED], { ...CHANGED, changedThen: () => ["b.ts"] }, true],
    ["not when the episode's own came last", [OPENED, DECIDED, HANDED, RECEIPT, DERIVED], IDLE, false],
    ["not when a derived one came last", [OPENED, DECIDED, DERIVED_HANDOVER], IDLE, false],
    ["for what came after it", [OPENED, HANDED, ASKED], IDLE, true],
    ["for a commit after it", [OPENED, HANDED], COMMITTED, true],
    [
      "not for a commit before it",
      [OPENED, line("task.handed_over", { handover_path: "h", closed: 0 }, NEXT)],
      COMMITTED,
      false,
    ],
    ["not without knowing HEAD", [OPENED], { ...IDLE, head: undefined }, false],
  ])("%s", (_, lines, worked, due) => {
    expect(handoverIsDue(lines, worked)).toBe(due);
  });

  it.each<[string, LedgerLine[], WorkedOn, boolean]>([
    ["once for commits", [OPENED], COMMITTED, true],
    ["not again when others moved HEAD", [OPENED, DERIVED_HANDOVER], COMMITTED, false],
    ["not again for changed files", [OPENED, DERIVED_HANDOVER], CHANGED, false],
    ["again for what it recorded since", [OPENED, DERIVED_HANDOVER, DECIDED], IDLE, true],
    ["never for an idle one", [OPENED, RECEIPT], IDLE, false],
  ])("of a lost worker: %s", (_, lines, worked, due) => {
    expect(lostHandoverIsDue(lines, worked)).toBe(due);
  });
});
