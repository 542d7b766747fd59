import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { EXIT, MajordomusError, reasonOf } from "../core/base/error.ts";
import { answerError, CANCELLED } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import { locateCapability } from "../core/capabilities/locate.ts";
import type { Work } from "./entry.ts";

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
  /** The open episode that this is asked for, by its id. */
  episode?: string;
  /** Whoever asks knows that this only reads: it may be stopped at any moment. */
  reads?: boolean;
}

/** Where heavy capabilities run: worker threads that come when they are needed and go when idle. */
export interface Pool {
  run(root: string, id: string, input: unknown, options?: AskOptions): Promise<Answer>;
  close(): Promise<void>;
}

/** A pool whose first thread can be started before there is a question. */
export interface WarmPool extends Pool {
  /** Starts a thread that has loaded its program by the time that something is asked. */
  warm(): void;
}

export interface PoolOptions {
  /** The worker's built entry, `bin/worker.js`. */
  entry: string;
  /** @default 2 */
  threads?: number;
  /** What the threads see of the environment; this process's own when absent. */
  environment?: Readonly<Record<string, string | undefined>>;
}

const IDLE_MILLISECONDS = 10_000;

function definedOnly(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Questions that no thread has answered yet: each can be taken back with a reason. */
type Waiting = Set<AbortController>;

function cannotStart(error: unknown): MajordomusError {
  return new MajordomusError({
    code: "pool.start",
    exit: EXIT.internal,
    message: `no worker thread can be started: ${reasonOf(error)}`,
    remedy: "run `npm run build`, or install the package again",
    cause: error,
  });
}

/** Declarations are heavy, so that they are only looked at where it is not known already. */
async function writes(id: string, { reads = false }: AskOptions): Promise<boolean> {
  return !reads && (await locateCapability(id)).effect === "write";
}

/** Makes a pool of threads over the built worker entry; nothing starts before the first question. */
export function createPool({ entry, threads = 2, environment }: PoolOptions): WarmPool {
  const piscina = new Piscina<Work | undefined, Answer>({
    filename: entry,
    name: "runWork",
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MILLISECONDS,
    // What was asked first is what a person waits for.
    stricterFIFO: true,
    ...(environment === undefined ? {} : { env: definedOnly(environment) }),
  });
  const waiting: Waiting = new Set();
  // A thread that dies while it starts takes no question along: they would wait for ever, and be asked again later.
  piscina.on("error", (error) => {
    if (piscina.threads.length > 0) return;
    for (const question of waiting) question.abort(cannotStart(error));
  });
  return {
    run: (root, id, input, options = {}) => ask(piscina, waiting, { root, id, input }, options),
    // A thread that cannot start says so to whoever asks something.
    warm: () => void piscina.run(undefined, { name: "begin" }).catch(() => undefined),
    close: () => piscina.destroy(),
  };
}

async function ask(
  piscina: Piscina<Work | undefined, Answer>,
  waiting: Waiting,
  question: Work,
  options: AskOptions,
): Promise<Answer> {
  const { signal, onProgress, episode } = options;
  if (signal?.aborted === true) return CANCELLED;
  const channel = onProgress === undefined ? undefined : new MessageChannel();
  channel?.port1.on("message", (progress: Progress) => onProgress?.(progress)).unref();
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const cancel = (): void => {
    Atomics.store(cell, 0, 1);
  };
  signal?.addEventListener("abort", cancel);
  const work: Work = {
    ...question,
    cancelled: cell,
    ...(episode === undefined ? {} : { episode }),
    ...(channel === undefined ? {} : { port: channel.port2 }),
  };
  // A thread that writes may hold a lock: it is asked to stop between two acts, and never stopped in one.
  const stops = signal === undefined || (await writes(question.id, options)) ? [] : [signal];
  const withdrawn = new AbortController();
  waiting.add(withdrawn);
  try {
    return await piscina.run(work, {
      signal: AbortSignal.any([withdrawn.signal, ...stops]),
      ...(channel === undefined ? {} : { transferList: [channel.port2] }),
    });
  } catch (error) {
    if (withdrawn.signal.aborted) return { ok: false, error: answerError(withdrawn.signal.reason) };
    return cell[0] === 0 ? { ok: false, error: answerError(error) } : CANCELLED;
  } finally {
    waiting.delete(withdrawn);
    signal?.removeEventListener("abort", cancel);
    channel?.port1.close();
  }
}
