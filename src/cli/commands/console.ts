import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

/** How a frame is drawn, for both commands that draw one. */
const DRAWING = [
  { name: "once", summary: "print one frame and end" },
  { name: "plain", summary: "print plain lines, without boxes and escape sequences, and end" },
  { name: "ascii", summary: "draw with ASCII alone" },
  {
    name: "width",
    value: "columns",
    integer: { minimum: 20, maximum: 1000 },
    summary: "columns of the one frame",
  },
  { name: "height", value: "rows", integer: { minimum: 5, maximum: 1000 }, summary: "rows of the one frame" },
] as const;

const tui = defineCommand({
  path: ["tui"],
  summary: "the operator's console",
  arguments: [{ name: "dir", variadic: true, summary: "repositories to show; this one when none is given" }],
  options: DRAWING,
  run: async (invocation) => {
    const { openConsole } = await import("../actions/console.ts");
    return openConsole(invocation, invocation.arguments.dir, invocation.options);
  },
});

const demo = defineCommand({
  path: ["demo"],
  summary: "the console over an example repository, made for the occasion",
  options: [
    ...DRAWING,
    { name: "dir", value: "dir", summary: "make the example here; the directory must not exist or be empty" },
    { name: "keep", summary: "leave the example where it is" },
  ],
  run: async (invocation) => {
    const { openDemo } = await import("../actions/demo.ts");
    return openDemo(invocation, invocation.options);
  },
});

export const consoleCommands: readonly CommandDeclaration[] = [tui, demo];
