import { describe, expect, it, vi } from "vitest";
import { fixedClock } from "../../src/core/base/clock.ts";
import { createData } from "../../src/tui/data.ts";
import { reuse } from "../../src/tui/reuse.ts";
import { affectedBy } from "../../src/tui/affected.ts";
import { SLICE_NAMES } from "../../src/tui/slices.ts";
import { createConsoleStore } from "../../src/tui/store.ts";
import { EPISODES, episodesAnswer, NOW, ROOT, STATE } from "../support/console-answers.ts";
import { fakeAsk } from "../support/console-desk.ts";

function open(answers: Record<string, unknown> = {}, isWanted = (): boolean => true) {
  const store = createConsoleStore([ROOT], { columns: 100, rows: 30 }, NOW);
  const ask = fakeAsk(answers);
  const data = createData({ store, ask, clock: fixedClock(NOW), isWanted });
  const slice = (name: (typeof SLICE_NAMES)[number]) => store.getState().repositories[ROOT]?.[name];
  return { store, ask, data, slice };
}

describe("reuse", () => {
  it("gives the old value back when nothing changed, and its parts where something did", () => {
    const old = { list: [{ a: 1 }, { a: 2 }], other: { b: [1] } };
    expect(reuse(old, structuredClone(old))).toBe(old);
    const next = reuse(old, { list: [{ a: 1 }, { a: 3 }], other: { b: [1] } });
    expect(next).toEqual({ list: [{ a: 1 }, { a: 3 }], other: { b: [1] } });
    expect(next.list[0]).toBe(old.list[0]);
    expect(next.other).toBe(old.other);
    expect(reuse(old, { list: old.list })).toEqual({ list: old.list });
    expect(reuse([1, 2], [1])).toEqual([1]);
  });
});

describe("the slices", () => {
  it("are the same objects after the same answers: nothing is drawn", async () => {
    const { store, data } = open();
    data.want(ROOT, ["episodes", "state"]);
    await data.settled();
    const before = store.getState();
    data.refresh(ROOT, ["episodes", "state"]);
    await data.settled();
    expect(store.getState()).toBe(before);
  });

  it("keep the rows that did not change", async () => {
    const { ask, data, slice } = open();
    data.want(ROOT, ["episodes"]);
    await data.settled();
    const before = slice("episodes")?.data;
    ask.answers["lifecycle.episodes"] = episodesAnswer(
      EPISODES.map((one, index) => (index === 1 ? { ...one, branch: "other" } : one)),
    );
    data.refresh(ROOT, ["episodes"]);
    await data.settled();
    const after = slice("episodes")?.data;
    expect(after).not.toBe(before);
    expect(after).toMatchObject({ episodes: { 1: { branch: "other" } } });
    const rowsOf = (answer: unknown): unknown[] => (answer as { episodes: unknown[] }).episodes;
    expect(rowsOf(after)[0]).toBe(rowsOf(before)[0]);
  });

  it("ask once more, and only once, for changes that came while a question was open", async () => {
    const gate = gateOf();
    const { ask, data } = open({ "continuity.state": () => gate.promise.then(() => STATE) });
    data.want(ROOT, ["state"]);
    data.refresh(ROOT, ["state"]);
    data.refresh(ROOT, ["state"]);
    data.refresh(ROOT, ["state"]);
    gate.open();
    await data.settled();
    expect(ask.calls).toHaveLength(2);
  });

  it("keep old data beside an error, and say which", async () => {
    const { ask, data, slice } = open();
    data.want(ROOT, ["history"]);
    await data.settled();
    ask.answers["history.query"] = new Error("permission denied");
    data.refresh(ROOT, ["history"]);
    await data.settled();
    expect(slice("history")).toMatchObject({
      state: "failed",
      data: { total: 1204 },
      error: { message: "permission denied" },
    });
  });

  it("do not believe an answer of another form", async () => {
    const { data, slice } = open({ "lifecycle.recovery": { present: "perhaps" } });
    data.want(ROOT, ["recovery"]);
    await data.settled();
    expect(slice("recovery")).toMatchObject({ state: "failed", error: { subject: "lifecycle.recovery" } });
  });

  it("that nobody looks at are marked old instead of asked", async () => {
    let looking = true;
    const { ask, data, slice } = open({}, () => looking);
    data.want(ROOT, ["plan"]);
    await data.settled();
    looking = false;
    data.refresh(ROOT, ["plan"]);
    await vi.waitFor(() => expect(slice("plan")?.state).toBe("stale"));
    expect(ask.calls).toHaveLength(1);
    data.want(ROOT, ["plan"]);
    await data.settled();
    expect(slice("plan")?.state).toBe("ready");
  });

  it("of what rests long are marked as old at once, and asked anew when a person wants it", async () => {
    const { ask, data, slice } = open();
    data.want(ROOT, ["doctor"]);
    await data.settled();
    data.refresh(ROOT, ["doctor"]);
    await vi.waitFor(() => expect(slice("doctor")?.state).toBe("stale"));
    data.want(ROOT, ["doctor"]);
    expect(ask.calls).toHaveLength(1);
    data.refresh(ROOT, ["doctor"], Infinity);
    await data.settled();
    expect(slice("doctor")?.state).toBe("ready");
    expect(ask.calls).toHaveLength(2);
    data.close();
  });

  it("of a question that was changed forget the old answer, even one that comes later", async () => {
    const gate = gateOf();
    const { ask, data, slice } = open({
      "history.query": async (input: { session: string }) => {
        if (input.session === "s-1") await gate.promise;
        return {
          lines: [],
          total: 0,
          matched: input.session === "s-1" ? 1 : 2,
          cut: 0,
          malformed: 0,
          unregistered: 0,
          torn_bytes: 0,
          consumed: 0,
        };
      },
    });
    data.pose(ROOT, "lines", { session: "s-1" });
    data.pose(ROOT, "lines", { session: "s-2" });
    await data.settled();
    gate.open();
    await data.settled();
    expect(slice("lines")?.data).toMatchObject({ matched: 2 });
    expect(ask.calls[0]?.signal?.aborted).toBe(true);
    data.pose(ROOT, "lines", undefined);
    await vi.waitFor(() => expect(slice("lines")).toEqual({ state: "idle" }));
  });
});

