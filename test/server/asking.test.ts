import { describe, expect, it, vi } from "vitest";
import { createAsking, withoutSession } from "../../src/server/asking.ts";
import type { AskingOptions } from "../../src/server/asking.ts";

/** A pool that notes what reaches it, and answers it with what stands there by then. */
function notingPool(answers: () => unknown) {
  const asked: string[] = [];
  const run = async (_root: string, id: string, _input: unknown, { episode }: { episode?: string } = {}) => {
    asked.push(episode === undefined ? id : `${id} for ${episode}`);
    return { ok: true as const, value: await answers() };
  };
  return { asked, pool: { run, close: async () => undefined } };
}

function newAsking(answers: () => unknown = () => "it", more: Partial<AskingOptions> = {}) {
  const { asked, pool } = notingPool(answers);
  return { asked, ...createAsking({ root: "/nowhere", environment: {}, pool, now: () => 0, ...more }) };
}

describe("many who ask", () => {
  it("share a reading that is under way, and nobody else's", async () => {
    let answer: (value: unknown) => void = () => undefined;
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    const { ask, asked } = newAsking(() => held);
    const answers = [
      ask("knowledge.check", {}),
      ask("knowledge.check", {}),
      ask("search.run", { text: "a" }),
      ask("search.run", { text: "b" }),
      ask("knowledge.check", {}, { episode: "s-20260904120000-0001" }),
    ];
    await vi.waitFor(() => expect(asked).toHaveLength(4), { timeout: 20_000 });
    answer("it");
    expect(await Promise.all(answers)).toEqual(Array.from({ length: 5 }, () => ({ ok: true, value: "it" })));
    expect(asked.toSorted()).toEqual([
      "knowledge.check",
      "knowledge.check for s-20260904120000-0001",
      "search.run",
      "search.run",
    ]);
  });

  it("are given the store's standing again for two seconds, and every other reading anew", async () => {
    let now = 0;
    const { ask, asked } = newAsking(() => now, { now: () => now });
    const askBoth = () => Promise.all([ask("lifecycle.episodes", {}), ask("knowledge.check", {})]);
    await askBoth();
    now = 1_999;
    expect(await askBoth()).toEqual([
      { ok: true, value: 0 },
      { ok: true, value: 1_999 },
    ]);
    now = 2_000;
    await askBoth();
    expect(asked.filter((id) => id === "lifecycle.episodes")).toHaveLength(2);
    expect(asked.filter((id) => id === "knowledge.check")).toHaveLength(3);
  });

  it("read anew once something was written", async () => {
    const { ask, asked } = newAsking();
    for (const id of ["lifecycle.episodes", "knowledge.derive", "lifecycle.episodes"]) await ask(id, {});
    expect(asked).toEqual(["lifecycle.episodes", "knowledge.derive", "lifecycle.episodes"]);
  });

  it("are told what is no capability", async () => {
    expect(await newAsking().ask("no.such", {})).toMatchObject({
      ok: false,
      error: { code: "capability.unknown", exit: 2 },
    });
  });
});

describe("an answer that is given again", () => {
  it("is there without asking, is renewed before it is too old, and nobody waits for that", async () => {
    let now = 0;
    const { ask, recall, asked } = newAsking(() => now, { now: () => now });
    expect(recall("lifecycle.episodes", {})).toBeUndefined();
    await ask("lifecycle.episodes", {});
    now = 1_499;
    expect(recall("lifecycle.episodes", {})).toEqual({ ok: true, value: 0 });
    expect(asked).toHaveLength(1);
    now = 1_999;
    expect(recall("lifecycle.episodes", {})).toEqual({ ok: true, value: 0 });
    expect(recall("lifecycle.episodes", {})).toEqual({ ok: true, value: 0 });
    await vi.waitFor(() => expect(recall("lifecycle.episodes", {})).toEqual({ ok: true, value: 1_999 }));
    expect(asked).toHaveLength(2);
    now = 4_000;
    expect(recall("lifecycle.episodes", {})).toBeUndefined();
  });

  it("is of that input and that episode alone, and gone once something was written", async () => {
    const { ask, recall } = newAsking();
    await ask("lifecycle.closed", { window: 3 });
    expect(recall("lifecycle.closed", { window: 3 })).toEqual({ ok: true, value: "it" });
    expect(recall("lifecycle.closed", { window: 4 })).toBeUndefined();
    expect(recall("lifecycle.closed", { window: 3 }, "s-20260904120000-0001")).toBeUndefined();
    await ask("knowledge.derive", {});
    expect(recall("lifecycle.closed", { window: 3 })).toBeUndefined();
  });

  it("makes room for others: so many are kept, and no more", async () => {
    const { ask, recall } = newAsking();
    for (let window = 0; window <= 64; window += 1) await ask("lifecycle.closed", { window });
    expect(recall("lifecycle.closed", { window: 0 })).toBeUndefined();
    expect(recall("lifecycle.closed", { window: 1 })).toBeDefined();
    expect(recall("lifecycle.closed", { window: 64 })).toBeDefined();
  });
});

describe("what only the process itself can answer", () => {
  it("is asked of it, with an input that fits", async () => {
    const { ask, asked } = newAsking(undefined, { own: { "knowledge.check": () => "own" } });
    expect(await ask("knowledge.check", {})).toEqual({ ok: true, value: "own" });
    expect(asked).toEqual([]);
  });

  it("is a failure that it has, not one of the server", async () => {
    const own = {
      "knowledge.check": () => {
        throw new Error("cannot");
      },
    };
    expect(await newAsking(undefined, { own }).ask("knowledge.check", {})).toMatchObject({
      ok: false,
      error: { message: "cannot" },
    });
  });
});

describe("the environment of a shared process", () => {
  it("names nobody's session", () => {
    const given = { CLAUDE_CODE_SESSION_ID: "one", MAJORDOMUS_PROVIDER_SESSION: "two", PATH: "/bin" };
    expect(withoutSession(given)).toEqual({
      PATH: "/bin",
      CLAUDE_CODE_SESSION_ID: undefined,
      MAJORDOMUS_PROVIDER_SESSION: undefined,
    });
  });
});
