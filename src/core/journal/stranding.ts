import type { AnnouncedEnd } from "./announced-ends.ts";
import type { RosterEntry } from "./roster.ts";

/** What keeps an open episode from ever closing itself. */
export type Loss = "worktree_gone" | "ended" | "worker_gone";

export interface Stranding {
  loss: Loss;
  /** One sentence without its subject. */
  reason: string;
}

function endText({ at, reason, from }: AnnouncedEnd): string {
  const by = from === "ledger" ? ", says the ledger" : "";
  return `ended without a record: its end came ${at}${reason === undefined ? "" : ` (${reason})`}${by}`;
}

/**
 * Why an open episode needs recovery, with proof and without a clock; undefined when nothing is proved. The one
 * judgement of every surface. An announced end outweighs a live worker: a provider's process goes on when its
 * session does not.
 */
export function strandingOf(
  entry: Pick<RosterEntry, "whereabouts" | "standing" | "ended" | "worker">,
): Stranding | undefined {
  const { whereabouts, standing, ended, worker } = entry;
  if (whereabouts.kind === "gone") return { loss: "worktree_gone", reason: whereabouts.reason };
  if (standing === "foreign") return undefined;
  if (ended !== undefined) return { loss: "ended", reason: endText(ended) };
  if (worker.state === "gone") return { loss: "worker_gone", reason: `its worker is gone: ${worker.note}` };
  return undefined;
}
