import { describe, expect, it, vi } from "vitest";
import { followPerson } from "../../src/tui/follow.ts";
import { SELECTION } from "../support/console-capsule-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import type { FakeDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";

function screen(desk: FakeDesk): string {
  return consoleRows(desk).join("\n");
}

function asked(desk: FakeDesk, id: string): unknown[] {
  return desk.ask.calls.filter((call) => call.id === id).map((call) => call.input);
}

describe("the capsules view", () => {
  it("gives every file its verdict, faults before the ordinary past, and the groups add up", async () => {
    const desk = await openDesk({}, { columns: 200, rows: 36 });
    desk.press("4");
    const names = desk
      .rowsOf(desk.store.getState(), "capsules")
      .map((row) => (row.kind === "capsule" ? row.file.name : ""));
    expect(names).toEqual(["parser-streaming.md", "broken.md", "spent.md", "older.md"]);
    const frame = screen(desk);
    expect(frame).toContain("would resume, 3h, curated · 3 not selected");
    expect(frame).toMatch(/✕ broken +missing-required-field.* waiting_on/);
    expect(frame).toMatch(/· spent +already-consumed \(resumed\) .*status +autosave/);
    expect(frame).toContain("4 on disk = 1 selected + 1 already-consumed (resumed)");
    const total = SELECTION.groups.reduce((sum, { count }) => sum + count, 1);
    expect(total).toBe(SELECTION.total);
    expect(frame).toContain("[RESUME VERB] Boot after a clear.");
  });

  it("tells everything about the capsule under the cursor, and its text", async () => {
    const desk = await openDesk({}, { columns: 140, rows: 40 });
    const stop = followPerson(desk.store, desk.data, desk.rowsOf);
    desk.press("4");
    await vi.waitFor(() => expect(screen(desk)).toContain("The reader streams."));
    const frame = screen(desk);
    for (const text of ["Run the suite again", "the build", "curated", "the heading ## Done is missing"])
      expect(frame).toContain(text);
    desk.press("j");
    expect(screen(desk)).toMatch(/decided by +waiting_on/);
    stop();
  });

  it("says why nothing can be resumed", async () => {
    const memory = { exists: false, diverted: false, error: "MEMORY-ROOT: configured twice" };
    const none = { schema: 1, memory, total: 0, unavailable: "bad-memory-root" };
    const desk = await openDesk({
      "capsule.list": { ...none, files: [] },
      "capsule.select": { ...none, capsule: null, fell_back_to_placeholder: false, groups: [], rejected: [] },
    });
    desk.press("4");
    const frame = screen(desk);
    expect(frame).toContain("where memory lies cannot be told");
    expect(frame).toContain("MEMORY-ROOT: configured twice");
  });
});

describe("acts on capsules", () => {
  it("show what the validator says and what would be printed, and write nothing", async () => {
    const desk = await openDesk();
    desk.press("4", "j", "space", "v");
    await vi.waitFor(() => expect(screen(desk)).toContain("1 fault found"));
    expect(screen(desk)).toContain("broken.md: waiting_on is missing");
    expect(asked(desk, "capsule.validate")).toEqual([{ capsules: ["broken.md"] }]);
    desk.press("enter", "u");
    await vi.waitFor(() => expect(screen(desk)).toContain("The procedure of this capsule"));
    expect(screen(desk)).toContain("1. LOAD: done.");
    expect(asked(desk, "capsule.procedure").at(-1)).toEqual({ capsule: "spent.md" });
    expect(asked(desk, "capsule.resume")).toEqual([]);
  });

  it("ask before a status is changed, and say what became of it", async () => {
    const desk = await openDesk();
    desk.press("4", "G", "m");
    expect(screen(desk)).toContain("Mark as resolved?");
    expect(screen(desk)).toContain("status of older.md");
    desk.press("escape");
    expect(asked(desk, "capsule.resolve")).toEqual([]);
    desk.press("m", "enter", "enter");
    await desk.settle();
    expect(asked(desk, "capsule.resolve")).toEqual([{ capsule: "older.md" }]);
    await vi.waitFor(() =>
      expect(desk.store.getState().message?.text).toBe(
        "older.md is resolved now, and was active; its file was rewritten",
      ),
    );
    desk.press("a", "enter");
    await desk.settle();
    await vi.waitFor(() =>
      expect(desk.store.getState().message?.text).toBe("older.md was abandoned already"),
    );
  });
});

describe("the overview", () => {
  it("shows what would be resumed, and lets it be put aside from there", async () => {
    const desk = await openDesk({}, { columns: 120, rows: 36 });
    const frame = screen(desk);
    expect(frame).toMatch(/┌ Capsule ─+ would resume, 3h, curated · 3 not selected ┐/);
    expect(frame).toMatch(/● parser-streaming +Move the parser/);
    expect(frame).toContain("next  Run the suite again");
    desk.press("tab", "tab", "a");
    expect(screen(desk)).toContain("it is not resumed any more: the next one is");
    const narrow = await openDesk({}, { columns: 60, rows: 24 });
    expect(screen(narrow)).toMatch(/\n Capsule {4}would resume, 3h, curated/);
  });
});
