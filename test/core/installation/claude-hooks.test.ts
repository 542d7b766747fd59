import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  HOOKED_EVENTS,
  readOurHandler,
  splitWords,
  START_SOURCES,
  wantedGroups,
} from "../../../src/core/installation/claude-hooks.ts";
import { PAYLOADS } from "../../hooks/support/fixtures.ts";

const command = (line: string, args?: unknown): object => ({
  type: "command",
  command: line,
  ...(args !== undefined && { args }),
});
const ARGUMENTS = "hook Stop --provider claude-code";

describe("what is installed", () => {
  it("starts the program without a shell, for every event and every source", () => {
    const groups = wantedGroups({ kind: "program", interpreter: "/n/node", script: "/p/majordomus" });
    expect([...groups.keys()]).toEqual(HOOKED_EVENTS.map(({ event }) => event));
    expect(groups.get("SessionStart")).toEqual({
      matcher: "startup|resume|clear|compact|fork",
      hooks: [
        {
          type: "command",
          command: "/n/node",
          args: ["/p/majordomus", "hook", "SessionStart", "--provider", "claude-code"],
          timeout: 10,
        },
      ],
    });
    expect(groups.get("SessionEnd")?.hooks[0]?.timeout).toBe(10);
    expect(groups.get("Stop")).toEqual({ hooks: [expect.objectContaining({ timeout: 5 })] });
    expect(START_SOURCES).toHaveLength(5);
  });

  it("starts the project's shim by a shell that knows the project's directory", () => {
    const groups = wantedGroups({ kind: "shim" });
    expect(groups.get("Stop")?.hooks).toEqual([
      {
        type: "command",
        command: '"${CLAUDE_PROJECT_DIR}"/.claude/hooks/majordomus hook Stop --provider claude-code',
        timeout: 5,
      },
    ]);
  });
});

describe("telling our entries from others", () => {
  it.each([
    command("/n/node", ["/p/bin/majordomus", "hook", "Stop", "--provider", "claude-code"]),
    command("C:\\n\\node.exe", ["C:\\p\\majordomus.mjs", "hook", "Stop", "--provider", "claude-code"]),
    command(`'/n/node' '/p q/bin/majordomus' ${ARGUMENTS}`),
    command(`majordomus ${ARGUMENTS}`),
    command(`"\${CLAUDE_PROJECT_DIR}"/.claude/hooks/majordomus ${ARGUMENTS}`),
    command("/n/node", ["/home/w/.local/lib/majordomus/bin/hook.mjs", "claude-code", "Stop"]),
  ])("takes %j for ours", (handler) => {
    expect(readOurHandler(handler)).toBeDefined();
  });

  it("takes the installed script for ours, whatever its name", () => {
    const handler = command("/n/node", ["/p/launch", "hook", "Stop", "--provider", "claude-code"]);
    expect(readOurHandler(handler)).toBeUndefined();
    expect(readOurHandler(handler, "/p/launch")).toMatchObject({
      launcher: { kind: "program", interpreter: "/n/node", script: "/p/launch" },
    });
  });

  it("knows every entry of an older installation", () => {
    const { hooks } = JSON.parse(readFileSync(join(PAYLOADS, "claude-code/settings.hooks.json"), "utf8")) as {
      hooks: Record<string, { hooks: unknown[] }[]>;
    };
    const handlers = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));
    expect(handlers.map((handler) => readOurHandler(handler)).every(Boolean)).toBe(true);
  });

  it.each([
    null,
    7,
    "majordomus hook Stop --provider claude-code",
    [],
    {},
    command("majordomus"),
    command("majordomus hook Stop"),
    command("majordomus hook Stop --provider gemini-cli"),
    command("echo majordomus"),
    command(`notmajordomus ${ARGUMENTS}`),
    command(`/p/majordomus-other ${ARGUMENTS}`),
    command('"${CLAUDE_PROJECT_DIR}"/.claude/hooks/majordomus-session-start'),
    command("node", ["/opt/other/hook.js", "claude-code", "Stop"]),
    command("node", ["/p/majordomus", 7]),
    command("node", "majordomus hook Stop --provider claude-code"),
  ])("leaves %j to whoever wrote it", (handler) => {
    expect(readOurHandler(handler)).toBeUndefined();
  });

  it("splits a command line as a shell does", () => {
    expect(splitWords(`a 'b c' "d \\"e\\" $f" g\\ h ''  i"j"k`)).toEqual([
      "a",
      "b c",
      'd "e" $f',
      "g h",
      "",
      "ijk",
    ]);
    expect(splitWords(`unclosed "x y`)).toEqual(["unclosed", '"x', "y"]);
  });
});
