import { reasonOf } from "../base/error.ts";
import type { Site, Surroundings } from "../checkout/checkout.ts";
import type { LifecycleEvent } from "./event.ts";
import { orderAutosave, reasonAgainst } from "./autosave-start.ts";
import { onlyLooks } from "./dry-run.ts";
import { settleLight } from "./heartbeat.ts";
import { mayKeepPrompts } from "./prompt-switch.ts";
import { locateEvent } from "./locate-event.ts";
import { receiveEvent } from "./receipt.ts";
import { Steps } from "./steps.ts";

/** What a provider may be told, and what to do when it could not be. */
export interface Told {
  /** On a start alone. */
  text: string | undefined;
  /** Makes good what was done on the strength of the text: a capsule that nobody was told is not spent. */
  unheard: () => void;
}

const NOTHING: Told = { text: undefined, unheard: () => undefined };

/** Told what happened to a receipt that could not be written. */
export type Complain = (reason: string) => void;

/**
 * Takes one event of a provider: finds its repository, leaves the receipt, runs the steps, and notes what
 * came of each. The one way into the boundary. An event whose receipt cannot be written is taken all the same;
 * where hooks only look, a start tells what it would tell, and nothing is written.
 *
 * @param elapsed milliseconds, monotonic; for the steps' own times
 * @returns what the provider may be told
 */
export async function takeEvent(
  event: LifecycleEvent,
  surroundings: Surroundings,
  elapsed: () => number,
  complain: Complain = () => undefined,
): Promise<Told> {
  const site = locateEvent(event, surroundings);
  if (site === undefined) return NOTHING;
  if (onlyLooks(surroundings.environment)) {
    if (event.kind !== "start" || event.subagent) return NOTHING;
    const { reportWhole } = await import("./handle.ts");
    return { ...NOTHING, text: await reportWhole(site) };
  }
  const receipt = unlessItFails(complain, () => receiveEvent(site, event));
  const steps = new Steps(elapsed);
  let text: string | undefined;
  const light = await steps.run("heartbeat", (note) => {
    const outcome = settleLight(site, event);
    if (outcome !== "settled") note({ result: "skipped", reason: outcome.replace("_", " ") });
    return outcome;
  });
  if (light === "needs_checkout") {
    // Settings, stores and git are loaded only by the events that need them: most hooks are heartbeats.
    const { handleWhole } = await import("./handle.ts");
    text = await steps.runOthers("event", () => handleWhole(site, event, steps));
    if (text === undefined) steps.unheard();
  }
  if (light !== undefined && light !== "receipt_only") {
    await steps.runOthers("afterwards", () => afterwards(site, event, steps));
  }
  unlessItFails(complain, () => receipt?.outcome(steps.outcomes));
  return { text, unheard: () => steps.unheard() };
}

function unlessItFails<Value>(complain: Complain, action: () => Value): Value | undefined {
  try {
    return action();
  } catch (error) {
    complain(`no receipt: ${reasonOf(error)}`);
    return undefined;
  }
}

/** What a sign of life brings about beside the episode: the autosave of a turn's end, the journal of a prompt. */
async function afterwards(site: Site, event: LifecycleEvent, steps: Steps): Promise<void> {
  if (event.kind === "stop" && reasonAgainst(site, event) === undefined) {
    await steps.run("autosave", (note) => note(orderAutosave(site, event)));
  }
  if (event.kind === "prompt" && event.prompt !== undefined && mayKeepPrompts(site)) {
    await steps.run("prompt_journal", async (note) => {
      const { journalPrompt } = await import("./journal-prompt.ts");
      const against = await journalPrompt(site, event);
      if (against !== undefined) note({ result: "skipped", reason: against });
    });
  }
}
