import { describe, expect, it, vi } from "vitest";
import { followPerson } from "../../src/tui/follow.ts";
import { FILES, PROCEDURE, SELECTED, SELECTION } from "../support/console-capsule-answers.ts";
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

  it.each([
    [60, 30],
    [80, 24],
    [120, 36],
    [200, 40],
  ])(
    "has every field of a hostile capsule in sight at %s columns, and counts what it left out",
    async (columns, rows) => {
      const long = (text: string): string => text.repeat(20_000).slice(0, 20_000);
      const hostile = {
        ...SELECTED,
        id: long("id"),
        objective: long("objective words "),
        waiting_on: long("\u5f85\u3064"),
        next_valid_action: long("next\u202e act "),
      };
      const file = { ...FILES[2], id: hostile.id };
      const desk = await openDesk(
        {
          "capsule.list": { schema: 1, memory: SELECTION.memory, total: 1, files: [file] },
          "capsule.select": { ...SELECTION, total: 1, groups: [], capsule: hostile },
        },
        { columns, rows },
      );
      desk.press("4");
      const frame = screen(desk);
      const detail = frame.slice(frame.indexOf("Selected \u2500"));
      expect(detail).toMatch(/idid\S*\u2026 {2}selected/);
      for (const label of ["objective", "waiting on", "next"]) expect(detail).toContain(`\u2502 ${label} `);
      expect(detail).toMatch(/\u2502 status +active/);
      expect(detail.match(/\u2026\[\+\d{5} chars\]/g)).toHaveLength(3);
      expect(frame).not.toContain("\u202e");
    },
  );

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

const OLDER = {
  ...SELECTED,
  id: "older",
  name: "older.md",
  path: SELECTED.path.replace("parser-streaming", "older"),
};
const resumed = ({ capsule }: { capsule?: string }): unknown => ({
  ...PROCEDURE,
  capsule: { ...(capsule === "older.md" ? OLDER : SELECTED), status: "resumed" },
  spent: true,
  procedure: "[RESUME VERB] Asked for.\n\nSTEPS\n1. LOAD: done.\n",
});
const previewed = ({ capsule }: { capsule?: string }): unknown => ({
  ...PROCEDURE,
  capsule: capsule === "older.md" ? OLDER : SELECTED,
});

