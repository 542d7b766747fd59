import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cursorPath } from "../../../../src/core/capsule/autosave/session-token.ts";
import { assistant, converse, SESSION, user } from "./support.ts";
import type { Conversation } from "./support.ts";

const claim = (id: string, task: string): object =>
  assistant({ type: "tool_use", id, name: "board_claim", input: { task_id: task } });
const result = (id: string, failed: boolean): object =>
  user([{ type: "tool_result", tool_use_id: id, is_error: failed, content: failed ? "refused" : "yours" }]);

/** A conversation whose stretches are captured one after the other. */
function take(...stretches: object[][]): Conversation {
  const talk = converse();
  for (const rows of stretches) {
    talk.add(...rows);
    talk.capture();
  }
  return talk;
}

const rowsOf = (talk: Conversation): string[] =>
  talk.section("Claimed-Rows").map((line) => line.replace(" (re-verify before relying on it)", ""));

describe("a claim whose result is an error", () => {
  it.each<[string, object[][]]>([
    ["in its own stretch", [[claim("a", "T-1"), result("a", true)]]],
    ["in the next stretch", [[claim("a", "T-1")], [result("a", true)]]],
    [
      "some stretches later",
      [[claim("a", "T-1")], [user("go on with the other thing")], [result("a", true)]],
    ],
    [
      "twice over stretches",
      [[claim("a", "T-1")], [claim("b", "T-1"), result("a", true)], [result("b", true)]],
    ],
  ])("is none: %s", (_, stretches) => {
    const talk = take([user("Look after the billing page")], ...stretches);
    expect(rowsOf(talk)).toEqual([]);
    expect(talk.field("captured")).toBe("partial");
    expect(talk.field("next_valid_action")).toBe('"No concrete next action was captured"');
    expect(talk.section("Historical-Errors")[0]).toContain("refused");
  });

  it.each<[string, object[][]]>([
    [
      "a claim that came to a good end",
      [[claim("a", "T-1"), result("a", false)], [claim("b", "T-1")], [result("b", true)]],
    ],
    [
      "one in the same stretch",
      [[claim("a", "T-1"), claim("b", "T-1"), result("a", true), result("b", false)]],
    ],
    ["one that is still open", [[claim("a", "T-1"), claim("b", "T-1")], [result("a", true)]]],
    [
      "a later one that came to a good end",
      [[claim("a", "T-1")], [claim("b", "T-1"), result("b", false), result("a", true)]],
    ],
    ["one whose call's id was used again", [[claim("a", "T-1"), claim("a", "T-2")], [result("a", false)]]],
    ["one without a call's id", [[claim(5 as unknown as string, "T-1")], [result("a", true)]]],
  ])("does not take %s with it", (_, stretches) => {
    expect(rowsOf(take(...stretches))).toContain("- T-1");
  });

  it("is none where it is read once more without a cursor", () => {
    const talk = take([user("Look after the billing page"), claim("a", "T-1"), claim("b", "T-2")]);
    rmSync(cursorPath(talk.tree, SESSION));
    talk.add(result("a", true), result("b", false));
    talk.capture();
    expect(rowsOf(talk)).toEqual(["- T-2"]);
  });

  it("leaves the other claims of its stretch", () => {
    const talk = take([claim("a", "T-1"), claim("b", "T-2"), result("a", true), result("b", false)]);
    expect(rowsOf(talk)).toEqual(["- T-2"]);
    expect(talk.field("next_valid_action")).toContain("row(s) T-2 against");
  });

  it("is remembered within bounds", () => {
    const many = Array.from({ length: 80 }, (_, number) => claim(`c${number}`, `T-${number}`));
    const talk = take(
      many,
      many.map((_, number) => result(`c${number}`, true)),
    );
    expect(rowsOf(talk)).toEqual(["- (30 more claims, not kept)"]);
  });
});
