import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { composeCompactionNote } from "../../../src/core/capsule/note.ts";
import { put, textOf } from "./support/memory.ts";
import { converse, SESSION } from "./autosave/support.ts";

describe("the table of contents before a compaction", () => {
  it("is of this very session's capsule, whatever the pointer on disk names", () => {
    const mine = converse();
    mine.say("Keep this one over the compaction");
    mine.capture();
    const others = converse(mine.tree);
    others.say("Another session has another aim");
    others.capture(undefined, "another-session");
    writeFileSync(mine.tree.bodyState, JSON.stringify({ state: { last_capsule: { path: "another" } } }));
    const note = composeCompactionNote(mine.tree, SESSION, "flushed");
    expect(note).toContain('objective: "Keep this one over the compaction"');
    expect(note).not.toContain("another");
    expect(composeCompactionNote(mine.tree, "never-seen", "unobservable")).toMatch(/none yet\. \/resume/);
  });

  it("tells the rows that wait, never an anchor, and announces what it cuts", () => {
    const talk = converse();
    talk.say("Keep this one over the compaction");
    const { capsule = "" } = talk.capture();
    const gates = Array.from({ length: 30 }, (_, index) => `- gate ${index} ${"x".repeat(300)}`).join("\n");
    put(
      talk.tree,
      capsule,
      textOf(talk.tree, capsule).replace("<!-- swe:gates -->", `<!-- swe:gates -->\n${gates}`),
    );
    const note = composeCompactionNote(talk.tree, SESSION, "current");
    expect(note).not.toContain("swe:gates");
    expect(note).toContain('  - "gate 0 ');
    expect(note).toMatch(/\(2\d more row\(s\) in the capsule\)/);
    expect(note.length).toBeLessThanOrEqual(6000);
    put(talk.tree, capsule, "torn");
    expect(composeCompactionNote(talk.tree, SESSION, "failed")).toContain("could not be read");
  });
});
