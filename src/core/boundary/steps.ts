import { reasonOf } from "../base/error.ts";
import { isLockTimeout } from "../fs/lock.ts";
import type { StepOutcome, StepResult } from "../journal/event-journal.ts";

/** What one step says of itself when it did not simply do its work. */
export interface StepNote {
  result: StepResult;
  reason?: string;
}

/** Runs the steps of one event in order; each can fail alone, and none can fail the event. */
export class Steps {
  readonly outcomes: StepOutcome[] = [];
  readonly #elapsed: () => number;
  readonly #amends: (() => void)[] = [];

  /** @param elapsed milliseconds since the event came */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Milliseconds since the event came. */
  get elapsed(): number {
    return this.#elapsed();
  }

  /**
   * Runs one step.
   *
   * @returns what the step gave, or undefined when it failed, was deferred or gave nothing
   */
  async run<Value>(
    step: string,
    action: (note: (note: StepNote) => void) => Value | Promise<Value>,
  ): Promise<Value | undefined> {
    const begun = this.#elapsed();
    let noted: StepNote = { result: "done" };
    try {
      const value = await action((note) => {
        noted = note;
      });
      this.#add(step, begun, noted);
      return value;
    } catch (error) {
      const deferred = isLockTimeout(error);
      this.#add(step, begun, { result: deferred ? "deferred" : "failed", reason: reasonOf(error) });
      return undefined;
    }
  }

  /**
   * Runs something that consists of steps of its own, and is a step only when it fails beside them.
   *
   * @returns what it gave, or undefined when it failed
   */
  async runOthers<Value>(step: string, action: () => Value | Promise<Value>): Promise<Value | undefined> {
    const begun = this.#elapsed();
    try {
      return await action();
    } catch (error) {
      const deferred = isLockTimeout(error);
      this.#add(step, begun, { result: deferred ? "deferred" : "failed", reason: reasonOf(error) });
      return undefined;
    }
  }

  /** Remembers what must be made good when what this event tells its provider does not arrive. */
  ifUnheard(amend: () => void): void {
    this.#amends.push(amend);
  }

  /** What the event told did not arrive: makes good what was done on the strength of it. */
  unheard(): void {
    for (const amend of this.#amends.splice(0)) amend();
  }

  /** Why a step did not do its work; undefined when it did, or never ran. */
  reasonOf(step: string): string | undefined {
    return this.outcomes.findLast((outcome) => outcome.step === step)?.reason;
  }

  /** A step that had nothing to do. */
  skip(step: string, reason: string): void {
    this.outcomes.push({ step, result: "skipped", ms: 0, reason });
  }

  #add(step: string, begun: number, note: StepNote): void {
    this.outcomes.push({
      step,
      result: note.result,
      ms: Math.round(this.#elapsed() - begun),
      ...(note.reason === undefined ? {} : { reason: note.reason }),
    });
  }
}
