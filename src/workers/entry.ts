import type { MessagePort } from "node:worker_threads";
import type { Answer } from "../core/capabilities/answer.ts";
import { work } from "./work.ts";

/** One piece of work for a thread: a capability by id, in the checkout that contains `root`. */
export interface Work {
  root: string;
  id: string;
  input: unknown;
  /** Where progress is sent, when somebody looks. */
  port?: MessagePort;
}

/** What the pool's threads run: one capability at a time. */
export async function runWork({ root, id, input, port }: Work): Promise<Answer> {
  try {
    return await work(root, id, input, {
      environment: process.env,
      ...(port === undefined ? {} : { progress: (progress) => port.postMessage(progress) }),
    });
  } finally {
    port?.close();
  }
}
