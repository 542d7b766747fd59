import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { HOOKED_EVENTS } from "../../../src/core/installation/claude-hooks.ts";
import { claude } from "../../scenario/support/hooks.ts";
import type { Place } from "../../scenario/support/place.ts";
import type { Before, Operation } from "./operations.ts";
import { makeScene } from "./scene.ts";

const SETTINGS = ".claude/settings.local.json";

/** What stands there already: another tool's hook, a key that nobody knows, an indentation of its own. */
const FOREIGN = `{
    "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "/opt/other/notify" }] }] },
    "unknownKey": [1, 2.50]
}`;

interface Settings {
  hooks: Record<string, { hooks: { command: string; args?: string[] }[] }[]>;
  unknownKey: unknown;
}

/** Whatever happens, the settings are the former ones or the new ones, whole. */
export function readInstalled(place: Place): Settings | undefined {
  const text = readFileSync(join(place.root, SETTINGS), "utf8");
  return text === FOREIGN ? undefined : (JSON.parse(text) as Settings);
}

function judgeInstalled(place: Place, before: Before): void {
  const settings = readInstalled(place);
  for (const { event } of HOOKED_EVENTS) {
    const entries = (settings?.hooks[event] ?? []).flatMap(({ hooks }) => hooks);
    const ours = entries.filter(({ args }) => args?.includes(event) === true);
    expect(ours, event).toHaveLength(1);
    expect(entries.length, event).toBe(event === "Stop" ? 2 : 1);
  }
  expect(settings?.unknownKey).toEqual([1, 2.5]);
  const exclude = readFileSync(join(place.root, ".git/info/exclude"), "utf8").split("\n");
  expect(exclude.filter((line) => line.includes("settings.local.json"))).toHaveLength(1);
  const ledger = readFileSync(join(place.root, ".ai/local/state/ledger.jsonl"), "utf8");
  expect(ledger.trimEnd().split("\n")).toEqual(before.ledger);
}

/** Installing hooks into settings that are somebody's already. */
export const INSTALL: Operation = {
  name: "install",
  isHook: false,
  prepare: () =>
    makeScene(async (place) => {
      await claude(place, "SessionStart", "bystander");
      mkdirSync(dirname(join(place.root, SETTINGS)), { recursive: true });
      writeFileSync(join(place.root, SETTINGS), FOREIGN);
      const ledger = readFileSync(join(place.root, ".ai/local/state/ledger.jsonl"), "utf8");
      return { ledger: ledger.trimEnd().split("\n") };
    }),
  perform: (place, actor) => actor.command(place, ["hooks", "install", "claude-code"]),
  judge: (found, before, place) => {
    judgeInstalled(place, before);
    expect([...found.open.keys()]).toEqual(["bystander"]);
  },
};
