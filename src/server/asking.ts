import { locateCapability } from "../core/capabilities/locate.ts";
import { answerError } from "../core/capabilities/answer.ts";
import type { Capability } from "../core/capabilities/capability.ts";
import type { Pool } from "../workers/pool.ts";
import { giveBackSpent } from "../workers/give-back.ts";
import { work } from "../workers/work.ts";
import type { Ask, AskOptions, Recall } from "./ask.ts";
import { LIMITS } from "./limits.ts";
import { beginReading } from "./shared-reading.ts";
import type { SharedReading } from "./shared-reading.ts";
import { createStandingAnswers } from "./standing-answers.ts";

/** What consoles and workers ask again and again: read models of the whole store, without an input to speak of. */
const LASTING = /^(?:lifecycle[.]|continuity[.]state$)/u;

/** What only the process itself can answer, by capability id: where it stands, who is attached to it. */
export type OwnAnswers = Readonly<Record<string, OwnAnswer>>;
type OwnAnswer = (input: unknown, asked: AskOptions) => unknown;

export interface AskingOptions {
  /** The work tree that is answered about. */
  root: string;
  /** What capabilities see of the environment: nothing of the session that happened to start the process. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Where heavy capabilities run. */
  pool: Pool;
  own?: OwnAnswers;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

/** How a process asks for many. */
export interface Asking {
  ask: Ask;
  recall: Recall;
  /** Fulfilled once no act is under way, and what is to be given back has been. */
  settled: () => Promise<void>;
}

/** The environment without the names by which providers say whose process this is (records.md 3.3). */
export function withoutSession<Environment extends Readonly<Record<string, string | undefined>>>(
  environment: Environment,
): Environment {
  return { ...environment, MAJORDOMUS_PROVIDER_SESSION: undefined, CLAUDE_CODE_SESSION_ID: undefined };
}

async function answerOwn(answer: OwnAnswer, capability: Capability, input: unknown, asked: AskOptions) {
  const parsed = capability.input.safeParse(input);
  // A misfit is refused by the words that every other capability is refused with.
  if (!parsed.success) return undefined;
  try {
    return { ok: true as const, value: await answer(parsed.data, asked) };
  } catch (error) {
    return { ok: false as const, error: answerError(error) };
  }
}

/**
 * Asks capabilities for many at once, from a process that goes on living: light ones here, heavy ones in the
 * pool. Equal readings that are under way at the same time are one reading, and what describes the whole store
 * is given again for two seconds, unless something was written through here meanwhile.
 */
export function createAsking(options: AskingOptions): Asking {
  const { root, environment, pool, own = {}, now = () => performance.now() } = options;
  const underWay = new Map<string, SharedReading>();
  const standing = createStandingAnswers(now);

  const run: Ask = async (id, input, asked = {}) => {
    const capability = await locateCapability(id);
    const ownAnswer = Object.hasOwn(own, id) ? own[id] : undefined;
    const answered =
      ownAnswer === undefined ? undefined : await answerOwn(ownAnswer, capability, input, asked);
    if (answered !== undefined) return answered;
    if (capability.weight === "heavy") return pool.run(root, id, input, asked);
    const { signal, episode, onProgress } = asked;
    return work(root, id, input, {
      environment,
      ...(signal === undefined ? {} : { signal }),
      ...(episode === undefined ? {} : { episode }),
      ...(onProgress === undefined ? {} : { progress: onProgress }),
    });
  };

  const keyOf = (id: string, input: unknown, episode?: string): string =>
    JSON.stringify([id, episode, input]);

  const settle = async (key: string, id: string, reading: SharedReading): Promise<void> => {
    const answer = await reading.answer;
    // Whoever has written meanwhile reads what was written, not what stood before.
    if (underWay.get(key) !== reading) return;
    underWay.delete(key);
    if (answer.ok && LASTING.test(id)) standing.keep(key, answer);
  };

  const begin = (key: string, id: string, input: unknown, episode?: string): SharedReading => {
    const reading = beginReading(
      (wish) => run(id, input, { ...wish, ...(episode === undefined ? {} : { episode }) }),
      LIMITS.milliseconds.read,
    );
    underWay.set(key, reading);
    void settle(key, id, reading);
    return reading;
  };

  const recall: Recall = (id, input, episode) => {
    const key = keyOf(id, input, episode);
    const found = standing.find(key);
    // Asked for again before it is too old: it is renewed meanwhile, and nobody waits.
    if (found?.isAging === true && !underWay.has(key)) begin(key, id, input, episode);
    return found?.answer;
  };

  const share: Ask = async (id, input, asked = {}) => {
    const { episode } = asked;
    const known = recall(id, input, episode);
    if (known !== undefined) return known;
    const key = keyOf(id, input, episode);
    const reading = underWay.get(key);
    return reading === undefined || reading.isAbandoned()
      ? begin(key, id, input, episode).join(asked)
      : reading.join(asked);
  };

  const acts = new Set<Promise<unknown>>();
  const remember = <Value>(act: Promise<Value>): Promise<Value> => {
    acts.add(act);
    const forget = (): void => void acts.delete(act);
    act.then(forget, forget);
    return act;
  };

  const forgetReadings = (): void => {
    underWay.clear();
    standing.forget();
  };

  const act: Ask = async (id, input, asked) => {
    const answer = await run(id, input, asked);
    forgetReadings();
    if (!answer.ok || answer.spendings === undefined) return answer;
    const { spendings, ...given } = answer;
    const giveBack = async (): Promise<void> => {
      await giveBackSpent(root, environment, spendings);
      forgetReadings();
    };
    return { ...given, lost: () => void remember(giveBack()) };
  };

  const ask: Ask = async (id, input, asked = {}) => {
    try {
      const { effect } = await locateCapability(id);
      return effect === "read" ? await share(id, input, asked) : await remember(act(id, input, asked));
    } catch (error) {
      return { ok: false, error: answerError(error) };
    }
  };

  const settled = async (): Promise<void> => {
    while (acts.size > 0) await Promise.allSettled(acts);
  };

  return { ask, recall, settled };
}
