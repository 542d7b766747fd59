import type { Checkout } from "../checkout/checkout.ts";
import { executableAt } from "../serving/executable.ts";
import { judgeLease, serverLine } from "../serving/standing.ts";
import { startServer } from "../serving/start-server.ts";
import type { StepNote } from "./steps.ts";

/** Set to `off`, no hook starts a server: where many sessions come and go and nobody asks over MCP. */
const SWITCH = "MAJORDOMUS_SERVER";

/**
 * Sees to it at a start that a server runs for this checkout, and waits for nothing: one that is missing, dead or of
 * a build that was replaced is started as a process of its own. No connection is opened.
 *
 * @returns where it stands, for the briefing; undefined where no program is known that could be started
 */
export function ensureServerAtStart(checkout: Checkout, note: (note: StepNote) => void): string | undefined {
  const { serverProgram, environment, settings } = checkout;
  const skip = (reason: string): string => {
    note({ result: "skipped", reason });
    return `not ensured: ${reason}`;
  };
  if (!settings.policy.session.ensure_server_on_start) return skip("session.ensure_server_on_start is false");
  if (environment[SWITCH] === "off") return skip(`${SWITCH} is off`);
  if (serverProgram === undefined) {
    note({ result: "skipped", reason: "there is no server program here" });
    return undefined;
  }
  const executable = executableAt(serverProgram);
  const judged = judgeLease(checkout, executable);
  const { standing, lease } = judged;
  const mayStart = judged.replaceable && judged.unproved !== true;
  if (!mayStart) {
    if (standing !== "ready" && standing !== "starting") note({ result: "skipped", reason: judged.note });
    return serverLine(judged);
  }
  const outcome = startServer(checkout, { executable, dead: lease?.token, waitMilliseconds: 0 });
  if (outcome.state === "started") return `starting pid ${outcome.pid}`;
  if (outcome.state === "stands") return serverLine(outcome.judgement);
  note({ result: "failed", reason: outcome.reason });
  return `not ensured: ${outcome.reason}`;
}
