import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixedClock } from "../../../../src/core/base/clock.ts";
import { steadyPatience } from "../../../../src/core/base/patience.ts";
import { captureDelta } from "../../../../src/core/capsule/autosave/capture.ts";
import type { Captured } from "../../../../src/core/capsule/autosave/capture.ts";
import type { MemoryTree } from "../../../../src/core/capsule/memory-tree.ts";
import { newTree, NOW, textOf } from "../support/memory.ts";

export const SESSION = "3f6c1d52-8b0e-4a7d-9c41-5e2a70b9d8f4";

/** A conversation that is written row by row, and its captures. */
export interface Conversation {
  tree: MemoryTree;
  transcript: string;
  add(...rows: object[]): void;
  say(text: string, more?: object): void;
  capture(reply?: string, session?: string): Captured;
  /** The capsule that the last capture wrote. */
  text(): string;
  field(name: string): string;
  section(heading: string): string[];
}

export function user(content: unknown, more: object = {}): object {
  return { type: "user", timestamp: "2026-11-30T09:14:00Z", message: { role: "user", content }, ...more };
}

export function assistant(...content: object[]): object {
  return {
    type: "assistant",
    timestamp: "2026-11-30T09:15:00Z",
    message: { role: "assistant", model: "m", content },
  };
}

export function tool(name: string, input: object): object {
  return { type: "tool_use", id: "t", name, input };
}

export function failure(content: unknown): object {
  return user([{ type: "tool_result", tool_use_id: "t", is_error: true, content }]);
}

export function converse(tree: MemoryTree = newTree(), now: () => number = () => NOW): Conversation {
  const transcript = join(tree.base, `transcript-${Math.random().toString(36).slice(2)}.jsonl`);
  writeFileSync(transcript, "");
  let last: string | undefined;
  const conversation: Conversation = {
    tree,
    transcript,
    add: (...rows) => appendFileSync(transcript, rows.map((row) => `${JSON.stringify(row)}\n`).join("")),
    say: (text, more) => conversation.add(user(text, more)),
    capture: (reply, session = SESSION) => {
      const captured = captureDelta(
        tree,
        { session, transcript, lastAssistantMessage: reply },
        { clock: fixedClock(now()), patience: steadyPatience(100), mayGoOn: () => true },
      );
      last = captured.capsule ?? last;
      return captured;
    },
    text: () => textOf(tree, last ?? ""),
    field: (name) => new RegExp(`^${name}: (.*)$`, "m").exec(conversation.text())?.[1] ?? "",
    section: (heading) =>
      (conversation.text().split(`\n## ${heading}`)[1]?.split("\n## ")[0] ?? "")
        .split("\n")
        .filter((line) => line.startsWith("- ")),
  };
  return conversation;
}
