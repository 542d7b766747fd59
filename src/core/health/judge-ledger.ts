import type { Checkout } from "../checkout/checkout.ts";
import type { Finding } from "../labels/terms.ts";
import { validateLedger } from "../ledger/read.ts";
import { clip } from "../text/inert.ts";
import { firstOf, judgement } from "./judgement.ts";

const FILE = "ledger.jsonl";
const SHOWN = 20;
const VALIDATE = "majordomus history --validate";

/**
 * The integrity of this store's ledger: a malformed or torn line is a fault. An event that this version
 * does not know is another version's data: kept, and said.
 */
export function judgeLedger(
  level: "FAIL" | "DRIFT",
  { layout }: Checkout,
): { findings: Finding[]; lines: number } {
  const { lines, malformed, unregistered, tornBytes, tornOffset } = validateLedger(layout.ledger);
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
  const well = faults.length > 0 ? [] : [judgement("OK", "ledger", FILE, `${lines} line(s), all whole`)];
  return { findings: [...well, ...firstOf(faults, SHOWN), ...strange], lines };
}
