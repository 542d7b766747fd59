import type { Answer } from "../../core/capabilities/answer.ts";
import { answerError, errorOfAnswer } from "../../core/capabilities/answer.ts";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";

export interface Work {
  what: string;
  writes: boolean;
  root: string;
  capability: string;
  input: unknown;
}

/**
 * Asks a capability for the person: shows that it runs, lets it be cancelled, and runs one at a time, so
 * that a key held down does nothing twice. What goes wrong is said in the status row.
 *
 * @returns the answer's value, or undefined when there is none: refused, failed or cancelled.
 */
export async function runWork(desk: Desk, work: Work): Promise<unknown> {
  const { store, ask, unshown } = desk;
  if (store.getState().busy !== undefined) return undefined;
  const abort = new AbortController();
  store.setState({ busy: { what: work.what, writes: work.writes, abort }, message: undefined });
  const asked = ask
    .run(work.root, work.capability, work.input, {
      signal: abort.signal,
      onProgress: ({ done, total, what }) => {
        const { busy } = store.getState();
        if (busy?.abort !== abort) return;
        const label = what === "" ? work.what : `${work.what}: ${what}`;
        store.setState({ busy: { ...busy, what: label, done, ...(total === undefined ? {} : { total }) } });
      },
    })
    .catch((error: unknown): Answer => ({ ok: false, error: answerError(error) }));
  const answer = await unshown.during(asked);
  store.setState({ busy: undefined });
  if (answer.ok && answer.spendings !== undefined) unshown.hold(work.root, answer.spendings);
  if (abort.signal.aborted) {
    const given = await unshown.giveBack();
    say(desk, "warn", `${work.what}: cancelled${given === undefined ? "" : `; ${given}`}`);
    return undefined;
  }
  if (answer.ok) return answer.value;
  say(desk, "bad", errorOfAnswer(answer.error).line);
  return undefined;
}
