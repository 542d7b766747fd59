import { describe, expect, it, vi } from "vitest";
import { dispatch } from "../../src/tui/dispatch.ts";
import { currentRow, selectedRow } from "../../src/tui/row-source.ts";
import {
  EPISODES,
  episodesAnswer,
  historyAnswer,
  historyLines,
  PLAN,
  ROOT,
  sessionId,
} from "../support/console-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import type { FakeDesk } from "../support/console-desk.ts";

function selectedSession(desk: FakeDesk): string | undefined {
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  return row?.kind === "episode" ? row.episode.session_id : undefined;
}

async function refreshed(desk: FakeDesk): Promise<void> {
  desk.refresh(ROOT);
  await desk.settle();
}

describe("Ctrl-L", () => {
  it("draws everything anew, whatever covers the panes or is being written", async () => {
    const desk = await openDesk();
    desk.press("ctrl-l");
    for (const opener of ["?", "/", ":"]) desk.press(opener, "ctrl-l", "escape");
    desk.press("8", "n", "q", "ctrl-l");
    expect(desk.sent).toEqual(Array.from({ length: 5 }, () => "repainted"));
    expect(desk.store.getState().mode.kind).toBe("form");
  });
});

describe("the cursor", () => {
  it("stays on its record when rows come and go, and in its place when the record goes", async () => {
    const desk = await openDesk();
    desk.press("j", "j");
    expect(selectedSession(desk)).toBe(sessionId("c0de"));
    desk.ask.answers["lifecycle.episodes"] = episodesAnswer(EPISODES.slice(1));
    await refreshed(desk);
    expect(selectedSession(desk)).toBe(sessionId("c0de"));
    desk.ask.answers["lifecycle.episodes"] = episodesAnswer(
      [EPISODES[0], EPISODES[1], EPISODES[3]].flatMap((one) => (one === undefined ? [] : [one])),
    );
    await refreshed(desk);
    expect(selectedSession(desk)).toBe(sessionId("91aa"));
  });

  it("follows the end of the ledger until it is moved away from there", async () => {
    const desk = await openDesk();
    desk.press("7");
    const last = (): unknown => selectedRow(desk.store.getState(), desk.rowsOf, "ledger");
    expect(last()).toMatchObject({ line: { offset: 39 * 210 } });
    desk.ask.answers["history.query"] = historyAnswer(historyLines(42));
    await refreshed(desk);
    expect(last()).toMatchObject({ line: { offset: 41 * 210 } });
    desk.press("k");
    desk.ask.answers["history.query"] = historyAnswer(historyLines(45));
    await refreshed(desk);
    expect(last()).toMatchObject({ line: { offset: 40 * 210 } });
    desk.press("G");
    desk.ask.answers["history.query"] = historyAnswer(historyLines(46));
    await refreshed(desk);
    expect(last()).toMatchObject({ line: { offset: 45 * 210 } });
  });

  it("goes by pages and to the ends", async () => {
    const desk = await openDesk({ "history.query": historyAnswer(historyLines(1000)) });
    desk.press("7", "g");
    const place = (): number | undefined => desk.store.getState().cursors.ledger?.place;
    expect(place()).toBe(0);
    desk.press("pagedown", "pagedown");
    expect(place()).toBeGreaterThan(30);
    desk.press("pageup", "pageup", "pageup");
    expect(place()).toBe(0);
  });
});

describe("panes and views", () => {
  it("are reached by Tab, arrows and digits", async () => {
    const desk = await openDesk();
    const focus = (): string => desk.store.getState().focus.overview;
    desk.press("tab");
    expect(focus()).toBe("stranded");
    desk.press("tab", "tab");
    expect(focus()).toBe("sync");
    desk.press("tab", "tab");
    expect(focus()).toBe("open");
    desk.press("shift-tab");
    expect(focus()).toBe("tail");
    desk.press("l");
    expect(focus()).toBe("tail");
    desk.press("h", "left", "left", "left", "left");
    expect(focus()).toBe("open");
    desk.press("0");
    expect(desk.store.getState().view).toBe("overview");
    desk.press("3");
    expect(desk.store.getState().view).toBe("recovery");
  });

  it("show closed episodes on demand", async () => {
    const desk = await openDesk();
    desk.press("2");
    expect(desk.rowsOf(desk.store.getState(), "every")).toHaveLength(7);
    desk.press("o");
    expect(desk.rowsOf(desk.store.getState(), "every")).toHaveLength(13);
    desk.press("o");
    expect(desk.rowsOf(desk.store.getState(), "every")).toHaveLength(7);
  });
});

