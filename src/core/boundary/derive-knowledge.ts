import { reasonOf } from "../base/error.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { episodeFacts } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { deriveEpisodes, guidingDirectories, pathsOf } from "../knowledge/derive.ts";
import type { DeriveOptions, DerivedEpisode, KnownHistory } from "../knowledge/derive.ts";
import { accountOf } from "../knowledge/gather-episodes.ts";
import type { LedgerLine } from "../ledger/line.ts";
import type { Instant } from "./instant.ts";
import type { Steps } from "./steps.ts";
import { workLines } from "./work-lines.ts";

/** The boundaries at which knowledge is derived, and the policy's switch for each. */
const SWITCHES = { compact: "knowledge_on_compact", end: "knowledge_on_end" } as const;

/** One line about what was derived, for a receipt. */
function summary({ settled }: DerivedEpisode): string {
  const count = (state: "written" | "unchanged" | "skipped"): number => pathsOf(settled, state).length;
  return `${count("written")} written, ${count("unchanged")} unchanged, ${count("skipped")} skipped`;
}

/**
 * What the steps before have learnt of an episode's commits. At a compaction, where git has answered three
 * times already, no change of rules or decisions between beginning and HEAD is taken for none in between;
 * the close asks exactly.
 */
function knownHistory(
  home: Checkout,
  startHead: string,
  instant: Instant,
  when: keyof typeof SWITCHES,
): KnownHistory {
  if (startHead === headText(home)) return "untouched";
  const { relation } = instant.moment.ancestry(startHead);
  if (relation === "not_ancestor" || relation === "absent") return "untouched";
  if (relation === "unknown") return "unknown";
  if (when === "end") return "ancestor";
  const changed = instant.moment.changedSince(startHead);
  const guiding = guidingDirectories(home);
  const touched =
    !changed.ok || changed.value.some((path) => guiding.some((below) => path.startsWith(`${below}/`)));
  return touched ? "ancestor" : "untouched";
}

/**
 * The step that derives knowledge from an open episode, unless the policy says not to. At most one git process
 * more than the checkpoint has had, where rules and decisions were left alone.
 *
 * @returns from how many lines it derived; undefined where it did not
 */
export async function deriveKnowledgeStep(
  home: Checkout,
  entry: RosterEntry,
  instant: Instant,
  steps: Steps,
  when: keyof typeof SWITCHES,
): Promise<number | undefined> {
  if (!home.settings.policy.session[SWITCHES[when]]) {
    steps.skip("knowledge", `session.${SWITCHES[when]} is false`);
    return undefined;
  }
  return steps.run("knowledge", (note) => {
    const account = accountOf(entry.sessionId, workLines(home, entry.sessionId));
    const startHead = account.startHead ?? episodeFacts(entry).start_head;
    const order = {
      account: { ...account, startHead },
      openAt: home.head,
      history: () => knownHistory(home, startHead, instant, when),
    };
    const [derived] = deriveEpisodes(home, [order], { session: entry.sessionId, deferrable: true });
    if (derived !== undefined) note({ result: "done", reason: summary(derived) });
    return account.lines.length;
  });
}

export interface ClosingEpisode {
  sessionId: string;
  lines: readonly LedgerLine[];
  /** HEAD where the episode comes to its end here; undefined where nobody saw it ending. */
  openAt: string | undefined;
  /** The episode that the event belongs to. */
  session: string | undefined;
}

/**
 * Derives what an episode leaves before its close is noted, unless the policy says not to. A failure never
 * stops a close.
 *
 * @returns why it could not be done, or undefined
 */
export function deriveBeforeClosing(
  checkout: Checkout,
  closing: ClosingEpisode,
  options: Pick<DeriveOptions, "deferrable"> = {},
): string | undefined {
  if (!checkout.settings.policy.session.knowledge_on_end) return undefined;
  try {
    const account = accountOf(closing.sessionId, closing.lines);
    deriveEpisodes(checkout, [{ account, openAt: closing.openAt }], { ...options, session: closing.session });
    return undefined;
  } catch (error) {
    return `knowledge was not derived: ${reasonOf(error)}`;
  }
}

/**
 * Derives once more where the whole of an episode's lines has more to say than the step before its seal saw:
 * lines that the original wrote stand in the ledger alone.
 *
 * @param seen from how many lines the step derived; undefined where it did not
 */
export function deriveUnseen(checkout: Checkout, closing: ClosingEpisode, seen: number | undefined): void {
  if (seen === undefined || accountOf(closing.sessionId, closing.lines).lines.length <= seen) return;
  deriveBeforeClosing(checkout, closing, { deferrable: true });
}
