import type { Launcher } from "../../core/installation/claude-hooks.ts";
import { memberOf, parseJson, valueOf, type JsonNode } from "../../core/installation/json-tree.ts";
import { commandOf, readOurStatusLine, statusLineCommand } from "../../core/installation/status-line.ts";
import { appendMember, removeChild, replaceNode } from "../../core/installation/json-edit.ts";

const KEY = "statusLine";

export interface MergedStatusLine {
  text: string;
  /** Why the status line was left as it is. */
  note?: string;
}

function settingIn(text: string): { root: JsonNode; setting: JsonNode | undefined } | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok) return undefined;
  return { root: parsed.value, setting: memberOf(parsed.value, KEY)?.value };
}

/**
 * Puts our status line into a settings text. One that stands there becomes the one that ours shows, and keeps its
 * other settings; one of a form that we do not know is left alone.
 */
export function mergeStatusLine(
  text: string,
  launcher: Extract<Launcher, { kind: "program" }>,
): MergedStatusLine {
  const found = settingIn(text);
  if (found?.root.kind !== "object") return { text };
  const { root, setting } = found;
  if (setting === undefined) {
    const value = { type: "command", command: statusLineCommand(launcher, undefined) };
    return { text: appendMember(text, root, KEY, value) };
  }
  const command = memberOf(setting, "command")?.value;
  const present = commandOf(valueOf(setting));
  if (command === undefined || present === undefined) {
    return { text, note: "its statusLine is of another form, and stays as it is" };
  }
  const ours = readOurStatusLine(valueOf(setting), launcher.script);
  const wanted = statusLineCommand(launcher, ours === undefined ? present : ours.delegate);
  return { text: wanted === present ? text : replaceNode(text, command, wanted) };
}

/** Whether a settings text has a status line of ours. */
export function hasOurStatusLine(text: string, script: string): boolean {
  const setting = settingIn(text)?.setting;
  return setting !== undefined && readOurStatusLine(valueOf(setting), script) !== undefined;
}

/** Takes our status line out of a settings text; the one that it showed stands there again. */
export function removeStatusLine(text: string, script: string): string {
  const found = settingIn(text);
  if (found?.root.kind !== "object" || found.setting === undefined) return text;
  const { root, setting } = found;
  const ours = readOurStatusLine(valueOf(setting), script);
  if (ours === undefined) return text;
  const command = memberOf(setting, "command")?.value;
  if (ours.delegate !== undefined && command !== undefined) return replaceNode(text, command, ours.delegate);
  return removeChild(
    text,
    root,
    root.members.findLastIndex((member) => member.key === KEY),
  );
}
