import type { MessagePort } from "node:worker_threads";
import type { Cancellation } from "../core/base/cancellation.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import { work } from "./work.ts";

/** One piece of work for a thread: a capability by id, in the checkout that contains `root`. */
export interface Work {
  root: string;
  id: string;
  input: unknown;
  /** The open episode that this is asked for. */
  episode?: string;
  /** Where progress is sent, when somebody looks. */
  port?: MessagePort;
  /** One cell of shared memory that is not 0 any more when the work was cancelled. */
  cancelled?: Int32Array;
}

/** A thread that works does not take messages; shared memory it can look at whenever it wants. */
function cancellationOf(cell: Int32Array): Cancellation {
  return {
    get aborted() {
      return Atomics.load(cell, 0) !== 0;
    },
  };
}

/** Loads this file, so that the first work need not wait for it. */
export function begin(): void {
  // To be loaded is all that is asked for.
}

/** What the pool's threads run: one capability at a time. */
export async function runWork({ root, id, input, episode, port, cancelled }: Work): Promise<Answer> {
  try {
    return await work(root, id, input, {
      environment: process.env,
      ...(episode === undefined ? {} : { episode }),
      ...(cancelled === undefined ? {} : { signal: cancellationOf(cancelled) }),
      ...(port === undefined ? {} : { progress: (progress) => port.postMessage(progress) }),
    });
  } finally {
    port?.close();
  }
}