describe("resuming headlessly", () => {
  const answers = { "capsule.resume": resumed, "capsule.procedure": previewed };

  it("shows first which file changes, does it once, and shows what was printed, to be copied", async () => {
    const desk = await openDesk(answers, { columns: 100, rows: 36 });
    desk.press("4", "G", "S");
    await vi.waitFor(() => expect(screen(desk)).toContain("Resume this capsule headlessly?"));
    const frame = screen(desk);
    for (const text of [
      "status of older.md: active -> resumed",
      "capsules/older.md",
      "by compare-and-swap",
      "Run the suite again",
      "3h, curated",
      "Enter resume",
    ])
      expect(frame).toContain(text);
    desk.press("escape");
    expect(asked(desk, "capsule.resume")).toEqual([]);
    desk.press("S");
    await vi.waitFor(() => expect(screen(desk)).toContain("Resume this capsule headlessly?"));
    desk.press("enter", "enter", "enter");
    await vi.waitFor(() => expect(screen(desk)).toContain("The procedure that was printed"));
    expect(asked(desk, "capsule.resume")).toEqual([{ capsule: "older.md", spend: true }]);
    expect(screen(desk)).toContain("[RESUME VERB] Asked for.");
    expect(desk.store.getState().message).toEqual({
      tone: "good",
      text: "older.md is resumed now, and was active; its file was rewritten",
    });
    expect(screen(desk)).toContain("y copy the text");
    desk.press("y");
    const copied = Buffer.from(desk.sent.at(-1)?.split(";").at(-1) ?? "", "base64").toString();
    expect(copied).toBe("[RESUME VERB] Asked for.\n\nSTEPS\n1. LOAD: done.\n");
    expect(desk.store.getState().message?.text).toBe("copied the whole text, 4 lines");
  });

  it("takes the newest one wherever the cursor is, also from the procedure and the overview", async () => {
    const desk = await openDesk(answers, { columns: 140, rows: 36 });
    desk.press("4", "G", "T");
    await vi.waitFor(() =>
      expect(screen(desk)).toContain("status of parser-streaming.md: active -> resumed"),
    );
    desk.press("escape", "tab", "T");
    await vi.waitFor(() => expect(screen(desk)).toContain("Resume the newest capsule headlessly?"));
    desk.press("escape", "1", "tab", "tab", "S");
    await vi.waitFor(() => expect(screen(desk)).toContain("Resume this capsule headlessly?"));
    desk.press("enter");
    await vi.waitFor(() => expect(screen(desk)).toContain("The procedure that was printed"));
    expect(asked(desk, "capsule.resume")).toEqual([{ capsule: "parser-streaming.md", spend: true }]);
  });

  it("is offered by the palette, and by the footer where it leads to more than a reason why not", async () => {
    const desk = await openDesk(answers, { columns: 200, rows: 36 });
    desk.press("4");
    expect(screen(desk)).toContain("S resume");
    expect(FILES.find(({ name }) => name === "spent.md")?.verdict).toBe("already-consumed");
    desk.press("j", "j");
    expect(screen(desk)).not.toContain("S resume");
    expect(screen(desk)).toContain("T newest");
    desk.press(":", ..."headless");
    expect(screen(desk)).toContain("resume the newest capsule headlessly");
  });

  it.each([
    [
      { ...PROCEDURE, deferred: "its phase has not ended" },
      "not resumed: a conducted cycle is live (its phase has not ended)",
    ],
    [
      { ...PROCEDURE, capsule: { ...SELECTED, status: "resumed" } },
      "parser-streaming.md is resumed already, and cannot be spent again",
    ],
    [
      { ...PROCEDURE, capsule: null, degraded: true, unavailable: "no-capsules-on-disk" },
      "there is nothing to resume: no-capsules-on-disk",
    ],
    [{ ...PROCEDURE, capsule: null, memory_root_error: "MEMORY-ROOT: twice" }, "MEMORY-ROOT: twice"],
    [new Error("broken.md cannot be resumed: missing-required-field"), "broken.md cannot be resumed"],
  ])("says in one line what stands in its way, before and at the last moment (%#)", async (answer, line) => {
    const said = (desk: FakeDesk): string | undefined => desk.store.getState().message?.text;
    const desk = await openDesk({ ...answers, "capsule.procedure": answer });
    desk.press("4", "S");
    await vi.waitFor(() => expect(said(desk)).toContain(line));
    expect(desk.store.getState().mode.kind).toBe("browse");
    const later = await openDesk(answers);
    later.press("4", "T");
    await vi.waitFor(() => expect(screen(later)).toContain("headlessly?"));
    later.ask.answers["capsule.procedure"] = answer;
    later.press("enter");
    await vi.waitFor(() => expect(said(later)).toContain(line));
    for (const each of [desk, later]) expect(asked(each, "capsule.resume")).toEqual([]);
  });

  it("is shown again where the capsule changed, or another is the newest by now", async () => {
    const desk = await openDesk(answers);
    desk.press("4", "T");
    await vi.waitFor(() => expect(screen(desk)).toContain("status of parser-streaming.md"));
    desk.ask.answers["capsule.procedure"] = { ...PROCEDURE, capsule: OLDER };
    desk.press("enter");
    await vi.waitFor(() =>
      expect(screen(desk)).toContain("changed since it was shown, and nothing was done"),
    );
    expect(screen(desk)).toContain("status of older.md: active -> resumed");
    expect(asked(desk, "capsule.resume")).toEqual([]);
    desk.press("enter");
    await vi.waitFor(() =>
      expect(asked(desk, "capsule.resume")).toEqual([{ capsule: "older.md", spend: true }]),
    );
  });

  it("says when the spend failed, and shows no procedure", async () => {
    const failed = {
      ...PROCEDURE,
      capsule: null,
      degraded: true,
      not_spent: { name: "a.md", reason: "EROFS" },
    };
    const desk = await openDesk({ ...answers, "capsule.resume": failed });
    desk.press("4", "S");
    await vi.waitFor(() => expect(screen(desk)).toContain("headlessly?"));
    desk.press("enter");
    await vi.waitFor(() =>
      expect(desk.store.getState().message).toEqual({
        tone: "bad",
        text: "not resumed, and nothing was written: a.md: EROFS",
      }),
    );
    expect(desk.store.getState().mode.kind).toBe("browse");
  });
});

