import * as z from "zod/mini";
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
