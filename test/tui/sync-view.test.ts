import { describe, expect, it, vi } from "vitest";
import { followPerson } from "../../src/tui/follow.ts";
import { ago, STATE } from "../support/console-answers.ts";
import { PLAN_CONFLICT, PLAN_READY, RECORDS, recordId, STATUS } from "../support/console-sync-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import type { FakeDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";

function screen(desk: FakeDesk): string {
  return consoleRows(desk).join("\n");
}

function asked(desk: FakeDesk, id: string): unknown[] {
  return desk.ask.calls.filter((call) => call.id === id).map((call) => call.input);
}

async function shows(desk: FakeDesk, text: string): Promise<void> {
  await vi.waitFor(() => expect(screen(desk)).toContain(text));
}

describe("the sync view", () => {
  it("draws each line, offers first, and says what each record is to this checkout", async () => {
    const desk = await openDesk({}, { columns: 190, rows: 30 });
    desk.press("5");
    const frame = screen(desk);
    expect(frame).toContain("origin · pending · 1 offer");
    const rows = frame.split("\n").map((row) => row.replace(/^│./u, ""));
    const at = (start: RegExp): number => rows.findIndex((row) => start.test(row));
    expect(at(/^○ +offer +desktop +trusted +fix\/io +Fix the reader/)).toBe(2);
    expect(at(/^● +here +laptop +this device +main/)).toBe(3);
    expect(at(/^│ ○ +diverged +desktop +trusted/)).toBe(4);
    expect(at(/^●─╯ +laptop/)).toBe(5);
    expect(frame).toContain("laptop (this)  key 33623c9f   synced 30m ago");
    expect(frame).toContain("was continued 2 times");
  });

  it("plans the record under the cursor with every reason, and sets diverged ways side by side", async () => {
    const desk = await openDesk({}, { columns: 150, rows: 40 });
    const stop = followPerson(desk.store, desk.data, desk.rowsOf);
    desk.press("5");
    await shows(desk, "local_dirty: 2 uncommitted change(s) here");
    expect(asked(desk, "continuity.plan")).toEqual([{ record: recordId("bbbb") }]);
    expect(screen(desk)).toMatch(/next: ask the printer +│ next: compare the pages/);
    expect(screen(desk)).toContain("majordomus continuity resume --record bbbb");
    stop();
  });

  it("says where there is nothing, and what could not be read", async () => {
    const nothing = { ...STATUS, lines: [], resumable: [], diagnostics: [] };
    const desk = await openDesk({
      "continuity.status": nothing,
      "continuity.records": { records: [], lines: [], refused: [], diagnostics: [] },
    });
    desk.press("5");
    expect(screen(desk)).toContain("nothing was published, here or by another machine");
    const failing = await openDesk({ "continuity.records": new Error("mesh: is not YAML") });
    failing.press("5");
    expect(screen(failing)).toContain("✕ mesh: is not YAML");
  });
});

