import { describe, expect, it } from "vitest";
import { deriveEnvelope } from "../../../src/core/episode/envelope.ts";
import { parseLine } from "../../../src/core/ledger/line.ts";

function lines(...payloads: [event: string, payload: Record<string, string | number | null>][]) {
  return payloads.map(([event, payload]) => {
    const line = parseLine(
      JSON.stringify({
        ts: "2026-09-04T12:00:00Z",
        event,
        head: "NONE",
        branch: "main",
        by: "x/1",
        session: "s",
        ...payload,
      }),
    );
    if (line === undefined) throw new Error("the test's own line does not parse");
    return line;
  });
}

const NOTHING = {
  tasks: [],
  issues: [],
  checkpoints: [],
  handovers: [],
  decisions: [],
  questions: [],
  evidence: [],
};

describe("deriveEnvelope", () => {
  it("is seven empty lists where nothing was referred to", () => {
    expect(deriveEnvelope([])).toEqual(NOTHING);
    const silent = { task_id: "t", issue: "I1", question: "q", decision: "d", checkpoint_path: "c" };
    expect(
      deriveEnvelope(lines(["session.started", silent], ["task.evidence", silent], ["x.y", silent])),
    ).toEqual(NOTHING);
  });

  it.each([
    ["task.started", { tasks: ["t"] }],
    ["task.checkpoint", { tasks: ["t"], checkpoints: ["c.md"] }],
    ["task.handed_over", { tasks: ["t"], handovers: ["h.md"] }],
    ["task.finished", { tasks: ["t"] }],
    ["decision.recorded", { decisions: ["d"] }],
    ["question.opened", { questions: ["q"] }],
    ["question.resolved", { questions: ["q"] }],
    ["plan_start", { issues: ["I1"] }],
    ["plan_verify", { issues: ["I1"] }],
    ["plan_done", { issues: ["I1"] }],
    ["plan_evidence", { issues: ["I1"], evidence: ["I1:tests"] }],
  ])("takes from %s what it refers to, and nothing else", (event, lists) => {
    const all = {
      task_id: "t",
      checkpoint_path: "c.md",
      handover_path: "h.md",
      decision: "d",
      question: "q",
      issue: "I1",
      covers: "tests",
    };
    expect(deriveEnvelope(lines([event, all]))).toEqual({ ...NOTHING, ...lists });
  });

  it("takes no value that is no text", () => {
    expect(deriveEnvelope(lines(["plan_start", { issue: 42 }], ["task.started", { task_id: null }]))).toEqual(
      NOTHING,
    );
  });

  it("lists each reference once, in the order of first appearance", () => {
    const envelope = deriveEnvelope(
      lines(
        ["task.started", { task_id: "t-2" }],
        ["task.checkpoint", { task_id: "t-1", checkpoint_path: "b.md" }],
        ["task.checkpoint", { task_id: "t-2", checkpoint_path: "a.md" }],
        ["task.checkpoint", { task_id: "t-2", checkpoint_path: "b.md" }],
        ["task.handed_over", { task_id: "t-1", handover_path: "h.md" }],
      ),
    );
    expect(envelope.tasks).toEqual(["t-2", "t-1"]);
    expect(envelope.checkpoints).toEqual(["b.md", "a.md"]);
    expect(envelope.handovers).toEqual(["h.md"]);
  });

  it("takes decisions whole, quotes and backslashes included", () => {
    const decision = 'Say "no" to a second cache \\ for now';
    expect(deriveEnvelope(lines(["decision.recorded", { task_id: "none", decision }])).decisions).toEqual([
      decision,
    ]);
  });

  it("names a question once, whether it was opened, resolved or both", () => {
    const envelope = deriveEnvelope(
      lines(
        ["question.opened", { task_id: "t-1", question: "Which port?" }],
        ["question.resolved", { task_id: "t-1", question: "Which port?", answer: "8741" }],
        ["question.resolved", { task_id: "t-1", question: "Whose?", answer: "ours" }],
      ),
    );
    expect(envelope.questions).toEqual(["Which port?", "Whose?"]);
    expect(envelope.tasks).toEqual([]);
  });

  it("joins what evidence covers to its issue, and drops evidence that lacks either", () => {
    const envelope = deriveEnvelope(
      lines(
        ["plan_evidence", { issue: "I0042", covers: "tests", type: "log" }],
        ["plan_evidence", { issue: "I0043", type: "log" }],
        ["plan_evidence", { covers: "docs", type: "log" }],
      ),
    );
    expect(envelope.evidence).toEqual(["I0042:tests"]);
    expect(envelope.issues).toEqual(["I0042", "I0043"]);
  });

  it("takes `none` and the empty string for no task at all", () => {
    const envelope = deriveEnvelope(lines(["task.checkpoint", { task_id: "none", checkpoint_path: "" }]));
    expect(envelope.tasks).toEqual([]);
    expect(envelope.checkpoints).toEqual([]);
  });
});
