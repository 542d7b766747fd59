import { watch } from "node:fs";
import { dirname } from "node:path";
import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import type { Checkout } from "../../core/checkout/checkout.ts";
import { historyQuery, historyRotate, historyValidate } from "../../core/capabilities/history.ts";
import { stampOf } from "../../core/fs/read.ts";
import type { HistoryInput, HistoryLine } from "../../core/ledger/answers.ts";
import { ask, askIn, openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { statusOfFindings } from "../findings.ts";

type Filters = { [Key in keyof HistoryInput]: HistoryInput[Key] | undefined };

/** The most lines that one look at a growing ledger takes. */
const FOLLOW_LIMIT = 100_000;

function show({ output, json }: CommandContext, line: HistoryLine): void {
  if (json) {
    output.json(line);
    return;
  }
  const session = line.session ?? "-";
  output.line(`${line.ts}  ${line.event.padEnd(24)} ${session.padEnd(21)} ${line.summary}`.trimEnd());
}

/** Prints the newest matching lines, oldest first, and says what was left out. */
export async function showHistory(context: CommandContext, filters: Filters): Promise<void> {
  const answer = await ask(context, historyQuery, filters);
  if (context.json) {
    context.output.json(answer);
    return;
  }
  if (answer.cut > 0) context.output.line(`… ${answer.cut} older line(s) left out; --limit takes more`);
  for (const line of answer.lines) show(context, line);
  if (answer.malformed > 0) {
    context.output.warn(
      `${answer.malformed} malformed line(s); \`majordomus history --validate\` names them`,
    );
  }
  if (answer.torn_bytes > 0) context.output.warn(`${answer.torn_bytes} byte(s) of a torn last line`);
}

/** Waits until the directory of `path` changes, or `milliseconds` have passed, or the reader has left. */
function waitForChange(path: string, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      watcher?.close();
      signal.removeEventListener("abort", settle);
      resolve();
    };
    const timer = setTimeout(settle, milliseconds);
    signal.addEventListener("abort", settle);
    let watcher: ReturnType<typeof watch> | undefined;
    try {
      watcher = watch(dirname(path), settle);
      watcher.on("error", () => undefined);
    } catch {
      // A directory that cannot be watched is looked at when the time has passed.
    }
  });
}

/** Where a ledger that was cut goes on: at its newest rotation line. */
async function afterRotation(checkout: Checkout): Promise<number> {
  const newest = { event: "ledger.rotated", limit: 1 };
  const answer = await askIn(checkout, historyQuery, newest);
  return answer.lines[0]?.offset ?? 0;
}

/** Prints the newest lines and then every matching one as it is appended, until the reader leaves. */
export async function followHistory(context: CommandContext, filters: Filters): Promise<ExitStatus> {
  const checkout = await openHere(context, "read");
  const { ledger } = checkout.layout;
  const pollMilliseconds = checkout.settings.switches.live.poll_seconds * 1000;
  const first = await askIn(checkout, historyQuery, filters);
  for (const line of first.lines) show(context, line);
  let from = first.consumed;
  while (!context.output.readerGone.aborted) {
    const size = stampOf(ledger)?.size ?? 0;
    if (size < from) from = await afterRotation(checkout);
    if (size > from) {
      const query = { ...filters, from, limit: FOLLOW_LIMIT };
      const answer = await askIn(checkout, historyQuery, query);
      for (const line of answer.lines) show(context, line);
      from = answer.consumed;
    }
    await waitForChange(ledger, pollMilliseconds, context.output.readerGone);
  }
  return EXIT.ok;
}

/** Judges every line of the ledger; 10 when one is malformed or of an unknown event. */
export async function validateHistory(context: CommandContext): Promise<ExitStatus> {
  const { findings } = await ask(context, historyValidate, {});
  if (context.json) for (const finding of findings) context.output.json(finding);
  else context.output.findings(findings);
  return statusOfFindings(findings);
}

/** Moves all but the newest lines to an archive. */
export async function rotateHistory(context: CommandContext): Promise<ExitStatus> {
  const answer = await ask(context, historyRotate, {});
  if (context.json) context.output.json(answer);
  else if (answer.archive === undefined) context.output.line(`nothing to move: ${answer.kept} line(s)`);
  else context.output.line(`moved ${answer.archived} line(s) to ${answer.archive}, kept ${answer.kept}`);
  return EXIT.ok;
}
