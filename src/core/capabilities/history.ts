import { relative, sep } from "node:path";
import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { PRODUCER } from "../base/version.ts";
import { headText } from "../checkout/checkout.ts";
import type { Checkout } from "../checkout/checkout.ts";
import type { Finding } from "../labels/terms.ts";
import { HistoryAnswer, HistoryInput } from "../ledger/answers.ts";
import { lossText, lostLines } from "../ledger/lost-lines.ts";
import { readHistory } from "../ledger/history.ts";
import { HistoryRotateAnswer, HistoryValidateAnswer } from "../ledger/maintenance-answers.ts";
import { validateLedger } from "../ledger/read.ts";
import type { LedgerValidation } from "../ledger/read.ts";
import { rotateLedger } from "../ledger/rotate.ts";
import { isRegistered } from "../ledger/vocabulary.ts";
import { defineCapability } from "./capability.ts";

function pathIn({ root }: Pick<Checkout, "root">, path: string): string {
  return relative(root, path).split(sep).join("/");
}

export const historyQuery = defineCapability({
  id: "history.query",
  title: "The newest events of the ledger that fit a filter",
  effect: "read",
  weight: "heavy",
  input: z.extend(HistoryInput, {
    /** Byte offset to read from, where an earlier answer said it had come to. */
    from: z.optional(z.int().check(z.minimum(0))),
  }),
  output: HistoryAnswer,
  run: ({ checkout }, { from, ...input }) => {
    if (input.event !== undefined && !isRegistered(input.event)) {
      throw new MajordomusError({
        code: "history.event",
        exit: EXIT.usage,
        subject: input.event,
        message: "is not a registered event",
        remedy: "`majordomus history --help` lists them",
      });
    }
    return readHistory(checkout.layout.ledger, input, from);
  },
});

function findingsOf(checkout: Checkout, validation: LedgerValidation, file: string): Finding[] {
  const finding = (subject: string, message: string, level: Finding["level"] = "FAIL"): Finding => ({
    level,
    category: "ledger",
    subject,
    message,
    reproduce: "majordomus history --validate",
  });
  const lost = lostLines(checkout);
  const findings = [
    ...(lost === undefined ? [] : [finding(file, lossText(lost), "WARN")]),
    ...validation.malformed.map(({ line, offset }) =>
      finding(`${file}:${line}`, `is malformed (byte ${offset})`),
    ),
    ...validation.unregistered.map(({ line, offset, event }) =>
      finding(`${file}:${line}`, `carries an event that is not registered: ${event} (byte ${offset})`),
    ),
    ...(validation.tornBytes === 0
      ? []
      : [
          finding(
            file,
            `its last line is torn: ${validation.tornBytes} byte(s) from byte ${validation.tornOffset}`,
          ),
        ]),
  ];
  if (findings.length > 0) return findings;
  return [
    {
      level: "OK",
      category: "ledger",
      subject: file,
      message: `${validation.lines} line(s), all valid`,
    },
  ];
}

export const historyValidate = defineCapability({
  id: "history.validate",
  title: "Every line of the ledger judged by form and vocabulary",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: HistoryValidateAnswer,
  run: ({ checkout }) => {
    const validation = validateLedger(checkout.layout.ledger);
    const { lines, malformed, unregistered, tornBytes, tornOffset } = validation;
    return {
      lines,
      malformed,
      unregistered,
      torn_bytes: tornBytes,
      torn_offset: tornOffset,
      findings: findingsOf(checkout, validation, pathIn(checkout, checkout.layout.ledger)),
    };
  },
});

export const historyRotate = defineCapability({
  id: "history.rotate",
  title: "Move all but the newest lines of the ledger to an archive",
  effect: "write",
  weight: "heavy",
  input: z.strictObject({}),
  output: HistoryRotateAnswer,
  run: ({ checkout }) => {
    const { ledger, locks } = checkout.layout;
    const rotation = rotateLedger(
      { ledger, locks, clock: checkout.clock },
      {
        keep: checkout.settings.policy.ledger.retention_max_lines,
        waitMilliseconds: checkout.patience.remaining(),
        envelope: {
          ts: formatTimestamp(checkout.clock.now()),
          head: headText(checkout),
          branch: checkout.branch,
          by: PRODUCER,
        },
      },
    );
    return {
      archived: rotation.archived,
      kept: rotation.kept,
      ...(rotation.archive === undefined ? {} : { archive: pathIn(checkout, rotation.archive) }),
    };
  },
});
