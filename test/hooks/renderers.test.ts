import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LifecycleEvent } from "../../src/core/boundary/event.ts";
import { PROVIDERS } from "../../src/core/lifecycle/providers-table.ts";
import { boundText, PRINT_BYTES, renderOutput } from "../../src/hooks/renderers.ts";

const KINDS: LifecycleEvent["kind"][] = [
  ...(["start", "prompt", "stop", "stop_failure", "compact", "compacted", "end"] as const),
  ...(["subagent_start", "subagent_stop", "notification", "other"] as const),
];

function event(provider: string, kind: LifecycleEvent["kind"], subagent = false): LifecycleEvent {
  return { provider, kind, name: kind, subagent, provesCompaction: false };
}

describe("what a hook prints", () => {
  it("is plain text, for Claude Code's start and compaction alone", () => {
    const printed = PROVIDERS.flatMap(({ id }) =>
      KINDS.filter((kind) => renderOutput(event(id, kind), "text\n") !== "").map((kind) => `${id} ${kind}`),
    );
    expect(printed).toEqual(["claude-code start", "claude-code compact"]);
    expect(renderOutput(event("claude-code", "start"), "text\n")).toBe("text\n");
  });

  it("is nothing without text, for a sub-agent and for a made-up provider", () => {
    expect(renderOutput(event("claude-code", "start"), undefined)).toBe("");
    expect(renderOutput(event("claude-code", "start", true), "text")).toBe("");
    expect(renderOutput(event("constructor", "start"), "text")).toBe("");
  });

  it("stays within the provider's limit", () => {
    const text = "日本語の行\n".repeat(2000);
    const printed = renderOutput(event("claude-code", "start"), text);
    expect(Buffer.byteLength(printed)).toBeLessThanOrEqual(PRINT_BYTES);
    expect(printed.split("\n").at(-1)).toMatch(/^… \d+ more lines withheld$/);
  });
});

describe("bounding a text", () => {
  it("leaves a text that fits", () => {
    expect(boundText("a\nb\n", 4)).toBe("a\nb\n");
  });

  it("cuts at a line's end and counts what is missing", () => {
    expect(boundText(`${"x".repeat(20)}\n`.repeat(5), 70)).toBe(
      `${"x".repeat(20)}\n${"x".repeat(20)}\n… 3 more lines withheld`,
    );
    expect(boundText(`${"x".repeat(20)}\n`.repeat(5), 92)).toBe(
      `${`${"x".repeat(20)}\n`.repeat(3)}… 2 more lines withheld`,
    );
  });

  it("counts one line as one", () => {
    expect(boundText(`${"a".repeat(40)}\n${"b".repeat(60)}`, 80)).toBe(
      `${"a".repeat(40)}\n… 1 more line withheld`,
    );
  });

  it("cuts a single long line between characters", () => {
    expect(boundText("🌊".repeat(100), 42)).toBe(`${"🌊".repeat(9)}…\n`);
  });

  it("accounts for every line, within the limit, on whole characters", () => {
    const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 40 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 64, max: 600 }), (lines, maximum) => {
        const text = lines.map((line) => line.replaceAll(/[\r\n\ufffd]/gu, " ")).join("\n");
        const bounded = boundText(text, maximum);
        expect(Buffer.byteLength(bounded)).toBeLessThanOrEqual(maximum);
        expect(bounded).not.toContain("\uFFFD");
        if (bounded === text) return;
        const all = text.replace(/\n+$/, "").split("\n");
        const kept = bounded.split("\n");
        const withheld = Number(/^… (\d+) more/.exec(kept.at(-1) ?? "")?.[1] ?? "0");
        expect(kept.length - 1 + withheld).toBe(all.length);
      }),
    );
  });
});