function gateOf(): { promise: Promise<void>; open: () => void } {
  let settle: (() => void) | undefined;
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, open: () => settle?.() };
}

describe("affectedBy", () => {
  it("knows what git's files and the ledger are about, and takes no chances with others", () => {
    const labelled = expect.arrayContaining([
      "state",
      "closed",
      "handover",
      "checkpoint",
      "contract",
    ]) as unknown;
    expect(affectedBy("/r/.git/HEAD")).toEqual(labelled);
    expect(affectedBy("/r/.git/refs/heads/main")).toEqual(labelled);
    expect(affectedBy("/r/.ai/local/state/ledger.jsonl")).toContain("history");
    expect(affectedBy("/r/.git/COMMIT_EDITMSG")).toEqual(labelled);
    expect(affectedBy("/r/.git/index.lock")).toEqual([]);
    expect(affectedBy("/r/.ai/repo/sessions/.tmp.x81")).toEqual([]);
    expect(affectedBy("/r/.git/majordomus/episodes/ab.json")).toContain("episodes");
    expect(affectedBy("/r/.git/majordomus/episodes/ab.json")).not.toContain("told");
    expect(affectedBy("/r/.ai/local/state/open-questions.md")).toContain("questions");
    expect(affectedBy("/r/.ai/local/state/decisions.md")).not.toContain("episodes");
    expect(affectedBy("/r/.ai/local/state/current.yaml")).toContain("contract");
    expect(affectedBy("/r/.ai/local/state/handovers/x.md")).toContain("handover");
    expect(affectedBy("/r/.ai/local/state/continuity.json")).toContain("state");
    expect(affectedBy("/r/.git/majordomus/continuity/hidden/ab")).toContain("state");
    expect(affectedBy("/r/.claude/settings.local.json")).toContain("doctor");
    expect(affectedBy("/r/.claude/settings.local.json")).not.toContain("history");
    expect(affectedBy("process 12")).toContain("episodes");
    expect(affectedBy("/r/.ai/local/state/sessions/open/x.md")).toEqual(SLICE_NAMES);
  });
});
