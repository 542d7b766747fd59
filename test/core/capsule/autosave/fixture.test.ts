import { readFileSync } from "node:fs";
import { join } from "node:path";
import { appendFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validateCapsuleText } from "../../../../src/core/capsule/validate.ts";
import { select } from "../support/memory.ts";
import { converse } from "./support.ts";

const ROWS = readFileSync(
  join(import.meta.dirname, "../../../fixtures/payloads/claude-code/transcript.jsonl"),
  "utf8",
)
  .split("\n")
  .filter((row) => row !== "");

/** The rows of the recorded conversation, cut behind each row that ends a turn. */
function turns(): string[][] {
  const cut: string[][] = [[]];
  for (const row of ROWS) {
    cut.at(-1)?.push(row);
    if (row.includes('"subtype":"stop_hook_summary"') || row.includes("No reply was produced")) cut.push([]);
  }
  return cut.filter((rows) => rows.length > 0);
}

const FIRST =
  "Add jittered retry to the uploader and keep the old tests green. We decided yesterday: at most five tries.";

describe("a recorded conversation", () => {
  it("is captured turn by turn", () => {
    const talk = converse();
    const told = turns().map((rows, turn, all) => {
      appendFileSync(talk.transcript, rows.map((row) => `${row}\n`).join(""));
      const { outcome } = talk.capture();
      // After the last turn comes only the command that ends the program.
      expect(outcome).toBe(turn === all.length - 1 ? "noop:no-delta" : "flushed");
      return talk.field("objective");
    });
    expect(told).toEqual(
      [`"${FIRST}"`, `"${FIRST}"`, '"Go on with resume.ts."', '"Go on with resume.ts."'].slice(
        0,
        told.length,
      ),
    );
    expect(talk.section("Operating-Facts")).toEqual([`- first_request: "${FIRST}"`]);
    expect(
      talk
        .section("Done")
        .filter((line) => line.includes("[OPERATOR]"))
        .map((line) => line.slice(8)),
    ).toEqual([
      "[OPERATOR] Go on with resume.ts.",
      "[OPERATOR] /compact keep the open questions",
      "[OPERATOR] Now resume.ts.",
      "[OPERATOR] also cap the delay at 30 s",
      `[OPERATOR] ${FIRST}`,
    ]);
    expect(talk.section("Files-Read")).toEqual([
      "- MODIFIED /home/wren/src/tidepool/src/retry.ts",
      "- MODIFIED /home/wren/src/tidepool/src/uploader.ts",
    ]);
    expect(talk.section("Historical-Errors")).toEqual([
      "- 09:14 Exit code 1 FAIL uploader.test.ts > gives up after three tries (unresolved when captured)",
    ]);
    expect(talk.section("Claimed-Rows")).toEqual([]);
    const text = talk.text();
    for (const foreign of [
      "List every caller",
      "Summary of the work",
      "House book",
      "command-name",
      "request copies",
    ]) {
      expect(text).not.toContain(foreign);
    }
    expect(validateCapsuleText(text).problems).toEqual([]);
    expect(select(talk.tree).capsule?.placeholder).toBe(false);
  });

  it("captured row by row comes to the same as captured at once", () => {
    const slow = converse();
    for (const row of ROWS) {
      appendFileSync(slow.transcript, `${row}\n`);
      slow.capture();
    }
    const fast = converse();
    appendFileSync(fast.transcript, ROWS.map((row) => `${row}\n`).join(""));
    fast.capture();
    for (const field of ["objective", "next_valid_action", "captured"])
      expect(slow.field(field)).toBe(fast.field(field));
    for (const heading of ["Historical-Errors", "Operating-Facts", "Claimed-Rows"]) {
      expect(slow.section(heading)).toEqual(fast.section(heading));
    }
    const said = (talk: typeof slow): string[] => talk.section("Done").filter((line) => line.includes("["));
    expect(said(slow)).toEqual(said(fast));
  });
});
