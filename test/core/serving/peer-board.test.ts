import { describe, expect, it } from "vitest";
import { PeerBoard } from "../../../src/core/serving/peer-board.ts";
import { countingRandom, testClock } from "../../support/checkout.ts";

function newBoard(): { board: PeerBoard; clock: ReturnType<typeof testClock> } {
  const clock = testClock("2026-09-04T12:00:00Z");
  return { board: new PeerBoard({ clock, random: countingRandom() }), clock };
}

describe("the board of peers", () => {
  it("gives a handle to whoever has none, and knows it again", () => {
    const { board } = newBoard();
    const first = board.announce({ text: "moving the parser", paths: ["src/parser"] });
    expect(first).toMatchObject({
      id: "p-00000001",
      connected: false,
      claims: [{ text: "moving the parser", paths: ["src/parser"], announced_at: "2026-09-04T12:00:00Z" }],
    });
    const again = board.announce({ id: first.id, text: "writing its tests" });
    expect(again.claims.map(({ text }) => text)).toEqual(["writing its tests", "moving the parser"]);
    expect(board.list()).toHaveLength(1);
  });

  it("keeps the newest five of each, says nothing twice, and takes all back for an empty text", () => {
    const { board } = newBoard();
    for (const text of ["1", "2", "3", "4", "5", "6", "4"]) board.announce({ id: "s-1", text });
    expect(board.list()[0]?.claims.map(({ text }) => text)).toEqual(["4", "6", "5", "3", "2"]);
    expect(board.announce({ id: "s-1", text: "" }).claims).toEqual([]);
  });

  it("forgets who was silent for a quarter of an hour, and keeps who is connected", () => {
    const { board, clock } = newBoard();
    const connected = board.attach({ name: "claude-code" });
    board.announce({ id: "s-silent", text: "here" });
    clock.forward(10);
    board.announce({ id: "s-lively", text: "here too" });
    clock.forward(10);
    expect(board.list().map(({ id }) => id)).toEqual(["s-lively", connected]);
    expect(board.list()[0]?.last_seen_seconds_ago).toBe(600);
    board.touch("s-lively");
    clock.forward(10);
    expect(board.list().map(({ id }) => id)).toEqual(["s-lively", connected]);
    board.detach(connected);
    expect(board.list().map(({ id }) => id)).toEqual(["s-lively"]);
  });

  it("keeps what somebody announced whose connection ended", () => {
    const { board } = newBoard();
    const id = board.attach({ name: "codex" });
    board.announce({ id, text: "at the reader" });
    board.detach(id);
    expect(board.list()).toMatchObject([
      { id, name: "codex", connected: false, claims: [{ text: "at the reader" }] },
    ]);
  });

  it("is bounded: of very many the one that was silent longest goes", () => {
    const { board } = newBoard();
    for (let number = 0; number < 250; number += 1) board.announce({ id: `s-${number}`, text: "x" });
    const ids = board.list().map(({ id }) => id);
    expect(ids).toHaveLength(200);
    expect(ids).not.toContain("s-49");
    expect(ids).toContain("s-50");
  });

  it("refuses what is too long", () => {
    const { board } = newBoard();
    expect(() => board.announce({ text: "é".repeat(201) })).toThrow("at most 200 characters");
    expect(board.announce({ text: "🜁".repeat(200) }).claims).toHaveLength(1);
    expect(() => board.announce({ text: "x", paths: Array.from({ length: 51 }, () => "p") })).toThrow(
      "at most 50 paths",
    );
  });
});
