import { locateCapability } from "../core/capabilities/locate.ts";
import { answerError } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Capability } from "../core/capabilities/capability.ts";
import type { Pool } from "../workers/pool.ts";
import { work } from "../workers/work.ts";
import type { Ask, AskOptions } from "./ask.ts";
import { LIMITS } from "./limits.ts";

/** How long an answer about the store's standing may be given again, in milliseconds (records.md 15). */
const FRESH_MILLISECONDS = 2_000;

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

interface Kept {
  answer: Promise<Answer>;
  /** When it came; undefined while it is still awaited. */
  at?: number;
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
export function createAsking(options: AskingOptions): Ask {
  const { root, environment, pool, own = {}, now = () => performance.now() } = options;
  const kept = new Map<string, Kept>();

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

  const lasts = (id: string, { at }: Kept): boolean =>
    at === undefined || (LASTING.test(id) && now() - at < FRESH_MILLISECONDS);

  const settle = async (key: string, id: string, fresh: Kept): Promise<void> => {
    const { ok } = await fresh.answer;
    if (kept.get(key) !== fresh) return;
    if (ok && LASTING.test(id)) fresh.at = now();
    else kept.delete(key);
  };

  const share: Ask = (id, input, asked = {}) => {
    const key = JSON.stringify([id, asked.episode, input]);
    const known = kept.get(key);
    if (known !== undefined && lasts(id, known)) return known.answer;
    // Whoever shares a reading must not lose it when the one that asked first goes away.
    const signal = AbortSignal.timeout(LIMITS.milliseconds.read);
    const { episode } = asked;
    const fresh: Kept = { answer: run(id, input, { signal, ...(episode === undefined ? {} : { episode }) }) };
    kept.set(key, fresh);
    void settle(key, id, fresh);
    return fresh.answer;
  };

  return async (id, input, asked = {}) => {
    try {
      const { effect } = await locateCapability(id);
      if (effect === "read") return await share(id, input, asked);
      const answer = await run(id, input, asked);
      // Whoever has written reads what was written.
      kept.clear();
      return answer;
    } catch (error) {
      return { ok: false, error: answerError(error) };
    }
  };
}
