import * as z from "zod/mini";
import { headText } from "../checkout/checkout.ts";
import { hintsFor } from "../git/hints.ts";
import { HintsAnswer } from "../labels/terms.ts";
import { readNamedRecord } from "../lifecycle/named-record.ts";
import { defineCapability } from "./capability.ts";

export const recordRead = defineCapability({
  id: "record.read",
  title: "The text of one record that a ledger line names",
  effect: "read",
  weight: "light",
  input: z.strictObject({ path: z.string() }),
  output: z.object({ path: z.string(), text: z.string() }),
  run: ({ checkout }, { path }) => readNamedRecord(checkout, path),
});

export const recordHints = defineCapability({
  id: "record.hints",
  title: "Where the change of a recorded commit is in this history, when a rebase or a squash took it there",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({ head: z.string() }),
  output: HintsAnswer,
  run: ({ checkout }, { head }) => ({
    head,
    ...hintsFor(checkout.repository, head, headText(checkout)),
  }),
});
