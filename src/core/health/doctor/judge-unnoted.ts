import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { showCommand } from "../../fs/show-command.ts";
import type { Finding } from "../../labels/terms.ts";
import { unnotedDecisions, unnotedRecords } from "../../ledger/unnoted.ts";
import type { WorkRecords } from "../../ledger/work-records.ts";
import { readDecisions } from "../../records/decisions.ts";
import { clip } from "../../text/inert.ts";
import { shellWord } from "../../text/shell-word.ts";
import { judgement } from "../judgement.ts";

const CATEGORY = "records";
const SHOWN_CHARACTERS = 120;
const WHY = "no ledger line tells of it, so that history and counts leave it out: its writer was stopped";

/**
 * What stands and has no ledger line, with what a person can do: nothing is lost, and a line that was made up now
 * would say when and where it was written of another moment.
 */
export function judgeUnnoted(checkout: Checkout, kinds: readonly WorkRecords[]): Finding[] {
  const { root, layout } = checkout;
  const records = unnotedRecords(checkout, kinds).map(({ path }) => {
    const shown = shownPath(root, path);
    const message = `${WHY}; it is read like any other, and what is written anew gets a line`;
    return judgement("WARN", CATEGORY, shown, message, `${showCommand(path)} ${shellWord(shown)}`);
  });
  const log = readDecisions(layout.decisions);
  const path = shownPath(root, layout.decisions);
  const decisions = unnotedDecisions(checkout, log.ok ? log.value : []).map(({ title, line }) =>
    judgement(
      "WARN",
      CATEGORY,
      `decisions.md:${line}`,
      `${WHY}, or it was written by hand; it stands: ${clip(title, SHOWN_CHARACTERS)}`,
      `sed -n ${line}p ${shellWord(path)}`,
    ),
  );
  return [...records, ...decisions];
}
