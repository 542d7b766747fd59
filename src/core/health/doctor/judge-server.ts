import type { Checkout } from "../../checkout/checkout.ts";
import { statEntry } from "../../fs/read.ts";
import type { Finding } from "../../labels/terms.ts";
import { executableAt } from "../../serving/executable.ts";
import { LEASE_MODE, leasePath, shownLease } from "../../serving/lease.ts";
import { probeServer } from "../../serving/probe.ts";
import type { ProbedJudgement } from "../../serving/probe.ts";
import { judgement } from "../judgement.ts";
import { shellWord } from "../../text/shell-word.ts";

const CATEGORY = "server";
const REPRODUCE = "majordomus serve status";

function levelOf({ standing, silent }: ProbedJudgement): Finding["level"] {
  switch (standing) {
    case "ready":
      return "OK";
    case "absent":
    case "starting":
      return "INFO";
    // What a killed server leaves is taken over by the next start; one that hangs is not.
    case "stale":
      return silent === true ? "WARN" : "INFO";
    case "outdated":
    case "foreign":
      return "WARN";
  }
}

/** What stands in the lease's place must be for its owner's eyes alone: it names the token. */
function judgeMode(checkout: Checkout): Finding[] {
  const stats = statEntry(leasePath(checkout));
  if (stats === undefined || !stats.isFile()) return [];
  const mode = Number(stats.mode) & 0o777;
  if ((mode & ~LEASE_MODE) === 0) return [];
  const shown = shownLease(checkout);
  const message = `has mode ${mode.toString(8)}: others on this machine can read the server's token`;
  return [judgement("FAIL", CATEGORY, shown, message, `ls -l ${shellWord(shown)}`)];
}

/** Whether a server answers this checkout, of which build, and whether its token is kept. */
export async function judgeServer(checkout: Checkout, script: string | undefined): Promise<Finding[]> {
  const executable = script === undefined ? undefined : executableAt(script);
  const probed = await probeServer(checkout, executable);
  const wanted = checkout.settings.policy.session.ensure_server_on_start;
  const next = probed.replaceable && wanted ? "; the next start of a session starts one" : "";
  return [
    judgement(levelOf(probed), CATEGORY, probed.standing, `${probed.note}${next}`, REPRODUCE),
    ...judgeMode(checkout),
  ];
}