describe("a filter", () => {
  it("narrows while it is typed, is kept by Enter and dropped by Escape", async () => {
    const desk = await openDesk();
    const rows = (): number => desk.rowsOf(desk.store.getState(), "open").length;
    desk.press("/", "g", "e", "m", "x", "backspace");
    expect(rows()).toBe(1);
    expect(desk.rowsOf.totalOf(desk.store.getState(), "open")).toBe(5);
    desk.press("enter", "/", "z");
    expect(rows()).toBe(0);
    desk.press("escape");
    expect(rows()).toBe(1);
    desk.press("escape");
    expect(rows()).toBe(5);
  });

  it("takes a paste as one harmless line", async () => {
    const desk = await openDesk();
    desk.press("/");
    dispatch(desk, { paste: "fix\n\u001B[2J\tio\r" });
    expect(desk.store.getState().filters.open).toBe("fix ␛[2J io");
    desk.press("escape");
    dispatch(desk, { paste: "rq\r" });
    expect(desk.store.getState().mode.kind).toBe("browse");
    expect(desk.left).toEqual([]);
  });
});

describe("recovery", () => {
  it("takes all marked rows, in one plan", async () => {
    const desk = await openDesk();
    desk.press("tab", "space", "space", "r");
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
    desk.press("enter", "enter");
    await desk.settle();
    const applied = desk.ask.calls.filter((call) => call.id === "recover.apply");
    expect(applied.map((call) => call.input)).toEqual([
      { subject: "episodes", only: PLAN.actions.map((action) => action.id), expect: "d1" },
    ]);
    expect(desk.store.getState().marks.size).toBe(0);
    expect(desk.store.getState().message?.text).toContain("wrote ~/app");
  });

  it("asks about everything degraded in its own view", async () => {
    const desk = await openDesk();
    desk.press("3", "ctrl-r");
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
    expect(desk.ask.calls.findLast((call) => call.id === "recover.plan")?.input).toEqual({ subject: "all" });
  });

  it("says why a row is not recovered", async () => {
    const desk = await openDesk();
    desk.press("j", "r");
    await desk.settle();
    await vi.waitFor(() => expect(desk.store.getState().message?.text).toContain("younger than 12h"));
    expect(desk.store.getState().mode.kind).toBe("browse");
  });

  it("reports what failed beside what was done", async () => {
    const [first] = PLAN.actions;
    const desk = await openDesk({
      "recover.apply": {
        state: "applied",
        performed: [{ id: first?.id, message: "recovered one" }],
        failed: [{ id: "episode:x", reason: "the record exists" }],
        plan: PLAN,
      },
    });
    desk.press("tab", "r");
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
    desk.press("enter");
    await desk.settle();
    await vi.waitFor(() =>
      expect(desk.store.getState().message).toEqual({
        tone: "bad",
        text: "recovered one; failed: episode:x: the record exists",
      }),
    );
  });

  it("runs once while a key is held down", async () => {
    const desk = await openDesk();
    desk.press("tab", "r", "r", "r", "r");
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
    desk.press("r", "r");
    await desk.settle();
    // The pane's own plan is another question: it has another subject.
    const plans = desk.ask.calls.filter(
      (call) => call.id === "recover.plan" && JSON.stringify(call.input).includes("episodes"),
    );
    expect(plans).toHaveLength(1);
  });
});

