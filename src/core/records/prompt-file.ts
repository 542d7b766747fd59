import { basename, join } from "node:path";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { listDirectory } from "../fs/read.ts";
import { parseFlat } from "../text/flat-yaml.ts";
import { clip, inert } from "../text/inert.ts";
import { HEAD_FIRST_LINE, splitFrontMatter } from "../text/split-front-matter.ts";
import * as z from "zod/mini";
import { isContextDocument } from "./context-document.ts";
import { admitFields, textOr } from "./record-fields.ts";
import { readRecordText } from "./record-file.ts";

/** Tokens that may stand anywhere in a line of a prompt (work.md, Prompts). */
export const INLINE_TOKENS = [
  "TASK",
  "TASK_ID",
  "PROFILE",
  "SCOPE",
  "OWNER",
  "BRANCH",
  "HEAD",
  "WORKING_TREE",
  "REPOSITORY",
  "NOW",
] as const;
export type InlineToken = (typeof INLINE_TOKENS)[number];

/** Tokens that stand alone on their line and become several. */
export const BLOCK_TOKENS = ["OPEN_QUESTIONS", "DECISIONS", "CHECKPOINT", "HANDOVER", "CONTEXT"] as const;
export type BlockToken = (typeof BLOCK_TOKENS)[number];

const Head = z.object({
  name: z.string().check(z.minLength(1)),
  description: textOr(""),
  profile: z.optional(z.string()),
});

/** A prompt of the layer: a text with tokens that are filled from the state of the repository. */
export interface PromptFile extends z.infer<typeof Head> {
  path: string;
  body: string;
  /** The number of the body's first line in its file. */
  firstLine: number;
}

/** What is wrong with a prompt, and on which line of its file. */
export interface PromptFault {
  line: number;
  message: string;
}

const TOKEN = /\{\{(.*?)\}\}/g;
const SHOWN_CHARACTERS = 40;

/** The block token that a line consists of, blanks around it aside. */
export function blockTokenOf(line: string): BlockToken | undefined {
  const name = /^\s*\{\{(\w+)\}\}\s*$/.exec(line)?.[1];
  return BLOCK_TOKENS.find((token) => token === name);
}

/** Replaces the inline tokens of a line; what is no token stays, and what a value holds is not looked at again. */
export function fillInline(line: string, valueOf: (token: InlineToken) => string): string {
  return line.replace(TOKEN, (whole, name: string) => {
    const token = INLINE_TOKENS.find((candidate) => candidate === name);
    return token === undefined ? whole : valueOf(token);
  });
}

/** Tokens that nothing fills, and block tokens that share their line. */
export function judgeTokens({ body, firstLine }: Pick<PromptFile, "body" | "firstLine">): PromptFault[] {
  return body.split("\n").flatMap((line, index): PromptFault[] => {
    if (blockTokenOf(line) !== undefined) return [];
    return [...line.matchAll(TOKEN)].flatMap(([whole, name = ""]): PromptFault[] => {
      if (INLINE_TOKENS.some((token) => token === name)) return [];
      const shown = clip(inert(whole), SHOWN_CHARACTERS);
      const message = BLOCK_TOKENS.some((token) => token === name)
        ? `${shown} must stand alone on its line`
        : `${shown} is not a token`;
      return [{ line: firstLine + index, message }];
    });
  });
}

/** Reads a prompt's text; fails when its head is none, or names another prompt than its file does. */
export function parsePrompt(source: string, path: string): Result<PromptFile, string> {
  const split = splitFrontMatter(source);
  if (!split.ok) return split;
  const fields = parseFlat(split.value.head, HEAD_FIRST_LINE);
  if (!fields.ok) return fields;
  const head = admitFields(Head, fields.value);
  if (!head.ok) return head;
  const stem = basename(path, ".md");
  if (head.value.name !== stem) {
    return failed(`name: ${clip(inert(head.value.name), SHOWN_CHARACTERS)} is not the file's name, ${stem}`);
  }
  const { body, bodyStart } = split.value;
  return ok({ ...head.value, path, body, firstLine: source.slice(0, bodyStart).split("\n").length });
}

/** Every prompt of a directory by name, and what stands there and is none. */
export function listPrompts(directory: string): {
  prompts: PromptFile[];
  skipped: { path: string; reason: string }[];
} {
  const prompts: PromptFile[] = [];
  const skipped: { path: string; reason: string }[] = [];
  for (const name of listDirectory(directory)) {
    if (!name.endsWith(".md") || name.startsWith(".")) continue;
    const path = join(directory, name);
    const source = readRecordText(path);
    if (source.ok && isContextDocument(source.value)) continue;
    const prompt = source.ok ? parsePrompt(source.value, path) : source;
    if (prompt.ok) prompts.push(prompt.value);
    else skipped.push({ path, reason: prompt.error });
  }
  return { prompts, skipped };
}
