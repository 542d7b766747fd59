import * as z from "zod/mini";
import { readHooksHere } from "../health/hooks-here.ts";
import { Finding } from "../labels/terms.ts";
import { defineCapability } from "./capability.ts";

const text = z.string();
const texts = z.array(text);

const Launcher = z.union([
  z.object({ kind: z.literal("program"), interpreter: text, script: text }),
  z.object({ kind: z.literal("shim") }),
]);

const Place = z.object({
  scope: z.enum(["local", "project", "user"]),
  path: text,
  worktree: z.optional(text),
  state: z.enum(["absent", "without", "installed", "unreadable"]),
  reason: z.optional(text),
  events: texts,
  missingSources: texts,
  doubled: texts,
  hurried: z.array(z.object({ event: text, seconds: z.number() })),
  disabled: z.boolean(),
  handlers: z.array(
    z.object({
      event: text,
      ours: z.object({
        launcher: Launcher,
        timeout: z.optional(z.number()),
        identity: text,
      }),
    }),
  ),
});

const HooksReport = z.object({
  places: z.array(Place),
  worktrees: z.array(z.object({ path: text, events: texts, missing: texts })),
  installed: z.boolean(),
  silent: z.boolean(),
  lastReceived: z.record(text, text),
  /** The finding about too many commits without a word, one of the findings below. */
  silence: z.optional(Finding),
  findings: z.array(Finding),
});
export type HooksReport = z.infer<typeof HooksReport>;

export const hooksReport = defineCapability({
  id: "hooks.report",
  title: "Where provider hooks are installed, how whole they are, and what they last reported",
  effect: "read",
  weight: "light",
  input: z.strictObject({
    /** The program's launcher, absolute, where the surface knows it. */
    script: z.optional(text),
  }),
  output: HooksReport,
  run: ({ checkout }, { script }) => readHooksHere(checkout, script),
});
