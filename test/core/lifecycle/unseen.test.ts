import { describe, expect, it } from "vitest";
import type { JournalEntry } from "../../../src/core/journal/event-journal.ts";
import { unseenEvents } from "../../../src/core/lifecycle/unseen.ts";

function receipts(...events: string[]): JournalEntry[] {
  return events.map((text, index) => {
    const [event = "", source] = text.split(":");
    return {
      id: String(index),
      ts: "2026-09-04T12:00:00Z",
      provider: "claude-code",
      event,
      session: "abc",
      phase: "received",
      ...(source === undefined ? {} : { source }),
    };
  });
}

const of = (entries: JournalEntry[], worker: "alive" | "gone" | "unknown" = "alive") =>
  unseenEvents(entries, "claude-code", "abc", worker);

describe("unseenEvents", () => {
  it("misses nothing in an ordinary session", () => {
    expect(
      of(receipts("SessionStart:startup", "UserPromptSubmit", "Stop", "UserPromptSubmit", "Stop")),
    ).toEqual([]);
  });

  it("misses the end of a turn when the next prompt comes first", () => {
    expect(of(receipts("UserPromptSubmit", "UserPromptSubmit", "Stop"))).toEqual(["the end of 1 turn(s)"]);
  });

  it("takes a failed turn for an end of it", () => {
    expect(of(receipts("UserPromptSubmit", "StopFailure", "UserPromptSubmit", "Stop"))).toEqual([]);
  });

  it("misses a compaction that nobody announced, and not one that was announced", () => {
    expect(of(receipts("SessionStart:compact"))).toEqual(["the announcement of 1 compaction(s)"]);
    expect(of(receipts("PreCompact", "SessionStart:compact"))).toEqual([]);
  });

  it("misses the end of a session whose worker is gone", () => {
    expect(of(receipts("SessionStart:startup"), "gone")).toEqual(["the end of the session"]);
    expect(of(receipts("SessionStart:startup", "SessionEnd"), "gone")).toEqual([]);
    expect(of(receipts("SessionStart:startup"), "unknown")).toEqual([]);
  });

  it("counts only this session's receipts", () => {
    const others = receipts("UserPromptSubmit", "UserPromptSubmit").map((entry) => ({
      ...entry,
      session: "other",
    }));
    expect(of(others)).toEqual([]);
  });
});
