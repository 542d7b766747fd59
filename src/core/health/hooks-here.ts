import { join } from "node:path";
import { VERSION } from "../base/version.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { Readings } from "../checkout/readings.ts";
import { stampOf } from "../fs/read.ts";
import { scanMatching } from "../fs/scan.ts";
import { commitsMadeSince } from "../git/own-commits.ts";
import type { CountingStart } from "../git/own-commits.ts";
import { readWorkingTree } from "../git/status.ts";
import { listWorktrees } from "../git/worktrees.ts";
import { claudeConfigDirectory } from "../installation/claude-config.ts";
import { readHookedMark } from "../installation/hooked-mark.ts";
import { hookStatus } from "../installation/hook-report.ts";
import type { HookReport } from "../installation/hook-report.ts";
import { eventJournalPath, lastReceived, readJournalTail } from "../journal/event-journal.ts";
import type { JournalEntry } from "../journal/event-journal.ts";
import { readRegistration } from "../journal/registration.ts";
import { judgeWorker } from "../journal/worker.ts";
import { parseLineBytes } from "../ledger/line.ts";
import { isCommitId } from "../base/id.ts";
import { judgeSteps } from "./judge-steps.ts";

/** The one provider that has an installer. */
const CLAUDE_CODE = "claude-code";
/** The only events that the ledger keeps beside the journal, with the commit of their time. */
const IN_LEDGER = /^(?:session_?(?:start|end)|pre_?compact|pre_?compress)$/i;
const RECEIVED = '"event":"provider.event.received"';

/** Events after which a turn goes on. */
const IN_A_TURN: ReadonlySet<string> = new Set([
  "UserPromptSubmit",
  "BeforeAgent",
  "userPromptSubmitted",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
]);

/** The commit that HEAD was on at the newest receipt, when the ledger has a line of that very event. */
function headAtReceipt({ layout }: Checkout, receipt: JournalEntry): string | undefined {
  if (!IN_LEDGER.test(receipt.event)) return undefined;
  let head: string | undefined;
  try {
    scanMatching(layout.ledger, RECEIVED, 0, (buffer, start, end) => {
      const line = parseLineBytes(buffer, start, end);
      head = line?.ts === receipt.ts ? line.head : undefined;
    });
  } catch {
    // A ledger that cannot be read has its own judge: the moment of the receipt is known without it.
    return undefined;
  }
  return head !== undefined && isCommitId(head) ? head : undefined;
}

/** A worker in the middle of a turn says nothing until its end, however much it commits meanwhile. */
function isAtWork(checkout: Checkout, { event, provider, session }: JournalEntry): boolean {
  if (!IN_A_TURN.has(event) || session === undefined) return false;
  const registration = readRegistration(checkout.common, provider, session)?.registration;
  return judgeWorker(registration).state === "alive";
}

/** Since when nothing was heard: the newest receipt, else the installation, else when we first saw this
 * worktree. Undefined when none is known, and in the middle of a turn. */
function silentSince(checkout: Checkout, receipts: readonly JournalEntry[]): CountingStart | undefined {
  const newest = receipts.findLast(({ phase }) => phase === "received");
  if (newest === undefined) {
    const { gitDir } = checkout.repository;
    const known = stampOf(join(gitDir, "majordomus-worktree"))?.modified;
    return readHookedMark(gitDir) ?? (known === undefined ? undefined : { at: known });
  }
  if (isAtWork(checkout, newest)) return undefined;
  // The disk's clock: that of the receipts may have been set for a test.
  const at = stampOf(eventJournalPath(checkout))?.modified ?? checkout.clock.now();
  return { head: headAtReceipt(checkout, newest), at };
}

/**
 * Where Claude Code's hooks stand for this checkout, how whole they are, whether what they start is there and
 * not too old, for how many commits nothing was heard from them, and which of their steps fail.
 *
 * @param script the program's launcher, where the asking process knows it.
 */
export function readHooksHere(checkout: Checkout, script?: string): HookReport {
  const readings = new Readings(checkout.root, "FAIL");
  const journal = readings.attempt("hooks", () => readJournalTail(checkout));
  const receipts = journal ?? [];
  const received = lastReceived(receipts).get(CLAUDE_CODE) ?? new Map<string, string>();
  // Whoever cannot read what was heard does not know of any silence.
  const since =
    journal === undefined ? undefined : readings.attempt("hooks", () => silentSince(checkout, receipts));
  const failures = [...judgeSteps(receipts), ...readings.findings];
  const report = hookStatus({
    root: checkout.root,
    worktrees: listWorktrees(checkout.repository)
      .filter(({ exists, path }) => exists && path !== checkout.root)
      .map(({ path }) => path),
    claudeConfigDirectory: claudeConfigDirectory(checkout.environment),
    script,
    version: VERSION,
    commandName: "majordomus",
    searchPath: checkout.environment["PATH"] ?? "",
    receipts: Object.fromEntries(received),
    commitsSince: since === undefined ? 0 : commitsMadeSince(checkout.repository, since),
    showsWork: () => {
      const tree = readWorkingTree(checkout.repository);
      return tree.ok && tree.value.state === "dirty";
    },
  });
  if (failures.length === 0) return report;
  return { ...report, findings: [...report.findings.filter(({ level }) => level !== "OK"), ...failures] };
}
