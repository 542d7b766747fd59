import type { Checkout } from "../checkout/checkout.ts";
import type { Finding } from "../labels/terms.ts";
import { lossText, lostLines } from "../ledger/lost-lines.ts";
import { validateLedger } from "../ledger/read.ts";
import { clip } from "../text/inert.ts";
import { firstOf, judgement } from "./judgement.ts";

const FILE = "ledger.jsonl";
const SHOWN = 20;
const VALIDATE = "majordomus history --validate";

/**
 * The integrity of this store's ledger: a malformed or torn line is a fault, and so is one that must have been
 * there. An event that this version
 * does not know is another version's data: kept, and said.
 */
export function judgeLedger(
  level: "FAIL" | "DRIFT",
  checkout: Checkout,
): { findings: Finding[]; lines: number } {
  const { lines, malformed, unregistered, tornBytes, tornOffset } = validateLedger(checkout.layout.ledger);
  const lost = lostLines(checkout);
  const judge = (found: Finding["level"], subject: string, message: string): Finding =>
    judgement(found, "ledger", subject, message, VALIDATE);
  const faults = [
    ...malformed.map(({ line, offset }) =>
      judge(level, `${FILE}:${line}`, `is malformed (byte ${offset}); readers pass it over`),
    ),
    ...(tornBytes === 0
      ? []
      : [judge(level, FILE, `its last line is torn: ${tornBytes} byte(s) from byte ${tornOffset}`)]),
  ];
  const [stranger] = unregistered;
  const names = [...new Set(unregistered.map(({ event }) => clip(event, 60)))].slice(0, 5).join(", ");
  const strange =
    stranger === undefined
      ? []
      : [
          judge(
            level === "FAIL" ? "WARN" : "INFO",
            `${FILE}:${stranger.line}`,
            `${unregistered.length} line(s) with an event that this version does not know: ${names}`,
          ),
        ];
  // What goes on without its past has drifted no further.
  const lossLevel = level === "FAIL" ? "WARN" : lines === 0 ? level : "INFO";
  const loss = lost === undefined ? [] : [judge(lossLevel, FILE, lossText(lost))];
  const isWell = faults.length === 0 && (lost === undefined || lines > 0);
  const well = !isWell ? [] : [judgement("OK", "ledger", FILE, `${lines} line(s), all whole`)];
  return { findings: [...well, ...loss, ...firstOf(faults, SHOWN), ...strange], lines };
}
