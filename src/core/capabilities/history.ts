import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { HistoryAnswer, HistoryInput } from "../ledger/answers.ts";
import { readHistory } from "../ledger/history.ts";
import { validateLedger } from "../ledger/read.ts";
import { isRegistered } from "../ledger/vocabulary.ts";
import { defineCapability } from "./capability.ts";

export const historyQuery = defineCapability({
  id: "history.query",
  title: "The newest events of the ledger that fit a filter",
  effect: "read",
  weight: "heavy",
  input: HistoryInput,
  output: HistoryAnswer,
  run: ({ checkout }, input) => {
    if (input.event !== undefined && !isRegistered(input.event)) {
      throw new MajordomusError({
        code: "history.event",
        exit: EXIT.usage,
        subject: input.event,
        message: "is not a registered event",
        remedy: "`majordomus history --help` lists them",
      });
    }
    return readHistory(checkout.layout.ledger, input);
  },
});

const Position = z.object({ line: z.int(), offset: z.int() });

export const historyValidate = defineCapability({
  id: "history.validate",
  title: "Every line of the ledger judged by form and vocabulary",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: z.object({
    lines: z.int(),
    malformed: z.array(Position),
    unregistered: z.array(z.extend(Position, { event: z.string() })),
    torn_bytes: z.int(),
    torn_offset: z.int(),
  }),
  run: ({ checkout }) => {
    const { lines, malformed, unregistered, tornBytes, tornOffset } = validateLedger(checkout.layout.ledger);
    return { lines, malformed, unregistered, torn_bytes: tornBytes, torn_offset: tornOffset };
  },
});
