import * as z from "zod/mini";
import { acceptFields, wholeFrom } from "./accept.ts";

/**
 * `.ai/repo/majordomus.yaml`: switches that the original's policy schema does not know. Every key is
 * optional, and so is the file; the original never reads it.
 */
export const Switches = z.strictObject({
  schema: z.prefault(z.literal("majordomus-switches/v1"), "majordomus-switches/v1"),
  /** Print a table of contents before a compaction. */
  precompact_note: z.prefault(z.boolean(), false),
  /** Keep a journal of prompts. */
  prompt_journal: z.prefault(z.boolean(), false),
  /** A derived handover closes the task. */
  handover_closes_task: z.prefault(z.boolean(), false),
  /** `full`: wait for the disk at every ledger line. */
  durability: z.prefault(z.enum(["normal", "full"]), "normal"),
  live: z.prefault(z.strictObject({ poll_seconds: z.prefault(wholeFrom(1), 2) }), {}),
  hooks: z.prefault(z.strictObject({ lock_wait_ms: z.prefault(wholeFrom(0), 500) }), {}),
  server: z.prefault(
    z.strictObject({
      /** Without a client for so long, the shared server ends. */
      idle_seconds: z.prefault(wholeFrom(1), 900),
      /** The port that it tries first; 0 for any. */
      port: z.prefault(z.int().check(z.minimum(0), z.maximum(65_535)), 8741),
    }),
    {},
  ),
  sync: z.prefault(z.strictObject({ timeout_seconds: z.prefault(wholeFrom(1), 30) }), {}),
});
export type Switches = z.infer<typeof Switches>;

/**
 * Takes the fields of a switches file; null stands for an empty one.
 *
 * @throws MajordomusError 10 naming every unknown key and every value of another type.
 */
export function parseSwitches(fields: unknown, path: string): Switches {
  return acceptFields(Switches, fields ?? {}, { path, kind: "switches" });
}

/** The switches of a checkout that has no such file. */
export function defaultSwitches(): Switches {
  return parseSwitches({}, "majordomus.yaml");
}
