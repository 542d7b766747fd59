import { MessageChannel } from "node:worker_threads";
import { Piscina } from "piscina";
import { EXIT } from "../core/base/error.ts";
import { answerError } from "../core/capabilities/answer.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import type { Work } from "./entry.ts";

export interface AskOptions {
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Where heavy capabilities run: worker threads that come when they are needed and go when idle. */
export interface Pool {
  run(root: string, id: string, input: unknown, options?: AskOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** The worker's built entry, `dist/worker.mjs`. */
  entry: string;
  /** @default 2 */
  threads?: number;
}

const CANCELLED: Answer = {
  ok: false,
  error: { code: "cancelled", exit: EXIT.internal, message: "was cancelled" },
};

/** Makes a pool of threads over the built worker entry; nothing starts before the first question. */
export function createPool({ entry, threads = 2 }: PoolOptions): Pool {
  const piscina = new Piscina<Work, Answer>({
    filename: entry,
    name: "runWork",
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 10_000,
  });
  // A thread is stopped mid-work when it is cancelled; that is an answer, not a fault of the pool.
  piscina.on("error", () => undefined);
  return {
    async run(root, id, input, options = {}) {
      const channel = options.onProgress === undefined ? undefined : new MessageChannel();
      if (channel !== undefined) {
        channel.port1.on("message", (progress: Progress) => options.onProgress?.(progress));
        channel.port1.unref();
      }
      const work: Work = { root, id, input, ...(channel === undefined ? {} : { port: channel.port2 }) };
      try {
        return await piscina.run(work, {
          ...(options.signal === undefined ? {} : { signal: options.signal }),
          ...(channel === undefined ? {} : { transferList: [channel.port2] }),
        });
      } catch (error) {
        if (options.signal?.aborted === true) return CANCELLED;
        return { ok: false, error: answerError(error) };
      } finally {
        channel?.port1.close();
      }
    },
    close: () => piscina.destroy(),
  };
}
