import { EXIT } from "../../core/base/error.ts";
import { continuitySync } from "../../core/capabilities/continuity.ts";
import type { SyncAnswer } from "../../core/continuity/sync.ts";
import { openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { INTERRUPTED, whileInterruptible } from "../interruptible.ts";
import type { Output } from "../output.ts";
import { recordText, short, showDiagnostics, showNext, storeText } from "./continuity-text.ts";

const ACTIONS: Readonly<Record<SyncAnswer["action"], string>> = {
  no_remote: "no remote to sync with",
  unreachable: "the remote could not be asked; nothing has changed",
  none: "nothing new on either side",
  fetched: "fetched",
  published: "sent",
  exchanged: "exchanged",
};

function showSync(output: Output, answer: SyncAnswer): void {
  const { remote, action, outcome, fetched, published, lines } = answer;
  const refused = outcome === "partial";
  const what = refused && action === "none" ? "nothing new came" : ACTIONS[action];
  const partial = refused ? "; what was to be sent was not taken" : "";
  output.line(`${remote ?? "sync"}: ${what}; ${fetched} fetched, ${published} sent${partial}`);
  for (const { line, relation, heads } of lines) {
    if (relation !== "equal")
      output.line(`  line ${short(line)} ${relation}, now ${heads.map(short).join(", ")}`);
  }
  output.line(`store: ${storeText(answer.store, outcome)}`);
  for (const record of answer.resumable) output.line(`waits: ${recordText(record)}`);
  showDiagnostics(output, answer.diagnostics);
  showNext(output, answer.next);
}

/**
 * Exchanges records with a remote; who interrupts it interrupts the talk, and what was united stays.
 *
 * @returns 10 where the remote was not reached or did not take everything, or holds a record that was refused.
 */
export async function sync(context: CommandContext, remote: string | undefined): Promise<number> {
  const { output, json } = context;
  const checkout = await openHere(context);
  return whileInterruptible(async (signal) => {
    let answer: SyncAnswer;
    try {
      answer = await continuitySync.run(
        { checkout, signal, progress: () => undefined },
        remote === undefined ? {} : { remote },
      );
    } catch (error) {
      if (!signal.aborted) throw error;
      output.warn("interrupted; what was exchanged stays");
      return INTERRUPTED;
    }
    if (json) output.json(answer);
    else showSync(output, answer);
    if (signal.aborted) return INTERRUPTED;
    const failed = answer.diagnostics.some(({ severity }) => severity === "error");
    return answer.outcome === "ok" && !failed ? EXIT.ok : EXIT.finding;
  });
}
