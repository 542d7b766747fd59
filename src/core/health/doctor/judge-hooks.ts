import type { Checkout } from "../../checkout/checkout.ts";
import { lastReceived, readJournalTail } from "../../journal/event-journal.ts";
import type { JournalEntry } from "../../journal/event-journal.ts";
import { judgeSteps } from "../judge-steps.ts";
import type { Finding } from "../../labels/terms.ts";
import { readHooksHere } from "../hooks-here.ts";
import { judgement } from "../judgement.ts";

const CATEGORY = "hooks";
const INSTALL = "install them with: majordomus hooks install claude-code";

/** The last event of each kind that each provider reported here. */
function receiptFindings(entries: readonly JournalEntry[]): Finding[] {
  return [...lastReceived(entries)].map(([provider, events]) => {
    const last = [...events].map(([event, at]) => `${event} ${at}`).join(", ");
    return judgement("INFO", CATEGORY, provider, `last received: ${last}`);
  });
}

/** Provider hooks: never well while they are absent, broken, too old, silent or failing (promise 39). */
export function judgeHooks(checkout: Checkout, script?: string): Finding[] {
  const entries = readJournalTail(checkout);
  const report = readHooksHere(checkout, script);
  const nowhere = report.places.every(({ handlers }) => handlers.length === 0);
  const unreadable = report.places.some(({ state }) => state === "unreadable");
  const findings =
    nowhere && !unreadable
      ? [
          judgement(
            "FAIL",
            CATEGORY,
            "hooks",
            `no provider hook is installed, so no session reports here; ${INSTALL}`,
            "majordomus hooks status claude-code",
          ),
          ...judgeSteps(entries),
        ]
      : report.findings;
  return [...findings, ...receiptFindings(entries)];
}
