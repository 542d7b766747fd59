import { describe, expect, it } from "vitest";
import { justCleared } from "../../../src/core/boundary/capsule-wait.ts";
import type { JournalEntry } from "../../../src/core/journal/event-journal.ts";

const NOW = Date.parse("2026-11-30T12:00:10Z");

function ended(session: string, more: Partial<JournalEntry> = {}): JournalEntry {
  return {
    id: session,
    ts: "2026-11-30T12:00:05Z",
    provider: "claude-code",
    event: "SessionEnd",
    session,
    reason: "clear",
    phase: "received",
    ...more,
  };
}

describe("the session that a clear ended just now", () => {
  const of = (...entries: JournalEntry[]): string[] =>
    justCleared(entries, { provider: "claude-code", session: "new" }, NOW);

  it("is the one whose end stands in the journal, the newest first", () => {
    expect(of(ended("a"), ended("b"), ended("a", { phase: "outcome" }))).toEqual(["b", "a"]);
  });

  it.each([
    { ts: "2026-11-30T11:59:59Z" },
    { reason: "logout" },
    { provider: "codex" },
    { phase: "outcome" as const },
    { session: "new" },
  ])("is nobody with %j", (more) => {
    expect(of(ended("a", more))).toEqual([]);
  });
});
