import { describe, expect, it } from "vitest";
import type { Answer } from "../../src/core/capabilities/answer.ts";
import type { Progress } from "../../src/core/capabilities/capability.ts";
import type { AskOptions } from "../../src/server/ask.ts";
import { beginReading } from "../../src/server/shared-reading.ts";

const DONE: Answer = { ok: true, value: "it" };
const LONG = 60_000;

/** A reading that ends when it is told to. */
function newReading(milliseconds = LONG) {
  let end: (answer: Answer) => void = () => undefined;
  let wish: AskOptions = {};
  const reading = beginReading((given) => {
    wish = given;
    return new Promise((resolve) => {
      end = resolve;
    });
  }, milliseconds);
  return {
    reading,
    end: () => end(DONE),
    tell: (progress: Progress) => wish.onProgress?.(progress),
    isStopped: () => wish.signal?.aborted === true,
  };
}

describe("a reading that several wait for", () => {
  it("goes on while anybody waits, and is stopped when the last has gone", async () => {
    const { reading, isStopped } = newReading();
    const [first, second] = [new AbortController(), new AbortController()];
    const answers = [reading.join({ signal: first.signal }), reading.join({ signal: second.signal })];
    first.abort();
    expect(await answers[0]).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect([isStopped(), reading.isAbandoned()]).toEqual([false, false]);
    second.abort();
    expect(await answers[1]).toMatchObject({ ok: false, error: { code: "cancelled" } });
    expect([isStopped(), reading.isAbandoned()]).toEqual([true, true]);
  });

  it("is stopped for nobody's sake while somebody waits who cannot leave", async () => {
    const { reading, isStopped, end } = newReading();
    const leaving = new AbortController();
    const staying = reading.join({});
    const left = reading.join({ signal: leaving.signal });
    leaving.abort();
    await left;
    expect(isStopped()).toBe(false);
    end();
    expect(await staying).toEqual(DONE);
  });

  it("tells everybody who listens how far it is, until they leave", async () => {
    const { reading, tell, end } = newReading();
    const heard: string[] = [];
    const leaving = new AbortController();
    const hear =
      (who: string) =>
      ({ done }: Progress) =>
        void heard.push(`${who} ${done}`);
    const first = reading.join({ onProgress: hear("first") });
    const second = reading.join({ onProgress: hear("second"), signal: leaving.signal });
    tell({ done: 1, what: "a" });
    leaving.abort();
    await second;
    tell({ done: 2, what: "b" });
    end();
    await first;
    tell({ done: 3, what: "c" });
    expect(heard).toEqual(["first 1", "second 1", "first 2"]);
  });

  it("answers a failure that nobody foresaw, and is stopped when its time is up", async () => {
    const broken = beginReading(() => Promise.reject(new Error("cannot")), LONG);
    expect(await broken.join({})).toMatchObject({ ok: false, error: { message: "cannot" } });
    const late = beginReading(
      ({ signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener("abort", () => resolve({ ok: true, value: "stopped" }));
        }),
      1,
    );
    expect(await late.join({})).toEqual({ ok: true, value: "stopped" });
  });

  it("is not waited for by whoever has gone already", async () => {
    const { reading, isStopped } = newReading();
    expect(await reading.join({ signal: AbortSignal.abort() })).toMatchObject({ ok: false });
    expect(isStopped()).toBe(false);
  });
});
