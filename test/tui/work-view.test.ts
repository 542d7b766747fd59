import { describe, expect, it, vi } from "vitest";
import { currentRow } from "../../src/tui/row-source.ts";
import { CHECKPOINT, HANDOVER, QUESTIONS } from "../support/console-work-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";

describe("the work view", () => {
  it("shows task, contract, records with both labels, questions, decisions, and what a worker would get", async () => {
    const desk = await openDesk({}, { columns: 160, rows: 40 });
    desk.press("8");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("1 clause unmet · 1 question open · 1 decision");
    expect(frame).toMatch(/▸task +active +split the parser · debugging/);
    expect(frame).toMatch(/contract FAIL scope +1 changed file\(s\) outside/);
    expect(frame).toMatch(/handover +→ advanced +next run the suite again .* 3h/);
    expect(frame).toMatch(/checkpoint ✓ exact .* 30m/);
    expect(frame).toMatch(/question +open +which encoding/);
    expect(frame).toMatch(/decision +stream, do not slurp .* 09-03/);
    expect(frame).toMatch(/question +answered +may blank lines/);
    expect(frame).toContain("## Majordomus — what this repository already knows");
    expect(frame).toContain("4 lines");
    expect(frame).toContain("to finish   scope_respected, note_present");
    expect(frame).toContain("a changed test");
  });

  it("tells everything about the row under the cursor", async () => {
    const desk = await openDesk({}, { columns: 130, rows: 44 });
    const selected = (keys: string): string => {
      desk.press(...keys);
      return consoleRows(desk).join("\n");
    };
    desk.press("8");
    const handover = selected("jjj");
    for (const text of [
      "two commits since",
      "3h old; fresh until 12h",
      "this worktree, this branch",
      "Split the parser.",
    ])
      expect(handover).toContain(text);
    expect(selected("jj")).toContain("it blocks a completed finish");
    expect(selected("j")).toContain("exports of 4 GB are real");
    expect(selected("j")).toContain("no, they count");
  });

  it("keeps its folded panes to one line where there is less room", async () => {
    const desk = await openDesk({}, { columns: 80, rows: 30 });
    desk.press("8");
    expect(consoleRows(desk).join("\n")).toMatch(/\n Briefing {3}4 lines/);
    desk.press("tab");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toMatch(/\n Work {7}1 clause unmet/);
    expect(frame).toContain("▸As of 2026-09-04T18:00:00Z; replaces earlier briefs.");
    // Word for word, and nothing beside it.
    expect(frame).toContain("  run the suite again");
    expect(desk.ask.calls.map(({ id }) => id)).not.toContain("context.build");
  });

  it("opens the whole briefing, and a record as it is on disk", async () => {
    const desk = await openDesk();
    desk.press("8", "tab", "enter");
    expect(consoleRows(desk).join("\n")).toContain("What a new worker is told at its start");
    desk.press("escape", "tab", "j", "j", "j", "enter");
    await desk.settle();
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("reader"));
    expect(desk.ask.calls.find((call) => call.id === "record.read")?.input).toEqual({ path: HANDOVER.path });
  });

  it("says what it could not read, and goes on with the rest", async () => {
    const desk = await openDesk({ "question.list": new Error("open-questions.md: line 3 is too long") });
    desk.press("8");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("✕ open-questions.md: line 3 is too long");
    expect(frame).toContain("stream, do not slurp");
  });

  it("has something to say about a checkout where nothing was begun", async () => {
    const desk = await openDesk({
      "handover.resolve": { schema: 1, handover: null, skipped: [] },
      "checkpoint.show": { schema: 1, checkpoint: null, skipped: [] },
      "question.list": { ...QUESTIONS, open: [], resolved: [] },
      "decision.list": { schema: 1, decisions: [] },
      "continuity.state": { ...(await stateWithoutTask()) },
      "finish.run": {
        schema: 1,
        state: "nothing",
        unmet: 0,
        findings: [{ level: "INFO", category: "state", subject: "task", message: "nothing to enforce" }],
      },
    });
    desk.press("8");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("no task, no record, no question, no decision here");
    expect(frame).not.toContain("nothing to enforce");
  });

  it("keeps the cursor on its record when others come before it", async () => {
    const desk = await openDesk();
    desk.press("8", "j", "j", "j", "j");
    const selected = (): string | undefined => {
      const row = currentRow(desk.store.getState(), desk.rowsOf);
      return row?.kind === "record" ? row.record.path : undefined;
    };
    expect(selected()).toBe(CHECKPOINT.path);
    desk.ask.answers["handover.resolve"] = { schema: 1, handover: null, skipped: [] };
    desk.refresh("/home/mira/app");
    await desk.settle();
    expect(selected()).toBe(CHECKPOINT.path);
  });
});

async function stateWithoutTask(): Promise<object> {
  const { STATE } = await import("../support/console-answers.ts");
  const { task: _, handover: __, ...rest } = STATE;
  return rest;
}