describe("a capsule without a name of its own", () => {
  it.each([60, 80, 120, 200])("is called by its file at %d columns, and copied by it", async (columns) => {
    const blank = { name: "nameless.md", verdict: "no-id" as const, field: "id", ordinary: false };
    const files = ["", " \t"].map((id, number) => ({ ...blank, name: `nameless-${number}.md`, id }));
    const desk = await openDesk(
      { "capsule.list": { schema: 1, memory: SELECTION.memory, total: 2, files } },
      { columns, rows: 30 },
    );
    desk.press("4");
    expect(screen(desk)).toMatch(/nameless-0/);
    expect(screen(desk)).toMatch(/nameless-1/);
    desk.press("y");
    expect(desk.store.getState().message?.text).toMatch(/^copied: nameless-\d\.md$/);
  });
});

describe("the sum of the capsules", () => {
  const REASONS = [
    "already-consumed",
    "not-newest",
    "missing-required-field",
    "status-not-active",
    "no-frontmatter",
    "bad-created_at",
    "placeholder-demoted",
  ] as const;
  const groups = REASONS.map((reason, index) => ({
    reason,
    count: 40 - index,
    names: [],
    ordinary: false,
  }));
  const total = groups.reduce((sum, { count }) => sum + count, 1);

  it.each([
    [80, 24],
    [80, 30],
    [120, 30],
    [120, 40],
    [200, 50],
  ])("adds up to what is on disk in what is seen of it, at %d by %d", async (columns, rows) => {
    const desk = await openDesk({ "capsule.select": { ...SELECTION, total, groups } }, { columns, rows });
    desk.press("tab", "tab");
    for (const view of ["1", "4"]) {
      desk.press(view);
      const frame = screen(desk).replaceAll(/[│\n]/g, "  ");
      const sum = /(\d+) on disk = (\d+) selected/.exec(frame);
      const named = new RegExp(`\\+ (\\d+) (?:${REASONS.join("|")}|other)`, "g");
      const parts = [...frame.matchAll(named)].map((match) => Number(match[1]));
      expect(Number(sum?.[1])).toBe(total);
      expect(parts.reduce((one, other) => one + other, Number(sum?.[2]))).toBe(total);
    }
  });

  it("says that a clear would resume nothing while somebody conducts", async () => {
    const deferred = "its phase has not ended";
    const desk = await openDesk({ "capsule.select": { ...SELECTION, deferred } }, { columns: 200, rows: 36 });
    expect(screen(desk)).toContain("deferred, 3h, curated");
    expect(screen(desk)).toContain(`A clear resumes nothing: a conducted cycle is live (${deferred}).`);
  });

  it("says that memory is diverted", async () => {
    const memory = { ...SELECTION.memory, diverted: true };
    const desk = await openDesk({ "capsule.select": { ...SELECTION, memory } }, { columns: 120, rows: 36 });
    expect(screen(desk)).toContain("AIGENT_STATE_HOME_DIR diverts memory");
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
