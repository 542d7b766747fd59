import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { knowledgeId, planCandidates } from "../../../src/core/knowledge/plan-candidates.ts";
import type { PlannedCandidate } from "../../../src/core/knowledge/plan-candidates.ts";
import { composeLine, parseLine } from "../../../src/core/ledger/line.ts";
import type { Payload } from "../../../src/core/ledger/line.ts";
import { formatCandidate, parseKnowledge } from "../../../src/core/records/knowledge.ts";

const FIXTURES = join(import.meta.dirname, "..", "..", "fixtures");
const SESSION = "s-20260904153733-fc51";
const TASK = "t-20260904153800-0a1b";

interface Golden {
  ledger_line: string;
  canonical_lines: string[];
  id: string;
  class: string;
}

const GOLDEN = JSON.parse(readFileSync(join(FIXTURES, "golden/knowledge-ids.json"), "utf8")) as Golden[];

function plan(lines: readonly string[], reasonOf: (task: string) => string | undefined = () => undefined) {
  const parsed = lines.map((text) => parseLine(text)).filter((read) => read !== undefined);
  return planCandidates(SESSION, parsed, reasonOf);
}

function line(event: string, payload: Payload, ts = "2026-09-04T16:00:00Z"): string {
  return composeLine(
    { ts, event, head: "a".repeat(40), branch: "main", by: "majordomus/0.1.0", session: SESSION },
    payload,
  );
}

function only(planned: readonly PlannedCandidate[]): PlannedCandidate {
  expect(planned).toHaveLength(1);
  return planned[0] as PlannedCandidate;
}

describe("the golden ids", () => {
  it.each(GOLDEN)("$id", ({ ledger_line: text, canonical_lines: lines, id, class: kind }) => {
    expect(knowledgeId(SESSION, lines)).toBe(id);
    expect(only(plan([text])).draft).toMatchObject({ id, class: kind, date: "2026-09-04" });
  });
});

describe("the original's own episode", () => {
  const ledger = readFileSync(join(FIXTURES, "original/local/state/ledger.jsonl"), "utf8");
  const own = ledger.split("\n").filter((text) => text.includes(`"session":"${SESSION}"`));

  it("gives the original's own files", () => {
    const planned = plan(own);
    expect(planned.map(({ draft }) => draft.id)).toEqual([
      `${SESSION}-8aaaa6545fd6`,
      `${SESSION}-3ae2c1449e23`,
    ]);
    for (const { draft } of planned) {
      const path = join(FIXTURES, "original/repo/knowledge/candidates", `${draft.id}.md`);
      expect(formatCandidate(draft)).toBe(readFileSync(path, "utf8"));
    }
  });
});

