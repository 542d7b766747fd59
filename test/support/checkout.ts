import { rmSync } from "node:fs";
import { onTestFinished } from "vitest";
import { steadyPatience } from "../../src/core/base/patience.ts";
import type { Random } from "../../src/core/base/random.ts";
import type { LifecycleEvent } from "../../src/core/boundary/event.ts";
import { initialiseLayer } from "../../src/core/boundary/initialise.ts";
import { takeEvent } from "../../src/core/boundary/take-event.ts";
import type { Checkout, Surroundings } from "../../src/core/checkout/checkout.ts";
import { openCheckout } from "../../src/core/checkout/open.ts";
import { git, newRepository } from "./repository.ts";

/** A clock that a test moves. */
export interface TestClock {
  now(): number;
  set(text: string): void;
  forward(minutes: number): void;
}

export function testClock(start: string): TestClock {
  let now = Date.parse(start);
  return {
    now: () => now,
    set: (text) => {
      now = Date.parse(text);
    },
    forward: (minutes) => {
      now += minutes * 60_000;
    },
  };
}

/** Random hex that counts: every id of a test is known beforehand. */
export function countingRandom(): Random {
  let count = 0;
  return {
    hex: (bytes) => {
      count += 1;
      return count
        .toString(16)
        .padStart(bytes * 2, "0")
        .slice(-bytes * 2);
    },
  };
}

/** A repository with a layer, a clock, and the means to send it a provider's events in this process. */
export interface Place {
  root: string;
  clock: TestClock;
  surroundings: Surroundings;
  checkout(directory?: string): Promise<Checkout>;
  fire(
    kind: LifecycleEvent["kind"],
    session: string,
    more?: Partial<LifecycleEvent>,
  ): Promise<string | undefined>;
}

const NAMES: Partial<Record<LifecycleEvent["kind"], string>> = {
  start: "SessionStart",
  prompt: "UserPromptSubmit",
  stop: "Stop",
  end: "SessionEnd",
  compact: "PreCompact",
};

/** Makes a repository with a committed layer; it is removed when the test ends. */
export async function newPlace(start = "2026-09-04T12:00:00Z"): Promise<Place> {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await initialiseLayer(root, { extend: false });
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "Lay the layer");
  const clock = testClock(start);
  const surroundings: Surroundings = {
    environment: {
      ...process.env,
      USER: "tester",
      XDG_STATE_HOME: `${root}/.git/state`,
      CLAUDE_CODE_SESSION_ID: undefined,
    },
    clock,
    random: countingRandom(),
    patience: steadyPatience(5000),
  };
  return {
    root,
    clock,
    surroundings,
    checkout: (directory = root) => openCheckout(directory, surroundings),
    fire: async (kind, session, more = {}) => {
      const { text } = await takeEvent(
        {
          provider: "claude-code",
          kind,
          name: NAMES[kind] ?? kind,
          session,
          cwd: root,
          subagent: false,
          provesCompaction: false,
          ...(kind === "start" ? { source: "startup" as const } : {}),
          ...more,
        },
        surroundings,
        () => 0,
      );
      return text;
    },
  };
}