describe("other actions", () => {
  it("close an episode as interrupted, once, after asking", async () => {
    const desk = await openDesk();
    desk.press("c");
    expect(desk.store.getState().mode).toMatchObject({ kind: "confirm", question: { kind: "close" } });
    desk.press("enter", "enter");
    await desk.settle();
    const closes = desk.ask.calls.filter((call) => call.id === "session.close");
    expect(closes.map((call) => call.input)).toEqual([
      { session_id: sessionId("fc51"), outcome: "interrupted" },
    ]);
    await vi.waitFor(() => expect(desk.store.getState().message?.text).toContain("closed.md"));
  });

  it("are repeated on the next row by a dot", async () => {
    const desk = await openDesk();
    desk.press("y", ".", ".");
    const copied = desk.sent.map((sequence) => Buffer.from(sequence.slice(7, -1), "base64").toString());
    expect(copied).toEqual([sessionId("fc51"), sessionId("7d02"), sessionId("c0de")]);
    expect(desk.store.getState().message?.text).toBe(`copied: ${sessionId("c0de")}`);
  });

  it("are repeated on no row twice, and leave none out when the last one is gone", async () => {
    const desk = await openDesk();
    const shown = (): unknown => {
      const { mode } = desk.store.getState();
      return mode.kind === "confirm" && mode.question.kind === "close"
        ? mode.question.episode.session_id
        : undefined;
    };
    const order = EPISODES.filter(({ recoverable }) => recoverable === undefined).map(
      (one) => one.session_id,
    );
    desk.press("c", "escape");
    desk.ask.answers["lifecycle.episodes"] = episodesAnswer(EPISODES.slice(1));
    await refreshed(desk);
    // The cursor was never moved: the next row took the place of the one that is gone.
    desk.press(".");
    expect(shown()).toBe(order[1]);
    desk.press("escape", ".");
    expect(shown()).toBe(order[2]);
    desk.press("escape", "G", ".", "escape", ".");
    expect(shown()).toBeUndefined();
    expect(desk.store.getState().message?.text).toBe("there is no next row");
  });

  it("open a working context, a record, or all that is known", async () => {
    const desk = await openDesk();
    const reading = (): unknown => {
      const { mode } = desk.store.getState();
      return mode.kind === "reader" ? mode.reading : undefined;
    };
    desk.press("w");
    await vi.waitFor(() => expect(reading()).toMatchObject({ title: "Working context" }));
    desk.press("j", "k", "escape", "enter");
    await vi.waitFor(() => expect(reading()).toMatchObject({ title: "Selected" }));
    desk.press("escape", "7", "/", "r", "e", "n", "a", "m", "e", "enter", "enter");
    await vi.waitFor(() => expect(reading()).toMatchObject({ title: "Record" }));
    desk.press("y");
    expect(desk.store.getState().message?.text).toContain("checkpoints/1.md");
    desk.press("q");
    expect(desk.store.getState().mode.kind).toBe("browse");
    expect(desk.left).toEqual([]);
  });

  it("are found by name in the palette", async () => {
    const desk = await openDesk();
    desk.press("ctrl-k", "h", "i", "s", "t", "enter");
    expect(desk.store.getState().view).toBe("history");
    desk.press(":", "escape");
    expect(desk.store.getState().mode.kind).toBe("browse");
    desk.press(":", "z", "z", "z", "z", "enter");
    expect(desk.store.getState().mode.kind).toBe("browse");
  });

  it("leave at once, but not from the midst of writing", async () => {
    const desk = await openDesk({ "session.close": () => new Promise(() => undefined) });
    desk.press("c", "enter");
    await vi.waitFor(() => expect(desk.store.getState().busy?.writes).toBe(true));
    desk.press("q");
    expect(desk.left).toEqual([]);
    desk.press("escape", "ctrl-c");
    expect(desk.left).toEqual([]);
    desk.press("ctrl-c");
    expect(desk.left).toEqual([0]);
  });

  it("say what went wrong", async () => {
    const desk = await openDesk({ "session.context": new Error("no such episode") });
    desk.press("w");
    await vi.waitFor(() =>
      expect(desk.store.getState().message).toEqual({ tone: "bad", text: "no such episode" }),
    );
  });
});
