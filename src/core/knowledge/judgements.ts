import { minutesBetween, parseTimestamp, spanText } from "../base/time.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { scanLines } from "../fs/scan.ts";
import type { Finding } from "../labels/terms.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { LineProbe } from "../ledger/probe.ts";
import { MAXIMUM_LINE_BYTES } from "../ledger/read.ts";
import { listKnowledge } from "../records/knowledge-store.ts";
import { CATEGORY, judgeStore } from "./judge-store.ts";
import { isAwaiting } from "./queue.ts";
import { dayTimestamp } from "./rules.ts";
import { SOURCE_EVENTS } from "./sources.ts";

const SESSION = 2;
const EPISODE = 3;

interface Writing {
  /** Somebody derived here once. */
  ever: boolean;
  /** Episodes that closed after the last that was derived, oldest first. */
  missedSince: string[];
  /** One of them had something to derive. */
  lost: boolean;
}

/** One close without a derivation may be an accident; a second one in a row is a writer that stopped. */
const PROVING_CLOSES = 2;

function readWriting(files: readonly string[]): Writing {
  const derived = new Set<string>();
  const derivable = new Set<string>();
  const writing: Writing = { ever: false, missedSince: [], lost: false };
  const probe = new LineProbe(["session", "episode"]);
  const visit = (buffer: Buffer, start: number, end: number): void => {
    const event = probe.read(buffer, start, end) ? probe.text(1) : undefined;
    if (event === "knowledge.derived") {
      writing.ever = true;
      derived.add(probe.text(EPISODE) ?? "");
    } else if (event !== undefined && SOURCE_EVENTS.has(event)) {
      derivable.add(probe.text(SESSION) ?? "");
    } else if (event === "session.closed" && writing.ever) {
      const session = probe.text(SESSION) ?? "";
      if (derived.has(session)) writing.missedSince = [];
      else writing.missedSince.push(session);
    }
  };
  for (const file of files) scanLines(file, 0, visit, { maximumLineBytes: MAXIMUM_LINE_BYTES });
  // Whoever derives afterwards, by hand or for all, makes good for what was missed.
  writing.missedSince = writing.missedSince.filter((session) => !derived.has(session));
  writing.lost = writing.missedSince.some((session) => derivable.has(session));
  return writing;
}

/**
 * The stopped writer: episodes close, the policy wants them derived, and nothing is derived any more. Not said
 * of a repository that never derived, nor where the policy switched it off.
 */
export function judgeWriter(checkout: Checkout): Finding[] {
  const subject = "writer";
  const reproduce = "majordomus history --event knowledge.derived --limit 1";
  const finding = (level: Finding["level"], message: string): Finding[] => [
    { level, category: CATEGORY, subject, message, ...(level === "FAIL" ? { reproduce } : {}) },
  ];
  if (!checkout.settings.policy.session.knowledge_on_end) {
    return finding("INFO", "session.knowledge_on_end is false: closing derives nothing");
  }
  const writing = readLedgerFiles(checkout.layout.state, readWriting);
  if (!writing.ever) return finding("INFO", "nothing was ever derived here");
  const { length } = writing.missedSince;
  if (length === 0) return finding("OK", "the last episode that closed was derived");
  if (!writing.lost && length < PROVING_CLOSES) {
    return finding("OK", "the last episode that closed was not derived, and had nothing to derive");
  }
  return finding(
    "FAIL",
    `${length} episode(s) closed since the last that was derived (${writing.missedSince.at(-1) ?? ""}); ` +
      "`majordomus knowledge derive --all` makes good for them",
  );
}

/** The integrity of the store; one line that says so where nothing is wrong. */
export function judgeIntegrity(checkout: Checkout): Finding[] {
  const { records, findings } = judgeStore(checkout);
  if (findings.some(({ level }) => level === "FAIL" || level === "WARN")) return findings;
  const message = records === 0 ? "no record" : `${records} record(s), all in order`;
  return [{ level: "OK", category: CATEGORY, subject: "store", message }, ...findings];
}

/** The queue's size and age against the policy: advice, never a failure. */
export function judgeQueue(checkout: Checkout): Finding[] {
  const { candidates_max_files: most, candidate_max_age_minutes: oldest } =
    checkout.settings.policy.knowledge;
  const waiting = listKnowledge(checkout, ["candidates"]).files.filter(isAwaiting);
  const ages = waiting
    .map(({ record }) => parseTimestamp(dayTimestamp(record.date)))
    .filter((day) => day !== undefined)
    .map((day) => minutesBetween(day, checkout.clock.now()));
  const old = ages.filter((age) => age >= oldest);
  const advice = (message: string): Finding => ({
    level: "WARN",
    category: CATEGORY,
    subject: "candidates",
    message,
    reproduce: "majordomus knowledge candidates",
  });
  const findings = [
    ...(waiting.length > most
      ? [advice(`${waiting.length} candidates await review; knowledge.candidates_max_files is ${most}`)]
      : []),
    ...(old.length > 0
      ? [
          advice(
            `${old.length} of ${waiting.length} await review for ${spanText(oldest)} or longer, ` +
              `the oldest for ${spanText(Math.max(...old))}`,
          ),
        ]
      : []),
  ];
  if (findings.length > 0) return findings;
  return [
    { level: "OK", category: CATEGORY, subject: "candidates", message: `${waiting.length} await review` },
  ];
}

/** The doctor's three judgements about knowledge, in their order. */
export function judgeKnowledge(checkout: Checkout): Finding[] {
  return [...judgeWriter(checkout), ...judgeIntegrity(checkout), ...judgeQueue(checkout)];
}
