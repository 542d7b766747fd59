import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
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
  // A thread that is stopped in the middle of a reading is an answer, not a fault of the pool.
  piscina.on("error", () => undefined);
  return {
    run: (root, id, input, options = {}) => ask(piscina, { root, id, input }, options),
    // A thread that cannot start says so to whoever asks something.
    warm: () => void piscina.run(undefined, { name: "begin" }).catch(() => undefined),
    close: () => piscina.destroy(),
  };
}

async function ask(
  piscina: Piscina<Work | undefined, Answer>,
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
  try {
    return await piscina.run(work, {
      // A thread that writes may hold a lock: it is asked to stop between two acts, and never stopped in one.
      ...(signal === undefined || (await writes(question.id, options)) ? {} : { signal }),
      ...(channel === undefined ? {} : { transferList: [channel.port2] }),
    });
  } catch (error) {
    return cell[0] === 0 ? { ok: false, error: answerError(error) } : CANCELLED;
  } finally {
    signal?.removeEventListener("abort", cancel);
    channel?.port1.close();
  }
}
