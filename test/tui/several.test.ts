import { describe, expect, it } from "vitest";
import { widthOf } from "../../src/tui/cells.ts";
import { VIEWS } from "../../src/tui/places.ts";
import { ROOT } from "../support/console-answers.ts";
import { SELECTION } from "../support/console-capsule-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import type { FakeDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";

const OTHER = "/home/mira/a-long-name";

function open(columns: number): Promise<FakeDesk> {
  return openDesk({}, { columns, rows: 36 }, [ROOT, OTHER]);
}

function screen(desk: FakeDesk): string {
  return consoleRows(desk, { several: true }).join("\n");
}

describe("several repositories", () => {
  it("have a column of their own, and are added up", async () => {
    const frame = screen(await open(160));
    expect(frame).toMatch(/│.app +● current +claude-code/u);
    expect(frame).toMatch(/│.a-long-name +● current +claude-code/u);
    expect(frame).toContain("started 96 = closed 82 + recovered 0 + open 14");
    expect(frame).toContain("2 repositories");
  });

  it("leave to every row what it says without them, however narrow the list is", async () => {
    for (const columns of [80, 120]) {
      const frame = screen(await open(columns));
      expect(frame, String(columns)).toMatch(/✕ worktree gone .*feat\/x +3h/u);
      expect(frame, String(columns)).toContain("task.checkpoint");
    }
  });

  it("say once why nothing can be resumed in any of them", async () => {
    const none = { ...SELECTION, capsule: null, total: 0, groups: [], unavailable: "no-capsules-dir" };
    const answers = {
      "capsule.select": none,
      "capsule.list": { schema: 1, memory: none.memory, total: 0, files: [] },
    };
    const desk = await openDesk(answers, { columns: 200, rows: 36 }, [ROOT, OTHER]);
    expect(screen(desk).split("no capsule was ever saved here")).toHaveLength(2);
  });

  it("fill every view exactly", async () => {
    const desk = await open(100);
    const odd = VIEWS.flatMap(({ digit }) => {
      desk.press(digit);
      return consoleRows(desk, { several: true }).filter(
        (row) => /^[┌│└]/u.test(row) && widthOf(row) !== 100,
      );
    });
    expect(odd).toEqual([]);
  });

  it("do not name the lines of a text, nor those of the episode beside them", async () => {
    const desk = await open(160);
    desk.press("8");
    expect(screen(desk)).toMatch(/│ ## Majordomus — what/u);
  });
});
