import { vi } from "vitest";
import { fixedClock } from "../../src/core/base/clock.ts";
import type { Answer } from "../../src/core/capabilities/answer.ts";
import { worksNow } from "../../src/tui/actions/conditions.ts";
import { createData } from "../../src/tui/data.ts";
import type { Desk } from "../../src/tui/desk.ts";
import { dispatch } from "../../src/tui/dispatch.ts";
import { KEYS } from "../../src/tui/keys.ts";
import type { Size } from "../../src/tui/model/size.ts";
import type { Ask } from "../../src/tui/options.ts";
import { ACT_PATIENCE, QUESTIONS } from "../../src/tui/questions.ts";
import { createRowSource } from "../../src/tui/row-source.ts";
import { SLICE_NAMES } from "../../src/tui/slices.ts";
import { createConsoleStore } from "../../src/tui/store.ts";
import { Unshown } from "../../src/tui/unshown.ts";
import { NOW, ROOT, sampleAnswers } from "./console-answers.ts";

export interface FakeAsk extends Ask {
  answers: Record<string, unknown>;
  calls: { id: string; input: unknown; signal: AbortSignal | undefined }[];
}

/** Answers from a table; an `Error` in it is an answer that failed, a function is called. */
export function fakeAsk(answers: Record<string, unknown> = {}): FakeAsk {
  const ask: FakeAsk = {
    answers: { ...sampleAnswers(), ...answers },
    calls: [],
    async run(_, id, input, options = {}): Promise<Answer> {
      ask.calls.push({ id, input, signal: options.signal });
      const answer = ask.answers[id];
      if (answer instanceof Error)
        return { ok: false, error: { code: "fake", exit: 13, message: answer.message } };
      const value: unknown = typeof answer === "function" ? await answer(input, options) : answer;
      // As from a worker: no object is shared with the one who answers.
      return { ok: true, value: structuredClone(value) };
    },
  };
  return ask;
}

export interface FakeDesk extends Desk {
  ask: FakeAsk;
  sent: string[];
  left: number[];
  /** Presses keys by their names. */
  press: (...keys: string[]) => void;
  /** Settles when the data is there and nothing runs. */
  settle: () => Promise<void>;
}

/** A console without a terminal: its store, its data and its keys. */
export async function openDesk(
  answers: Record<string, unknown> = {},
  size: Size = { columns: 100, rows: 30 },
  roots: readonly string[] = [ROOT],
): Promise<FakeDesk> {
  const store = createConsoleStore(roots, size, NOW);
  const ask = fakeAsk(answers);
  const rowsOf = createRowSource();
  const data = createData({ store, ask, clock: fixedClock(NOW), isWanted: () => true });
  const sent: string[] = [];
  const left: number[] = [];
  const desk: FakeDesk = {
    store,
    ask,
    data,
    rowsOf,
    bindings: KEYS,
    works: worksNow(rowsOf),
    terminal: {
      control: (sequence) => sent.push(sequence),
      repaint: () => sent.push("repainted"),
      lend: (borrow) => borrow(),
      suspend: () => sent.push("suspended"),
      drawn: async () => true,
    },
    environment: { HOME: "/home/mira" },
    typed: new Map(),
    unshown: new Unshown(ask),
    leave: (status) => left.push(status),
    refresh: (root, asked) => data.refresh(root, SLICE_NAMES, asked === true ? Infinity : ACT_PATIENCE),
    sent,
    left,
    press: (...keys) => {
      for (const key of keys) dispatch(desk, { key });
    },
    settle: async () => {
      await vi.waitFor(() => {
        if (store.getState().busy !== undefined) throw new Error("busy");
      });
      await data.settled();
    },
  };
  const asked = SLICE_NAMES.filter((name) => QUESTIONS[name].input !== undefined);
  for (const root of roots) data.want(root, asked);
  await data.settled();
  return desk;
}
