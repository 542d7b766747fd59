import { describe, expect, it, vi } from "vitest";
import { followPerson } from "../../src/tui/follow.ts";
import { CANDIDATES, SHOW_ANY } from "../support/console-knowledge-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import type { FakeDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";

function screen(desk: FakeDesk): string {
  return consoleRows(desk).join("\n");
}

function asked(desk: FakeDesk, id: string): unknown[] {
  return desk.ask.calls.filter((call) => call.id === id).map((call) => call.input);
}

function type(desk: FakeDesk, text: string): void {
  for (const letter of text) desk.press(letter === " " ? "space" : letter);
}

async function confirm(desk: FakeDesk): Promise<void> {
  desk.press("ctrl-s");
  await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
}

describe("the review queue", () => {
  it("shows class, title, evidence, episode, branch and age, the newest first", async () => {
    const desk = await openDesk({}, { columns: 180, rows: 30 });
    desk.press("6");
    const frame = screen(desk);
    expect(frame).toContain("3 await review · 1 dangling · 1 not readable");
    expect(frame).toMatch(/▸convention +Stream, do not slurp \(aa03\) +○ not-here +— +— +today/);
    expect(frame).toMatch(
      /convention +Stream, do not slurp \(aa02\) +✓ resolved +s-20260903120000-fc51|s-…fc51/,
    );
    expect(frame).toMatch(/fact +Exports are UTF-8 +✗ dangling .*main +15d/);
    expect(frame).toContain("not readable: .ai/repo/knowledge/candidates/note.md: is no record");
  });

  it("shows the record whole that the cursor stands on, and what it rests on", async () => {
    const desk = await openDesk(SHOW_ANY, { columns: 140, rows: 40 });
    const stop = followPerson(desk.store, desk.data, desk.rowsOf);
    desk.press("6");
    await vi.waitFor(() => expect(screen(desk)).toContain("Streams everywhere."));
    expect(asked(desk, "knowledge.show").at(-1)).toEqual({ id: CANDIDATES[2]?.id });
    desk.press("j", "j");
    await vi.waitFor(() => expect(screen(desk)).toContain(`id: ${CANDIDATES[0]?.id}`));
    expect(screen(desk)).toContain("ledger:decision.recorded: resolved, the line");
    // Only where the cursor stopped was asked about.
    expect(asked(desk, "knowledge.show")).toHaveLength(2);
    stop();
  });

  it("is counted in the overview", async () => {
    const desk = await openDesk({}, { columns: 150, rows: 36 });
    expect(consoleRows(desk).at(-2)).toContain("review 3");
  });
});

describe("promoting", () => {
  it("asks for the evidence, shows the record as it would be, and insists on the one that was seen", async () => {
    const desk = await openDesk({
      "knowledge.promote": (input: { dry_run?: boolean }) =>
        input.dry_run === true
          ? { schema: 1, state: "planned", id: "x", path: "p", text: "status: verified\n", notes: [] }
          : { schema: 1, state: "promoted", id: "x", path: ".ai/repo/knowledge/curated/x.md", notes: [] },
    });
    desk.press("6", "p", "ctrl-s");
    expect(screen(desk)).toContain("say what it was verified by");
    type(desk, "read the code");
    desk.press("tab", "down");
    await confirm(desk);
    const shown = screen(desk);
    expect(shown).toContain("Promote this candidate?");
    expect(shown).toContain("status: verified");
    desk.press("enter", "enter");
    await desk.settle();
    const input = {
      id: CANDIDATES[2]?.id,
      evidence: "read the code",
      expect: "digest-aa03",
      class: "fact",
    };
    expect(asked(desk, "knowledge.promote")).toEqual([{ ...input, dry_run: true }, input]);
    await vi.waitFor(() =>
      expect(desk.store.getState().message?.text).toContain("wrote .ai/repo/knowledge/curated/x.md"),
    );
  });

  it("takes several marked ones, each insisting on its own record", async () => {
    const desk = await openDesk({
      "knowledge.promote": (input: { id: string }) => ({
        schema: 1,
        state: input.id.endsWith("aa02") ? "changed" : "promoted",
        id: input.id,
        path: `.ai/repo/knowledge/curated/${input.id}.md`,
        notes: [],
      }),
    });
    desk.press("6", "space", "space", "p");
    type(desk, "the tests");
    await confirm(desk);
    expect(screen(desk)).toContain("Promote these 2 candidates?");
    desk.press("enter");
    await desk.settle();
    await vi.waitFor(() => expect(asked(desk, "knowledge.promote")).toHaveLength(2));
    await vi.waitFor(() =>
      expect(desk.store.getState().message?.text).toContain("1 of 2 done; 1 changed since they were shown"),
    );
    expect(desk.store.getState().marks.size).toBe(0);
  });

  it("does nothing to a record that changed meanwhile, and says so", async () => {
    const desk = await openDesk({
      "knowledge.promote": (input: { dry_run?: boolean }) => ({
        schema: 1,
        state: input.dry_run === true ? "planned" : "changed",
        id: "x",
        path: "p",
        text: "status: verified\n",
        notes: [],
      }),
    });
    desk.press("6", "p");
    type(desk, "the tests");
    await confirm(desk);
    desk.press("enter");
    await desk.settle();
    await vi.waitFor(() => expect(screen(desk)).toContain("The record changed since it was shown"));
  });

  it("stops at what is refused, with its reason, and keeps the evidence", async () => {
    const desk = await openDesk({ "knowledge.promote": new Error("evidence reads like a conversation") });
    desk.press("6", "p");
    type(desk, "you said so");
    desk.press("ctrl-s");
    await vi.waitFor(() => expect(screen(desk)).toContain("evidence reads like a conversation"));
    expect(screen(desk)).toContain("you said so");
  });
});

describe("rejecting", () => {
  it("asks for the reason, and leaves the record alone at Escape", async () => {
    const desk = await openDesk();
    desk.press("6", "x", "ctrl-s");
    expect(screen(desk)).toContain("say why it is not so");
    type(desk, "it was a joke");
    await confirm(desk);
    desk.press("escape", "escape");
    expect(asked(desk, "knowledge.reject")).toHaveLength(1);
    desk.press("x");
    await confirm(desk);
    desk.press("enter");
    await desk.settle();
    const input = { id: CANDIDATES[2]?.id, reason: "it was a joke", expect: "digest-aa03" };
    expect(asked(desk, "knowledge.reject").at(-1)).toEqual(input);
  });
});
