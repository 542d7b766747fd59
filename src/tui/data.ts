import type { Clock } from "../core/base/clock.ts";
import { answerError } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Ask } from "./options.ts";
import { reuse } from "./reuse.ts";
import { createSliceWriter } from "./slice-writer.ts";
import { QUESTIONS, RESTS, restsLong } from "./questions.ts";
import type { SliceName } from "./questions.ts";
import type { Slice } from "./slices.ts";
import type { Store } from "./store.ts";

/** Asks capabilities and keeps their answers in the store's slices. */
export interface Data {
  /** Asks for slices that nobody has asked for yet, or that are known to be old. */
  want(root: string, names: Iterable<SliceName>): void;
  /**
   * The source of these slices has changed. Those that nobody wants now are marked, not asked; those that
   * rest are asked later.
   *
   * @param patience milliseconds: what rests no longer than that does not rest now. @default 0
   */
  refresh(root: string, names: Iterable<SliceName>, patience?: number): void;
  /** Sets the question of a slice that depends on the person; undefined empties the slice. */
  pose(root: string, name: SliceName, input: unknown): void;
  /** Settles when no question is open. */
  settled(): Promise<void>;
  close(): void;
}

export interface DataOptions {
  store: Store;
  ask: Ask;
  clock: Clock;
  isWanted: (name: SliceName) => boolean;
}

/** An answer that takes longer than this shows that the old one is old. */
const STALE_AFTER_MILLISECONDS = 700;

interface Flight {
  abort: AbortController;
  again: boolean;
}

function keyOf(root: string, name: SliceName): string {
  return `${name}\0${root}`;
}

/** The data of one console. */
export function createData({ store, ask, clock, isWanted }: DataOptions): Data {
  const writer = createSliceWriter(store);
  const flights = new Map<string, Flight>();
  const questions = new Map<string, unknown>();
  const askedAt = new Map<string, number>();
  const resting = new Map<string, NodeJS.Timeout>();
  let waiting: (() => void)[] = [];
  let closed = false;

  const questionOf = (root: string, name: SliceName): unknown =>
    questions.has(keyOf(root, name)) ? questions.get(keyOf(root, name)) : QUESTIONS[name].input;
  const sliceOf = (root: string, name: SliceName): Slice<unknown> =>
    writer.peek(root, name) ?? { state: "idle" };

  const fly = async (root: string, name: SliceName, input: unknown, flight: Flight): Promise<void> => {
    const { capability } = QUESTIONS[name];
    const stale = setTimeout(() => markOld(root, name), STALE_AFTER_MILLISECONDS);
    const schemas = import("./answers.ts");
    const answer = await ask
      .run(root, capability, input, {
        signal: flight.abort.signal,
        reads: QUESTIONS[name].mayWrite !== true,
        onProgress: (progress) => {
          writer.patch(root, name, (slice) => (slice.data === undefined ? { ...slice, progress } : slice));
        },
      })
      .catch((error: unknown): Answer => ({ ok: false, error: answerError(error) }));
    clearTimeout(stale);
    const { ANSWERS } = await schemas;
    if (closed || flight.abort.signal.aborted) return;
    const parsed = answer.ok ? ANSWERS[name].safeParse(answer.value) : undefined;
    writer.patch(root, name, (slice) => {
      if (parsed?.success === true) return ready(slice, parsed.data, clock.now());
      const error = answer.ok
        ? {
            code: "answer.shape",
            exit: 13 as const,
            subject: capability,
            message: "the answer has an unknown form",
          }
        : answer.error;
      const { progress: _, ...rest } = slice;
      return { ...rest, state: "failed", error };
    });
  };

  /** It goes on resting, but what it says may no longer be so. */
  const markOld = (root: string, name: SliceName): void => {
    writer.patch(root, name, (slice) => (slice.state === "ready" ? { ...slice, state: "stale" } : slice));
  };

  const stopResting = (key: string): void => {
    clearTimeout(resting.get(key));
    resting.delete(key);
  };

  /** Whether a slice was asked a short while ago; then it is asked again when it has rested. */
  const rests = (root: string, name: SliceName, patience: number): boolean => {
    const key = keyOf(root, name);
    const rest = RESTS[name] ?? 0;
    if (rest <= patience) return false;
    const left = rest - (performance.now() - (askedAt.get(key) ?? Number.NEGATIVE_INFINITY));
    if (left <= 0) return false;
    if (!resting.has(key)) resting.set(key, setTimeout(() => refresh(root, [name]), left).unref());
    return true;
  };

  const refresh = (root: string, names: Iterable<SliceName>, patience = 0): void => {
    for (const name of names) {
      const { state } = sliceOf(root, name);
      if (state === "idle" && !flights.has(keyOf(root, name))) continue;
      if (!isWanted(name)) {
        writer.patch(root, name, (slice) => ({
          ...slice,
          state: slice.data === undefined ? "idle" : "stale",
        }));
      } else if (!rests(root, name, patience)) load(root, name);
      else if (restsLong(name)) markOld(root, name);
    }
  };

  const load = (root: string, name: SliceName): void => {
    const input = questionOf(root, name);
    if (closed || input === undefined) return;
    const key = keyOf(root, name);
    const running = flights.get(key);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const flight: Flight = { abort: new AbortController(), again: false };
    flights.set(key, flight);
    askedAt.set(key, performance.now());
    stopResting(key);
    writer.patch(root, name, (slice) => (slice.data === undefined ? { ...slice, state: "loading" } : slice));
    void fly(root, name, input, flight).finally(() => {
      if (flights.get(key) === flight) flights.delete(key);
      if (flight.again) load(root, name);
      if (flights.size > 0) return;
      if (waiting.length > 0) writer.flush();
      for (const settle of waiting) settle();
      waiting = [];
    });
  };

  return {
    want(root, names) {
      for (const name of names) {
        const { state } = sliceOf(root, name);
        const key = keyOf(root, name);
        const old = state === "stale" && !flights.has(key) && !resting.has(key);
        if (state === "idle" || old) load(root, name);
      }
    },
    refresh,
    pose(root, name, input) {
      const key = keyOf(root, name);
      flights.get(key)?.abort.abort();
      flights.delete(key);
      questions.set(key, input);
      writer.patch(root, name, () => ({ state: "idle" }));
      load(root, name);
    },
    settled: () =>
      flights.size === 0
        ? Promise.resolve()
        : new Promise((settle) => {
            waiting.push(settle);
          }),
    close() {
      closed = true;
      for (const flight of flights.values()) flight.abort.abort();
      for (const timer of resting.values()) clearTimeout(timer);
      writer.close();
    },
  };
}

/** A slice with its new answer: the very same slice, when nothing in it changed. */
function ready(slice: Slice<unknown>, answer: unknown, at: number): Slice<unknown> {
  const data = reuse(slice.data, answer);
  return data === slice.data && slice.state === "ready" ? slice : { state: "ready", data, at };
}
