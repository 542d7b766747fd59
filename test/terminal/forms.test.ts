import { beforeAll, describe, expect, it } from "vitest";
import { bundleConsole } from "../support/console-bundle.ts";
import { eventually, openConsole } from "../support/console-session.ts";

let program = "";
beforeAll(async () => {
  program = await bundleConsole();
});

describe("a form in a terminal", () => {
  it("takes five kilobytes at once, with line ends, tabs and escape sequences, and stores them clean", async () => {
    const written = { schema: 1, path: ".ai/local/state/handovers/new.md", moved: true, notes: [] };
    const answers = { "handover.write": { ...written, closed: false } };
    const session = await openConsole(program, { columns: 100, rows: 30, answers });
    await session.shows("s-…72ea");
    session.write("8");
    await session.shows("split the parser · debugging");
    session.write("nh");
    await session.shows("# Next Action");
    session.write("Split\u001B[B\u001B[B\u001B[B\u001B[B");
    const line =
      "a line of the handover\twith \u001B[31mred\u001B[0m, \u0007 and \u001B]52;c;AAAA\u0007 in it\n";
    session.write(`\u001B[200~${line.repeat(100)}\u001B[201~`);
    await session.shows("and  in it");
    session.write("\r\r\u0013");
    await session.shows("Write this handover?");
    expect(session.asked("handover.write")).toEqual([]);
    session.write("\r\r\r");
    await session.shows("wrote .ai/local/state/handovers/new.md");
    const [input] = session.asked("handover.write") as { body: string }[];
    expect(session.asked("handover.write")).toHaveLength(1);
    expect(input?.body).toContain("# Objective\nSplit\n\n# Next Action\n");
    expect(input?.body.split("a line of the handover\twith red,  and  in it\n")).toHaveLength(101);
    expect(input?.body).not.toMatch(/[^\P{Cc}\n\t]/u);
    expect(session.raw()).not.toContain("\u001B]52");
    session.write("q");
    await eventually(() => expect(session.exited()).toBe(0));
  });

  it("asks before it is forgotten, also when Ctrl-C ends the console", async () => {
    const session = await openConsole(program, { columns: 100, rows: 30 });
    await session.shows("s-…72ea");
    session.write("8");
    await session.shows("split the parser · debugging");
    session.write("nqhow many?");
    await session.shows("how many?█");
    session.write("\u0003");
    await session.shows("1 draft not stored.");
    session.write("\u0003");
    await eventually(() => expect(session.exited()).toBe(0));
    expect(session.asked("question.add")).toEqual([]);
  });
});