describe("the closed table", () => {
  it("words a decision by whether there was a task", () => {
    expect(
      only(plan([line("decision.recorded", { task_id: TASK, decision: "One store" })])).draft,
    ).toMatchObject({
      title: "One store",
      description: `Recorded as a decision under task ${TASK} in episode ${SESSION}.`,
      epistemics: "decided",
      tag: "decision",
      derivedFrom: [`session:${SESSION}`, `decision:${TASK}`],
    });
    for (const payload of [{ decision: "One store" }, { task_id: "none", decision: "One store" }]) {
      expect(only(plan([line("decision.recorded", payload)])).draft).toMatchObject({
        description: `Recorded as a decision outside a task in episode ${SESSION}.`,
        derivedFrom: [`session:${SESSION}`],
      });
    }
  });

  it("makes a lesson of a task that did not come to its end, with the reason that was noted", () => {
    const finished = line("task.finished", { task_id: TASK, outcome: "no_match", contract: {} });
    expect(only(plan([finished]))).toMatchObject({
      draft: {
        title: `Task ${TASK} ended no_match`,
        description: `The task reached the outcome no_match in episode ${SESSION}.`,
        class: "lesson",
        epistemics: "inferred",
        tag: "task",
        derivedFrom: [`session:${SESSION}`, `task:${TASK}`],
      },
      incomplete: true,
    });
    const reasoned = only(plan([finished], () => "nothing of that name"));
    expect(reasoned).toMatchObject({
      draft: { title: `Task ${TASK} ended no_match: nothing of that name` },
      incomplete: false,
    });
    expect(only(plan([finished], () => "")).draft.title).toBe(`Task ${TASK} ended no_match`);
  });

  it("makes a fact of a task that was verified", () => {
    const verify = { command: 'make "test"', exit: 0, seconds: 41 };
    const finished = line("task.finished", { task_id: TASK, outcome: "completed", contract: {}, verify });
    expect(only(plan([finished])).draft).toMatchObject({
      title: `Task ${TASK} completed; verified by: make "test" (exit 0)`,
      description: `The verification command passed when the task finished in episode ${SESSION}.`,
      class: "fact",
      epistemics: "observed",
    });
  });

  it.each([
    ["decision.recorded", { decision: "" }],
    ["decision.recorded", { decision: "  " }],
    ["decision.recorded", { decision: 7 }],
    ["question.resolved", { task_id: TASK, question: "Which?", answer: "" }],
    ["question.opened", { task_id: TASK, question: "Which?" }],
    ["task.finished", { task_id: TASK, outcome: "partial", contract: {} }],
    ["task.finished", { task_id: TASK, outcome: "completed", contract: {}, verify: null }],
    ["task.finished", { task_id: TASK, outcome: "completed", contract: {} }],
    ["task.checkpoint", { task_id: TASK }],
    ["session.closed", { outcome: "closed", session_path: "x" }],
  ] as [string, Payload][])("makes nothing of %s %j", (event, payload) => {
    expect(plan([line(event, payload)])).toEqual([]);
  });

  it("takes a fact that was said twice once, in its later words", () => {
    const verify = (command: string): Payload => ({ command, exit: 0, seconds: 1 });
    const planned = plan([
      line("task.finished", { task_id: TASK, outcome: "completed", contract: {}, verify: verify("one") }),
      line("decision.recorded", { decision: "x" }),
      line(
        "task.finished",
        { task_id: TASK, outcome: "completed", contract: {}, verify: verify("two") },
        "2026-09-05T00:00:00Z",
      ),
    ]);
    expect(planned.map(({ draft }) => draft.title)).toEqual([
      `Task ${TASK} completed; verified by: two (exit 0)`,
      "x",
    ]);
    expect(planned[0]?.draft.date).toBe("2026-09-05");
  });
});

describe("what is unfit", () => {
  it.each(["transcript: x", "messages x", "assistant: I think", "completion: x", "response x"])(
    "is named: %s",
    (decision) => {
      expect(only(plan([line("decision.recorded", { decision })])).unfit).toBe("transcript");
    },
  );

  it.each(["Assistants are workers", "responses are cached", "A transcript: no", "transcripts"])(
    "is not every sentence about it: %s",
    (decision) => {
      expect(only(plan([line("decision.recorded", { decision })])).unfit).toBeUndefined();
    },
  );

  it("is a line without a day, and an episode whose id cannot be a file's name", () => {
    expect(only(plan([line("decision.recorded", { decision: "x" }, "yesterday")])).unfit).toBe("timestamp");
    const parsed = parseLine(line("decision.recorded", { decision: "x" }));
    for (const session of ["../../etc", "S-1", "s_1", "", "s".repeat(101)]) {
      const planned = planCandidates(session, parsed === undefined ? [] : [parsed], () => undefined);
      expect(only(planned).unfit).toBe("id");
    }
  });
});

describe("hostile words", () => {
  it("never break a line of the record or of the digest", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (words) => {
        const raw = JSON.stringify(words).slice(1, -1);
        const text = line("decision.recorded", { decision: "HERE" }).replace("HERE", () => raw);
        const [planned] = plan([text]);
        if (planned === undefined) return;
        expect(planned.draft.title).not.toMatch(/[\r\n\t]/);
        const record = parseKnowledge(formatCandidate(planned.draft));
        expect(record).toMatchObject({
          ok: true,
          value: { id: planned.draft.id, misshapen: [], unknown: [] },
        });
      }),
    );
  });

  it("stand in the record as they were said", () => {
    const said = `"{task}" \\ {episode} 👩‍👩‍👧 日本 # -- ${"x".repeat(10_000)}`;
    const { draft } = only(plan([line("decision.recorded", { task_id: TASK, decision: said })]));
    expect(draft.title).toBe(said);
    const record = parseKnowledge(formatCandidate(draft));
    expect(record).toMatchObject({ ok: true, value: { title: said } });
  });
});
