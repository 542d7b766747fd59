import { join } from "node:path";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { listDirectory } from "../fs/read.ts";
import { parseFlat, plainOrQuoted, quoted } from "../text/flat-yaml.ts";
import { HEAD_FIRST_LINE, splitFrontMatter } from "../text/split-front-matter.ts";
import * as z from "zod/mini";
import { admitFields, SessionId, textOr } from "./record-fields.ts";
import { nameCarriesSession } from "./record-name.ts";

const text = textOr("");

/** What a working context document says about itself (records.md 3.7). */
export const WorkingContext = z.object({
  schema: z.literal("session-context/v1"),
  kind: z.literal("session-context"),
  session_id: SessionId,
  opened_at: text,
  /** `hook` exactly when a provider was named. */
  opened_by: z.optional(z.enum(["hook", "hand"])),
  provider: z.optional(z.string()),
  provider_session: z.optional(z.string()),
  branch: text,
  /** Absent in a document that nobody can judge: its label is `unknown`. */
  head: z.optional(z.string()),
  task_id: textOr("none"),
  profile: textOr("none"),
  worker: z.optional(z.string()),
});
export type WorkingContext = z.infer<typeof WorkingContext>;

/** The document at its opening: identity, the context that the worker was given, and room for notes. */
export function formatWorkingContext(
  facts: Omit<WorkingContext, "schema" | "kind" | "opened_by">,
  contextText: string,
): string {
  const { provider, provider_session, head, worker } = facts;
  const identity = [
    "---",
    "schema: session-context/v1",
    "kind: session-context",
    `session_id: ${plainOrQuoted(facts.session_id)}`,
    `opened_at: ${plainOrQuoted(facts.opened_at)}`,
    `opened_by: ${provider === undefined ? "hand" : "hook"}`,
    ...(provider === undefined ? [] : [`provider: ${plainOrQuoted(provider)}`]),
    ...(provider_session === undefined ? [] : [`provider_session: ${quoted(provider_session)}`]),
    `branch: ${plainOrQuoted(facts.branch)}`,
    ...(head === undefined ? [] : [`head: ${plainOrQuoted(head)}`]),
    `task_id: ${plainOrQuoted(facts.task_id)}`,
    `profile: ${plainOrQuoted(facts.profile)}`,
    ...(worker === undefined ? [] : [`worker: ${quoted(worker)}`]),
    "---",
  ];
  const context = contextText.replace(/\n+$/, "");
  return `${identity.join("\n")}\n\n# Working context of session ${facts.session_id}\n\n## Context at open\n\n${context}\n\n## Notes\n`;
}

/** A note as it is appended to an open document; its later lines are indented, so that none is a heading. */
export function formatNote(note: string): string {
  const lines = note.trim().split(/\r\n|\n|\r/);
  return `\n- ${lines.join("\n  ")}\n`;
}

export interface CloseFacts {
  closed_at: string;
  outcome: string;
  head: string;
  /** The closed record's path, relative to the repository. */
  record: string;
}

/** The section that is appended when the episode ends. */
export function formatCloseSection(facts: CloseFacts): string {
  const lines = (["closed_at", "outcome", "head", "record"] as const).map((key) => `- ${key}: ${facts[key]}`);
  return `\n## Close\n\n${lines.join("\n")}\n`;
}

/** Reads a document: its identity, its body, and whether the episode's end was noted in it. */
export function parseWorkingContext(
  source: string,
): Result<{ identity: WorkingContext; body: string; closed: boolean }, string> {
  const split = splitFrontMatter(source);
  if (!split.ok) return split;
  const fields = parseFlat(split.value.head, HEAD_FIRST_LINE);
  if (!fields.ok) return fields;
  const identity = admitFields(WorkingContext, fields.value);
  if (!identity.ok) return failed(identity.error);
  const { body } = split.value;
  return ok({ identity: identity.value, body, closed: /(?:^|\n)## Close\r?(?:\n|$)/.test(body) });
}

/** The newest document of a session by its name, or undefined. */
export function findWorkingContext(directory: string, sessionId: string): string | undefined {
  const name = listDirectory(directory).findLast(
    (entry) => entry.endsWith(".md") && !entry.startsWith(".") && nameCarriesSession(entry, sessionId),
  );
  return name === undefined ? undefined : join(directory, name);
}
