import type { Clock } from "../../core/base/clock.ts";
import { steadyPatience } from "../../core/base/patience.ts";
import type { Random } from "../../core/base/random.ts";
import type { LifecycleEvent } from "../../core/boundary/event.ts";
import { takeEvent } from "../../core/boundary/take-event.ts";
import { runCapability } from "../../core/capabilities/run.ts";
import type { Checkout, Surroundings } from "../../core/checkout/checkout.ts";
import { openCheckout } from "../../core/checkout/open.ts";
import { ownEpisode } from "../../core/episode/own.ts";
import { readRoster } from "../../core/journal/roster.ts";
import { recordEvent } from "../../core/ledger/record-event.ts";
import type { Payload } from "../../core/ledger/line.ts";

/** A clock that the demo moves: five days pass in a few seconds. */
export interface MovableClock extends Clock {
  set(milliseconds: number): void;
  forward(milliseconds: number): void;
}

export function movableClock(start: number): MovableClock {
  let now = start;
  return {
    now: () => now,
    set: (milliseconds) => {
      now = milliseconds;
    },
    forward: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** Repeatable randomness, so that two demos tell the same story. */
export function countedRandom(seed: number): Random {
  let state = seed;
  return {
    hex: (bytes) => {
      let text = "";
      while (text.length < bytes * 2) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        text += (state >>> 8).toString(16).padStart(6, "0");
      }
      return text.slice(0, bytes * 2);
    },
  };
}

/** Where the demo is played: every write goes through the program's own boundary and ledger. */
export interface Stage {
  clock: MovableClock;
  surroundings: Surroundings;
  fire(
    event: Pick<LifecycleEvent, "kind" | "name" | "cwd" | "session"> & Partial<LifecycleEvent>,
  ): Promise<void>;
  /** Appends an event of the session that is open under this provider id in the worktree. */
  record(
    directory: string,
    session: string,
    lines: readonly { event: string; payload: Payload }[],
  ): Promise<void>;
  /** Does what a capability does, as the worker of a session, ten seconds later. */
  perform(directory: string, session: string, id: string, input: unknown): Promise<unknown>;
  checkout(directory: string): Promise<Checkout>;
}

export function openStage(
  clock: MovableClock,
  environment: Surroundings["environment"],
  seed: number = 20_260_901,
): Stage {
  const surroundings: Surroundings = {
    environment,
    clock,
    random: countedRandom(seed),
    patience: steadyPatience(10_000),
  };
  return {
    clock,
    surroundings,
    fire: async (event) => {
      const whole: LifecycleEvent = {
        provider: "claude-code",
        subagent: false,
        provesCompaction: false,
        ...event,
      };
      await takeEvent(whole, surroundings, () => performance.now());
    },
    record: async (directory, session, lines) => {
      const checkout = await openCheckout(directory, surroundings);
      const own = ownEpisode(checkout, readRoster(checkout), session);
      for (const { event, payload } of lines) {
        clock.forward(20_000);
        recordEvent(checkout, event, payload, { session: own?.sessionId });
      }
    },
    perform: async (directory, session, id, input) => {
      clock.forward(10_000);
      const checkout = await openCheckout(directory, surroundings);
      return runCapability({ ...checkout, providerSession: session }, id, input);
    },
    checkout: (directory) => openCheckout(directory, surroundings),
  };
}