describe("acts on what travels", () => {
  it("talk to the remote only after Enter, and say what came and went", async () => {
    const desk = await openDesk();
    desk.press("5", "s");
    expect(screen(desk)).toContain("refs/majordomus/continuity, which only grows");
    desk.press("escape");
    expect(asked(desk, "continuity.sync")).toEqual([]);
    desk.press("s", "enter", "enter");
    await desk.settle();
    await shows(desk, "synced with origin: 2 records came, 1 sent, 1 offer to resume");
    expect(asked(desk, "continuity.sync")).toEqual([{}]);
  });

  it("say that the remote could not be reached, and why", async () => {
    const unreachable = {
      remote: "origin",
      action: "unreachable",
      outcome: "unreachable",
      fetched: 0,
      published: 0,
      restored: 0,
      lines: [],
      store: STATUS.store,
      resumable: [],
      diagnostics: [{ severity: "warning", code: "continuity.remote_unreachable", message: "timed out" }],
    };
    const desk = await openDesk({ "continuity.sync": unreachable });
    desk.press("5", "s", "enter");
    await desk.settle();
    await vi.waitFor(() => expect(screen(desk)).toContain("origin could not be reached: timed out"));
  });

  it("publish the newest handover, and warn that this is permanent", async () => {
    const desk = await openDesk();
    desk.press("5", "P");
    expect(screen(desk)).toContain("What is published is permanent.");
    expect(screen(desk)).toContain("laptop, key 33623c9f");
    desk.press("enter");
    await desk.settle();
    await shows(desk, "published .ai/local/state/handovers/h.md");
  });

  it("resume behind the plan, which is made again at Enter and shown again when it differs", async () => {
    const desk = await openDesk();
    desk.press("5", "U");
    await shows(desk, "Resume this here?");
    expect(screen(desk)).toContain("local_dirty: 2 uncommitted change(s) here");
    desk.ask.answers["continuity.plan"] = { ...PLAN_READY, warnings: [] };
    desk.press("enter");
    await shows(desk, "The plan changed since it was shown, and nothing was done.");
    expect(asked(desk, "continuity.resume")).toEqual([]);
    desk.press("enter");
    await desk.settle();
    await shows(desk, "resumed from desktop; wrote .ai/local/state/handovers/new.md; 2 decisions carried");
    expect(asked(desk, "continuity.resume")).toEqual([{ record: recordId("bbbb") }]);
  });

  it("do not offer to resume what is in the way of itself, and say why", async () => {
    const desk = await openDesk({ "continuity.plan": PLAN_CONFLICT });
    desk.press("5", "U");
    await shows(desk, "It cannot be resumed here as it is");
    expect(screen(desk)).toContain("would_diverge: this checkout continued the same work otherwise");
    desk.press("enter");
    await desk.settle();
    expect(asked(desk, "continuity.resume")).toEqual([]);
    desk.press("L");
    await shows(desk, "The plan");
  });

  it("hide a record and offer it again, and prove one with its chain", async () => {
    const desk = await openDesk();
    desk.press("5", "j", "k", "H", "enter");
    await desk.settle();
    expect(asked(desk, "continuity.hide")).toEqual([{ record: recordId("bbbb") }]);
    await shows(desk, "hidden on this machine");
    const [first, ...others] = RECORDS;
    desk.ask.answers["continuity.records"] = {
      records: [{ ...first, hidden: true }, ...others],
      lines: STATUS.lines,
      refused: [],
      diagnostics: [],
    };
    desk.refresh("/home/mira/app", true);
    await desk.settle();
    desk.press("H");
    expect(screen(desk)).toContain("Offer it again?");
    desk.press("escape", "V");
    await shows(desk, "it does not hold: continuity.signature the signature is not of these bytes");
    expect(screen(desk)).toContain("its commit is not in this clone");
  });
});

describe("the overview", () => {
  it("shows offers, the lines and this machine", async () => {
    const desk = await openDesk({}, { columns: 120, rows: 40 });
    const frame = screen(desk);
    expect(frame).toMatch(/┌ Sync ─+ origin · pending · 1 offer ┐/);
    expect(frame).toMatch(/○ desktop +fix\/io +Fix the reader/);
    expect(frame).toContain("line aaaa00  ─●─┬─● laptop  diverged");
    expect(frame).toContain("└─● desktop");
    const middle = await openDesk({}, { columns: 90, rows: 40 });
    expect(screen(middle)).toMatch(/┌ Capsule ─.*┌ Sync ─/u);
    const narrow = await openDesk({}, { columns: 60, rows: 24 });
    expect(screen(narrow)).toMatch(/\n Sync {7}origin · pending · 1 offer/);
  });

  it("says in the first row that handovers wait, by what the last sync noted", async () => {
    const offer = { record: "a".repeat(32), device: "desktop", published_at: ago(60) };
    const desk = await openDesk(
      { "continuity.state": { ...STATE, waiting: [offer] } },
      { columns: 120, rows: 40 },
    );
    expect(consoleRows(desk)[0]).toContain("dirty 4 · 1 to resume · episode");
    const two = await openDesk(
      { "continuity.state": { ...STATE, waiting: [offer, offer] } },
      { columns: 60, rows: 24 },
    );
    expect(consoleRows(two)[0]).toContain("· 2 to resume");
    expect(consoleRows(await openDesk({}, { columns: 120, rows: 40 }))[0]).not.toContain("to resume");
  });
});
