import { describe, expect, it, vi } from "vitest";
import { withinTime } from "../../../src/server/http/within-time.ts";

const never = (): Promise<never> => new Promise(() => undefined);

describe("an answer's time", () => {
  it("is up for work that cannot be stopped, which is asked to stop all the same", async () => {
    let asked: AbortSignal | undefined;
    const waiting = withinTime(new AbortController().signal, 5, (signal) => {
      asked = signal;
      return never();
    });
    await expect(waiting).rejects.toMatchObject({ status: 504, code: "http.time" });
    expect(asked?.aborted).toBe(true);
  });

  it("gives an answer that comes after all to whoever makes it good", async () => {
    const late = vi.fn<(answer: string) => void>();
    let come: (answer: string) => void = () => undefined;
    const slow = new Promise<string>((resolve) => {
      come = resolve;
    });
    const waiting = withinTime(new AbortController().signal, 5, () => slow, late);
    await expect(waiting).rejects.toMatchObject({ status: 504 });
    expect(late).not.toHaveBeenCalled();
    come("it");
    await slow;
    expect(late).toHaveBeenCalledExactlyOnceWith("it");
  });

  it("ends when the client goes away", async () => {
    const client = new AbortController();
    const answer = withinTime(client.signal, 60_000, async (signal) => {
      client.abort();
      return signal.aborted;
    });
    expect(await answer).toBe(true);
  });

  it("leaves nothing behind once there is an answer", async () => {
    const client = new AbortController();
    const removed = vi.spyOn(client.signal, "removeEventListener");
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    expect(await withinTime(client.signal, 60_000, async () => "it")).toBe("it");
    expect(removed).toHaveBeenCalledOnce();
    expect(cleared).toHaveBeenCalledOnce();
    vi.restoreAllMocks();
  });
});
