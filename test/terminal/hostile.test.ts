import { beforeAll, describe, expect, it } from "vitest";
import {
  EPISODES,
  episode,
  episodesAnswer,
  historyAnswer,
  historyLines,
  STATE,
} from "../support/console-answers.ts";
import { bundleConsole } from "../support/console-bundle.ts";
import { eventually, openConsole } from "../support/console-session.ts";
import { STATUS } from "../support/console-sync-answers.ts";
import type { ConsoleSession } from "../support/console-session.ts";

let program = "";
beforeAll(async () => {
  program = await bundleConsole();
});

const HOSTILE = [
  "\u001B[2J\u001B[H\u001B[31mred",
  "\u001B]52;c;cm0gLXJm\u0007clipboard",
  "\u009D0;title\u009C",
  "\u001B]8;;http://evil\u0007link",
  "bell\u0007 back\b tab\t return\r line\nend",
  "\u202Eevil\u202C \u2066isolate",
  "👨‍👩‍👧‍👦 family",
  "❤️‍🔥 ⚠️ ⏱️ 1️⃣",
  "👍🏽 🏳️‍🌈 🇩🇪 flags",
  "こんにちは世界 한국어",
  "e\u0301a\u0308\u0323\u0323 \u0301\u0301leading",
  "नमस्ते दुनिया",
  "שלום עולם مرحبا",
  "zero\u200Bwidth\uFEFF\u00AD soft",
  "\u{E0041}\u{E0042} tags",
  "\u0600\u06DD prepended",
  "\uD800 lone",
  "𝕳𝖊𝖑𝖑𝖔 ﷽",
];

/** The columns in which the borders of the panes stand, row by row. */
function borders(session: ConsoleSession): string[] {
  return session.rows().map((_, row) =>
    session
      .cells(row)
      .map((cell, column) => ("│┌┐└┘".includes(cell) && cell !== "" ? column : -1))
      .filter((column) => column >= 0)
      .join(","),
  );
}

describe("names from the disk", () => {
  it("cannot move, colour, copy or widen anything", async () => {
    const answers = {
      "lifecycle.episodes": episodesAnswer([
        ...EPISODES.slice(0, 1),
        ...HOSTILE.map((text, index) =>
          episode(String(2000 + index), {
            branch: text,
            provider: text,
            owner: text,
            note: text,
            tasks: [text],
          }),
        ),
      ]),
      "history.query": historyAnswer(
        historyLines(HOSTILE.length).map((line, index) => ({ ...line, summary: HOSTILE[index] ?? "" })),
      ),
      // A lineage is drawn with the lines that borders are made of.
      "continuity.status": { ...STATUS, lines: [] },
      "continuity.state": { ...STATE, branch: "\u001B]0;owned\u0007\u202Emain", blockers: HOSTILE },
    };
    const session = await openConsole(program, { columns: 120, rows: 50, answers });
    await session.shows("こんにちは");
    await session.shows("␛[2J");
    for (const keys of ["jjjjjjj", "2", "jjjjj", "7", "1"]) {
      session.write(keys);
      await session.drawn();
    }
    await session.shows("Stranded");
    await eventually(() => {
      const rows = borders(session);
      // Header, status, footer and the row below the frame have no border.
      const framed = rows.filter((row) => row !== "");
      expect(framed).toHaveLength(50 - 4);
      expect(new Set(framed)).toEqual(new Set(["0,59,60,119"]));
    });
    const raw = session.raw();
    expect(raw).not.toContain("\u001B]");
    expect(raw).not.toContain("\u0007");
    expect(raw).not.toMatch(/[\u0080-\u009F]|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}/u);
    expect(session.modes().bracketedPaste).toBe(true);
    session.write("q");
    await eventually(() => expect(session.exited()).toBe(0));
  });
});
