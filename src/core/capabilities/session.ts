import { relative, sep } from "node:path";
import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { deriveBeforeClosing } from "../boundary/derive-knowledge.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { openCheckout } from "../checkout/open.ts";
import { composeClosed } from "../episode/compose-closed.ts";
import { recordPath, sealEpisode } from "../episode/seal.ts";
import { containedPath } from "../fs/contain.ts";
import { readRoster } from "../journal/roster.ts";
import type { RosterEntry } from "../journal/roster.ts";
import { readRecordText } from "../records/record-file.ts";
import { findRecordOfSession } from "../records/session-store.ts";
import { findWorkingContext } from "../records/working-context.ts";
import { defineCapability } from "./capability.ts";

const Text = z.object({ path: z.string(), text: z.string() });

function absent(subject: string, message: string): MajordomusError {
  return new MajordomusError({ code: "session.absent", exit: EXIT.missing, subject, message });
}

function findEntry(checkout: Checkout, sessionId: string): RosterEntry | undefined {
  return readRoster(checkout).entries.find((entry) => entry.sessionId === sessionId);
}

/** The checkout in whose store an open episode lies: this one, or the sibling worktree that opened it. */
async function homeOf(checkout: Checkout, entry: RosterEntry): Promise<Checkout> {
  return entry.whereabouts.kind === "sibling" && !entry.here
    ? openCheckout(entry.whereabouts.worktree.path, checkout)
    : checkout;
}

function readText(root: string, path: string): { path: string; text: string } {
  const text = readRecordText(path);
  if (!text.ok) throw absent(path, text.error);
  return { path: relative(root, path).split(sep).join("/"), text: text.value };
}

export const sessionContext = defineCapability({
  id: "session.context",
  title: "The working context that an episode was given when it opened",
  effect: "read",
  weight: "light",
  input: z.strictObject({ session_id: z.string() }),
  output: Text,
  run: async ({ checkout }, { session_id }) => {
    const entry = findEntry(checkout, session_id);
    const home = entry === undefined ? checkout : await homeOf(checkout, entry);
    const path = findWorkingContext(home.layout.contexts, session_id);
    if (path === undefined) throw absent(session_id, "has no working context here");
    return readText(home.root, path);
  },
});

export const sessionShow = defineCapability({
  id: "session.show",
  title: "The closed record of an episode",
  effect: "read",
  weight: "light",
  input: z.strictObject({ session_id: z.string() }),
  output: Text,
  run: ({ checkout }, { session_id }) => {
    const path = findRecordOfSession(checkout.layout.sessions, session_id);
    if (path === undefined) throw absent(session_id, "has no closed record here");
    return readText(checkout.root, path);
  },
});

export const sessionClose = defineCapability({
  id: "session.close",
  title: "Close an open episode into its record",
  effect: "write",
  weight: "heavy",
  input: z.strictObject({ session_id: z.string(), outcome: z.enum(["closed", "interrupted"]) }),
  output: z.object({
    session_id: z.string(),
    path: z.string(),
    written: z.boolean(),
    /** What could not be done beside the close itself. */
    notes: z.optional(z.array(z.string())),
  }),
  run: async ({ checkout }, { session_id, outcome }) => {
    const entry = findEntry(checkout, session_id);
    if (entry === undefined) throw absent(session_id, "is not open in this repository");
    if (entry.whereabouts.kind === "gone" || entry.standing === "foreign") {
      throw new MajordomusError({
        code: "session.not_closable",
        exit: EXIT.refused,
        subject: session_id,
        message: entry.standing === "foreign" ? "belongs to another worktree" : "has lost its worktree",
        remedy:
          entry.standing === "foreign"
            ? "close it there"
            : "`majordomus recover episodes` composes its record",
      });
    }
    const home = await homeOf(checkout, entry);
    const current = home === checkout ? entry : findEntry(home, session_id);
    if (current === undefined) throw absent(session_id, "is not open any more");
    let underived: string | undefined;
    const sealed = sealEpisode(home, current, {
      outcome,
      reason: "closed by a person",
      deferrable: false,
      beforeClosing: (lines) => {
        const episode = { sessionId: session_id, lines, openAt: home.head, session: session_id };
        underived = deriveBeforeClosing(home, episode);
      },
      compose: (lines) => composeClosed(home, current, lines, outcome, undefined),
    });
    return {
      session_id,
      path: recordPath(home, sealed.path),
      written: sealed.written,
      ...(underived === undefined ? {} : { notes: [underived] }),
    };
  },
});

export const recordRead = defineCapability({
  id: "record.read",
  title: "The text of one record that a ledger line names",
  effect: "read",
  weight: "light",
  input: z.strictObject({ path: z.string() }),
  output: Text,
  run: ({ checkout }, { path }) => {
    if (!path.startsWith(".ai/") || !path.endsWith(".md")) {
      throw new MajordomusError({
        code: "record.path",
        exit: EXIT.usage,
        subject: path,
        message: "is not the path of a record",
      });
    }
    return readText(checkout.root, containedPath(checkout.root, path));
  },
});
