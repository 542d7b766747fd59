import type { HistoryLine } from "../../core/ledger/answers.ts";
import type { Tone } from "./line.ts";

const TONES: readonly { event: RegExp; tone: Tone }[] = [
  { event: /\.(failed)$/, tone: "bad" },
  { event: /^session\.recovered$/, tone: "warn" },
  { event: /^session\./, tone: "accent" },
  { event: /^(task\.finished|plan_done|knowledge\.promoted)$/, tone: "good" },
  { event: /^(question|decision)\./, tone: "info" },
];

/** Fixed colours for the few kinds of event that an eye looks for. */
export function eventTone(line: HistoryLine): Tone {
  if (!line.registered) return "muted";
  return TONES.find((rule) => rule.event.test(line.event))?.tone ?? "plain";
}
