import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOOKED_EVENTS, wantedGroups, type Launcher } from "../../../src/core/installation/claude-hooks.ts";
import { appendMember } from "../../../src/core/installation/json-edit.ts";
import { memberOf, parseJson } from "../../../src/core/installation/json-tree.ts";
import { checkSettings, findOurs } from "../../../src/core/installation/our-entries.ts";
import { mergeHooks, removeHooks } from "../../../src/hooks/installer/merge-hooks.ts";
import { laidOut, settingsValues } from "./settings-samples.ts";

const PROGRAM: Launcher = { kind: "program", interpreter: "/usr/bin/node", script: "/opt/x/bin/majordomus" };
const WANTED = wantedGroups(PROGRAM);
const EVENTS = HOOKED_EVENTS.map(({ event }) => event);

type Settings = Record<string, unknown> & { hooks?: Record<string, unknown[]> };

function read(text: string): Settings {
  return JSON.parse(text) as Settings;
}

function ours(text: string): string[] {
  const root = parseJson(text);
  return root.ok ? findOurs(root.value).map(({ event }) => event) : [];
}

/** The settings with our groups behind everything that is there. */
function expected(settings: Settings): Settings {
  const hooks = { ...settings.hooks };
  for (const [event, group] of WANTED) hooks[event] = [...(hooks[event] ?? []), group];
  return { ...settings, hooks };
}

const texts = laidOut(settingsValues).map(({ text }) => text);

describe("putting hooks into settings", () => {
  it("adds one group an event behind what is there, and nothing else", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const merged = read(mergeHooks(text, WANTED).text);
        expect(merged).toEqual(expected(read(text)));
        expect(Object.keys(merged).filter((key) => key !== "hooks")).toEqual(
          Object.keys(read(text)).filter((key) => key !== "hooks"),
        );
      }),
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const merged = mergeHooks(text, WANTED).text;
        expect(mergeHooks(merged, WANTED)).toEqual({ text: merged, made: { hooks: false, events: [] } });
      }),
    );
  });

  it("leaves no trace when it is undone", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { text: merged, made } = mergeHooks(text, WANTED);
        expect(removeHooks(merged, made)).toBe(text);
      }),
      { numRuns: 200 },
    );
  });

  it("leaves what somebody added since when it is undone", () => {
    const add = (text: string): string => {
      const root = parseJson(text);
      return root.ok && root.value.kind === "object" ? appendMember(text, root.value, "later", [1]) : text;
    };
    fc.assert(
      fc.property(texts, (text) => {
        const before = read(text);
        fc.pre(Object.keys(before).length > 0);
        const { text: merged, made } = mergeHooks(text, WANTED);
        expect(read(removeHooks(add(merged), made))).toEqual({ ...before, later: [1] });
        if (before.hooks !== undefined) expect(removeHooks(add(merged), made)).toBe(add(text));
      }),
    );
  });

  it("takes over an older installation in place, whatever stands around it", () => {
    const older: Launcher = {
      kind: "program",
      interpreter: "/old/node",
      script: "/old/majordomus/bin/majordomus",
    };
    fc.assert(
      fc.property(texts, (text) => {
        const old = mergeHooks(text, wantedGroups(older));
        const renewed = mergeHooks(old.text, WANTED).text;
        expect(renewed).toBe(mergeHooks(text, WANTED).text);
        expect(ours(renewed).toSorted()).toEqual(EVENTS.toSorted());
      }),
    );
  });

  it("writes as the file is written", () => {
    const tabs = '{\r\n\t"a": 1\r\n}';
    expect(mergeHooks(tabs, new Map([["Stop", { hooks: [] }]])).text).toBe(
      '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{\r\n\t\t\t\t"hooks": []\r\n\t\t\t}\r\n\t\t]\r\n\t}\r\n}',
    );
    expect(mergeHooks('{"a":1}', new Map([["Stop", { hooks: [] }]])).text).toBe(
      '{"a":1,"hooks":{"Stop":[{"hooks":[]}]}}',
    );
    expect(mergeHooks('{ "a": 1 }', new Map([["Stop", { hooks: [] }]])).text).toBe(
      '{ "a": 1, "hooks": {"Stop": [{"hooks": []}]} }',
    );
    expect(mergeHooks("{}\n", new Map([["Stop", { hooks: [] }]])).text).toBe(
      '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n',
    );
  });
});

describe("entries of ours among others", () => {
  const group = WANTED.get("Stop");
  const foreign = { type: "command", command: "echo mine" };
  const text = (stop: unknown[], rest: object = {}): string =>
    JSON.stringify({ hooks: { Stop: stop, ...rest } }, null, 2);

  it("become one where there are several", () => {
    const merged = mergeHooks(text([group, { hooks: [foreign] }, group]), WANTED).text;
    expect(read(merged).hooks?.["Stop"]).toEqual([group, { hooks: [foreign] }]);
  });

  it("leave a group that somebody shares with them", () => {
    const shared = { matcher: "x", hooks: [foreign, group?.hooks[0]] };
    const merged = mergeHooks(text([shared]), WANTED).text;
    expect(read(merged).hooks?.["Stop"]).toEqual([{ matcher: "x", hooks: [foreign] }, group]);
  });

  it("get their time limit, matcher and program renewed", () => {
    const narrow = { ...WANTED.get("SessionStart"), matcher: "startup" };
    const merged = mergeHooks(JSON.stringify({ hooks: { SessionStart: [narrow] } }), WANTED).text;
    expect(read(merged).hooks?.["SessionStart"]).toEqual([WANTED.get("SessionStart")]);
  });

  it("go where an event is no longer wanted", () => {
    const tool = {
      hooks: [
        {
          ...group?.hooks[0],
          args: ["/opt/x/bin/majordomus", "hook", "PreToolUse", "--provider", "claude-code"],
        },
      ],
    };
    const merged = mergeHooks(text([], { PreToolUse: [tool] }), WANTED).text;
    expect(read(merged).hooks).not.toHaveProperty("PreToolUse");
    expect(ours(merged).toSorted()).toEqual(EVENTS.toSorted());
  });

  it("go without a record of what was made, and take with them what they leave empty", () => {
    expect(removeHooks(text([group]), undefined)).toBe("{}");
    expect(read(removeHooks(text([{ hooks: [foreign] }, group]), undefined))).toEqual({
      hooks: { Stop: [{ hooks: [foreign] }] },
    });
  });

  it("leave empty containers that were there before", () => {
    const made = { hooks: false, events: [] };
    expect(read(removeHooks(text([group]), made))).toEqual({ hooks: { Stop: [] } });
  });
});

describe("judging settings", () => {
  it.each([
    ["[]", 1, 1, "not an object, which settings are"],
    ['"x"', 1, 1, "not an object, which settings are"],
    ['{\n "hooks": []\n}', 2, 11, '"hooks" is not an object'],
    ['{"hooks": null}', 1, 11, '"hooks" is not an object'],
    ['{"hooks": {"Stop": {}}}', 1, 20, 'the hooks of "Stop" are not an array'],
  ])("refuses %j", (text, line, column, message) => {
    expect(checkSettings(text)).toEqual({ ok: false, error: { line, column, message } });
  });

  it("finds the hooks that count", () => {
    const root = parseJson('{"hooks": 1, "hooks": {}}');
    expect(root.ok && memberOf(root.value, "hooks")?.value.kind).toBe("object");
  });
});
