import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { widthOf } from "../../src/tui/cells.ts";
import { headerLine } from "../../src/tui/model/header.ts";
import { textOf } from "../../src/tui/model/line.ts";
import { VIEWS } from "../../src/tui/places.ts";
import { createConsoleStore } from "../../src/tui/store.ts";
import {
  EPISODES,
  episodesAnswer,
  historyAnswer,
  historyLines,
  NOW,
  PLAN,
  RECOVERY,
  ROOT,
} from "../support/console-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import { hostileAnswers } from "../support/console-hostile.ts";
import { consoleRows } from "../support/console-frame.tsx";

const anything = fc.string({ unit: "binary", maxLength: 30 });

describe("a frame", () => {
  it("is never larger than the terminal, and its panes are exactly as wide, whatever they hold", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anything, { minLength: 3, maxLength: 12 }),
        fc.integer({ min: 30, max: 210 }),
        fc.integer({ min: 8, max: 60 }),
        fc.constantFrom(...VIEWS.map((view) => view.digit)),
        fc.constantFrom([], ["?"], [":"], ["/", "a"], ["c"], ["enter"], ["tab"], ["o"], ["n", "c"], ["f"]),
        async (texts, columns, rows, digit, keys) => {
          const desk = await openDesk(hostileAnswers(texts), { columns, rows });
          desk.press(digit, ...keys);
          const frame = consoleRows(desk);
          expect(frame.length).toBeLessThanOrEqual(Math.max(rows - 1, 1));
          for (const row of frame) {
            expect(widthOf(row)).toBeLessThanOrEqual(columns);
            if (/^[┌│└]/u.test(row)) expect(widthOf(row), row).toBe(columns);
            expect(row).not.toMatch(/\p{Cc}/u);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("costs the same for ten thousand rows: only what is seen is drawn", async () => {
    const desk = await openDesk({ "history.query": historyAnswer(historyLines(10_000), 10_000) });
    desk.press("7", "g");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("10,000 lines");
    expect(frame).toContain("below");
    expect(frame.split("\n")).toHaveLength(29);
  });
});

describe("a narrow screen", () => {
  it("shows below a list what is known about its row, where it is high enough", async () => {
    const desk = await openDesk({}, { columns: 60, rows: 40 });
    const high = consoleRows(desk).join("\n");
    expect(high).toContain("┌ Selected ");
    expect(high).toMatch(/worker +alive/);
    desk.store.setState({ size: { columns: 60, rows: 22 } });
    expect(consoleRows(desk).join("\n")).not.toContain("┌ Selected ");
  });

  it("never lets a long title hide what waits for a person", async () => {
    for (const columns of [50, 60, 80, 100]) {
      const desk = await openDesk({}, { columns, rows: 30 });
      const frame = consoleRows(desk).join("\n");
      expect(frame, String(columns)).toContain("1 blocker");
      expect(frame, String(columns)).toMatch(/health 1 FAIL · 1 DRIFT · 1 WARN/);
    }
  });
});

describe("an episode that another worktree opened", () => {
  it("tells what a person can do with it, and is not closed from here", async () => {
    const remedy = "rm /home/mira/app/.ai/local/state/sessions-open/copied.yaml";
    const episodes = (EPISODES ?? []).map((one) => (one.standing === "foreign" ? { ...one, remedy } : one));
    const desk = await openDesk(
      { "lifecycle.episodes": episodesAnswer(episodes) },
      { columns: 140, rows: 40 },
    );
    desk.press("G");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toMatch(/take away +rm \/home\/mira\/app/);
    expect(frame).not.toContain("c close");
    desk.press("c");
    expect(desk.store.getState().mode.kind).toBe("browse");
    expect(desk.store.getState().message?.text).toContain(remedy);
    desk.press("escape", "y");
    expect(desk.store.getState().message?.text).toBe(`copied: ${remedy}`);
  });
});

describe("the overview", () => {
  it("answers what is open, what is stranded, and whether it adds up", async () => {
    const desk = await openDesk({}, { columns: 120, rows: 36 });
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("5 open · 1 elsewhere");
    expect(frame).toContain("worktree gone s-…72ea");
    expect(frame).toContain("worker gone   s-…b41b");
    expect(frame).toContain("pid 4411 ended");
    expect(frame).toContain("started 48 = closed 41 + recovered 0 + open 7");
    expect(frame).toContain("newest 40 of 1,204");
    expect(frame).toContain("app · main 3f2a9c1 · dirty 4 · episode s-…fc51 (current)");
    expect(frame).toContain("handover ✓ exact fresh 3h  nex");
  });

  it("says of this checkout's episode what the list says of it: that its worker is gone", async () => {
    const [current, ...others] = EPISODES;
    const gone = { ...current, worker_state: "gone", recoverable: "worker_gone" };
    const desk = await openDesk({
      "lifecycle.episodes": { ...episodesAnswer(), episodes: [gone, ...others] },
    });
    expect(consoleRows(desk, {}).join("\n")).toMatch(/episode s-…fc51 \(worker gone\)/);
    // A worktree that was deleted answers nothing any more: what stands there was so once.
    desk.ask.answers["continuity.state"] = new Error("no such directory");
    desk.refresh(ROOT);
    await desk.settle();
    expect(consoleRows(desk, {}).join("\n")).toMatch(/episode s-…fc51 \(unknown\)/);
  });

  it("shows where the checkout stands by git's files until it was asked", () => {
    const place = { root: ROOT, branch: "main", head: "3f2a9c1".padEnd(40, "0") };
    const size = { columns: 100, rows: 30 };
    const state = createConsoleStore([ROOT], size, NOW, [place]).getState();
    expect(textOf(headerLine(state, ROOT, 100))).toMatch(/^ majordomus {2}app · main 3f2a9c1 /);
  });

  it("folds the panes that have no room to one line with their counts", async () => {
    const desk = await openDesk({}, { columns: 60, rows: 24 });
    desk.press("tab");
    const rows = consoleRows(desk);
    expect(rows[1]).toMatch(/^ Episodes {3}5 open · 1 elsewhere/);
    expect(rows[2]).toMatch(/^┌ Stranded ─+ 2 ┐$/);
    expect(rows.join("\n")).toMatch(/ History {4}newest 40 of 1,204/);
  });

  it("has a line of tabs where one pane alone has room", async () => {
    const desk = await openDesk({}, { columns: 44, rows: 16 });
    desk.press("tab");
    const rows = consoleRows(desk);
    expect(rows[1]).toBe(" Episodes  Stranded  Capsule  Sync  History");
    expect(rows[2]).toMatch(/^┌ Stranded/);
  });

  it("says that the sum does not come out, and why", async () => {
    const balance = {
      started: 48,
      closed: 40,
      recovered: 0,
      open: 7,
      unaccounted: 1,
      agrees: false,
      note: "one id has no end",
    };
    const desk = await openDesk({
      "lifecycle.recovery": {
        present: true,
        pointer: { layout: "absent", resolves: false, note: "no pointer" },
        balance,
      },
    });
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("48 = 40 closed + 0 rec + 7 open + 1");
    expect(frame).toContain("one id has no end");
  });

  it("shows in Recovery what the read models noticed, once each", async () => {
    const finding = {
      level: "WARN",
      category: "episode",
      subject: "notes.txt",
      message: "is not an episode",
      reproduce: "majordomus recover status",
    };
    const desk = await openDesk(
      {
        "lifecycle.episodes": { ...episodesAnswer(), findings: [finding] },
        "lifecycle.recovery": { ...RECOVERY, findings: [finding, { ...finding, level: "OK" }] },
      },
      { columns: 120, rows: 30 },
    );
    desk.press("3", "G");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("2 repairs · 1 skipped · 1 finding");
    expect(frame).toMatch(/▸! WARN +notes\.txt +is not an episode/);
    expect(frame).toContain("see it with majordomus recover status");
  });

  it("says where no episode was ever opened", async () => {
    const desk = await openDesk({ "lifecycle.episodes": { ...episodesAnswer([]), present: false } });
    expect(consoleRows(desk).join("\n")).toContain("no episode was ever opened here");
  });

  it("marks what it could not read and what is old", async () => {
    const desk = await openDesk();
    desk.ask.answers["lifecycle.episodes"] = new Error("permission denied");
    desk.refresh("/home/mira/app");
    await desk.settle();
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("✕ permission denied");
    expect(frame).toContain("old, not readable");
    expect(frame).toContain("claude-code main");
  });

  it("loses nothing without colours and without anything but ASCII", async () => {
    const desk = await openDesk({}, { columns: 120, rows: 36 });
    for (const digit of ["1", "2", "3", "7"]) {
      desk.press(digit);
      const frame = consoleRows(desk, { ascii: true }).join("\n");
      expect(frame).toMatch(/^[\n\x20-\x7e]*$/);
    }
  });
});

describe("the question before something is written", () => {
  it("shows evidence, what is kept, what is lost, and the paths", async () => {
    const desk = await openDesk({}, { columns: 100, rows: 40 });
    desk.press("tab", "r");
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
    const frame = consoleRows(desk).join("\n");
    const [action] = PLAN.actions;
    for (const text of [...(action?.evidence ?? []), ...(action?.kept ?? []), ...(action?.lost ?? [])]) {
      expect(frame).toContain(text);
    }
    expect(frame).toContain(".ai/repo/sessions/20260904T180000Z--feat-x--72ea.md");
    expect(frame).toContain("Skipped, 1 candidate");
    expect(frame).toContain("Enter recover  Esc do not");
  });

  it("warns that the worker of an episode is alive", async () => {
    const desk = await openDesk();
    desk.press("c");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("Close this episode?");
    expect(frame).toContain("Its worker is alive");
    expect(frame).toContain("removes     .ai/local/state/sessions/open/claude-code-fc51.md");
  });
});
