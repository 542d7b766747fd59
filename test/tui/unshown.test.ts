import { expect, it, vi } from "vitest";
import { Unshown } from "../../src/tui/unshown.ts";
import { PROCEDURE, SELECTED } from "../support/console-capsule-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import type { FakeDesk } from "../support/console-desk.ts";

const SPENDING = {
  name: SELECTED.name,
  path: SELECTED.path,
  spent: Buffer.from("status: resumed\n"),
  whole: Buffer.from("status: active\n"),
};
interface Spender extends FakeDesk {
  givenBack: unknown[];
  /** Lets the spend be answered. */
  answer: () => void;
}

/** A console that has asked for a spend, which has happened and is not answered yet. */
async function spend(spent: object = { spent: true, capsule: { ...SELECTED, status: "resumed" } }) {
  const desk = await openDesk({ "capsule.procedure": PROCEDURE });
  const givenBack: unknown[] = [];
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { ask } = desk;
  const run = ask.run.bind(ask);
  ask.run = async (root, id, input, options) => {
    if (id !== "capsule.resume") return run(root, id, input, options);
    await answered;
    return { ok: true, value: { ...PROCEDURE, ...spent }, spendings: [SPENDING] };
  };
  const giveBack = async (root: string, spendings: unknown): Promise<string> => {
    givenBack.push([root, spendings]);
    return "it was given back";
  };
  const spender: Spender = Object.assign(desk, { givenBack, answer, unshown: new Unshown({ giveBack }) });
  desk.press("4", "S");
  await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
  desk.press("enter");
  await vi.waitFor(() => expect(desk.store.getState().busy?.what).toBe("resuming"));
  return spender;
}

const BACK = [["/home/mira/app", [SPENDING]]];

it("keeps a capsule spent whose procedure was shown", async () => {
  const desk = await spend();
  desk.answer();
  await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("reader"));
  await desk.unshown.end();
  expect(desk.givenBack).toEqual([]);
});

it("gives one back that was cancelled too late, and says so", async () => {
  const desk = await spend();
  desk.store.getState().busy?.abort.abort();
  desk.answer();
  await vi.waitFor(() =>
    expect(desk.store.getState().message?.text).toBe("resuming: cancelled; it was given back"),
  );
  expect(desk.givenBack).toEqual(BACK);
  expect(desk.store.getState().mode.kind).toBe("browse");
});

it("gives one back that there is no procedure of", async () => {
  const desk = await spend({ spent: true, capsule: null });
  desk.answer();
  await vi.waitFor(() => expect(desk.givenBack).toEqual(BACK));
});

it("gives one back whose procedure did not come to the screen before the console was left", async () => {
  const desk = await spend();
  Object.assign(desk.terminal, { drawn: async () => false });
  desk.answer();
  await desk.unshown.end();
  expect(desk.givenBack).toEqual(BACK);
});

it("waits for a spend that is under way when the console is left, and gives it back", async () => {
  const desk = await spend();
  desk.store.getState().busy?.abort.abort();
  const ended = desk.unshown.end();
  desk.answer();
  await ended;
  expect(desk.givenBack).toEqual(BACK);
});
