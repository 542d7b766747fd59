import { Refusal } from "./failure.ts";

/**
 * Waits for an answer as long as its client does, and no longer than it may take; a client gets its refusal even where
 * the work cannot be stopped.
 *
 * @param client aborted when the client goes away.
 * @param late is given an answer that came after all when the time was up.
 * @throws Refusal 504 when the time is up.
 */
export async function withinTime<Answer>(
  client: AbortSignal,
  milliseconds: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
  late: (answer: Answer) => void = () => undefined,
): Promise<Answer> {
  // A signal that is made of others, or a timeout of its own, would be kept until the time is up: by every request.
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  client.addEventListener("abort", stop);
  let timer: NodeJS.Timeout | undefined;
  const answer = ask(controller.signal);
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      stop();
      answer.then(late, () => undefined);
      reject(
        new Refusal(504, {
          code: "http.time",
          message: "the answer took too long and was given up",
          remedy: "ask for less, or ask `majordomus run`",
        }),
      );
    }, milliseconds);
  });
  try {
    return await Promise.race([answer, timeUp]);
  } finally {
    clearTimeout(timer);
    client.removeEventListener("abort", stop);
  }
}
