import { isDeepStrictEqual } from "node:util";
import type { HookGroup } from "../../core/installation/claude-hooks.ts";
import { checkSettings, findOurs } from "../../core/installation/our-entries.ts";
import { memberOf, type ArrayNode, type JsonNode } from "../../core/installation/json-tree.ts";
import { appendItem, appendMember, removeChild, replaceNode } from "../../core/installation/json-edit.ts";

/** The containers in a settings file that an installation of ours made, and may take away again. */
export interface MadeContainers {
  hooks: boolean;
  events: string[];
}

export interface Merged {
  text: string;
  made: MadeContainers;
}

function rootOf(text: string): JsonNode {
  const checked = checkSettings(text);
  if (!checked.ok) throw new TypeError(checked.error.message);
  return checked.value;
}

function eventArray(root: JsonNode, event: string): ArrayNode | undefined {
  const hooks = memberOf(root, "hooks")?.value;
  const groups = hooks === undefined ? undefined : memberOf(hooks, event)?.value;
  return groups?.kind === "array" ? groups : undefined;
}

/**
 * Puts the wanted groups into a settings text: one entry of ours for each event, foreign entries untouched and
 * in their places, an older entry of ours replaced where it stands. A text that has all of it is given back.
 *
 * @param text must have passed `checkSettings`.
 */
export function mergeHooks(text: string, wanted: ReadonlyMap<string, HookGroup>, script?: string): Merged {
  const made: MadeContainers = { hooks: false, events: [] };
  const root = rootOf(text);
  if (memberOf(root, "hooks") === undefined && root.kind === "object") {
    const hooks = Object.fromEntries([...wanted].map(([event, group]) => [event, [group]]));
    return {
      text: appendMember(text, root, "hooks", hooks),
      made: { hooks: true, events: [...wanted.keys()] },
    };
  }
  const stale = new Set(findOurs(root, script).map(({ event }) => event));
  let merged = text;
  for (const [event, group] of wanted) {
    stale.delete(event);
    if (eventArray(rootOf(merged), event) === undefined) made.events.push(event);
    merged = settleEvent(merged, event, group, script);
  }
  for (const event of stale) merged = dropEmptied(dropOurs(merged, event, script), [event], undefined);
  return { text: merged, made };
}

function settleEvent(text: string, event: string, group: HookGroup, script: string | undefined): string {
  const root = rootOf(text);
  const ours = findOurs(root, script).filter((found) => found.event === event);
  if (ours.length === 1 && isDeepStrictEqual(ours[0]?.value, group)) return text;
  const keeper = ours.find((found) => !found.shared);
  const groups = eventArray(root, event);
  if (keeper !== undefined && groups !== undefined) {
    const kept = groups.items[keeper.group];
    const replaced = kept === undefined ? text : replaceNode(text, kept, group);
    return dropOurs(replaced, event, script, keeper.group);
  }
  return appendGroup(dropOurs(text, event, script), event, group);
}

function appendGroup(text: string, event: string, group: HookGroup): string {
  const root = rootOf(text);
  const groups = eventArray(root, event);
  if (groups !== undefined) return appendItem(text, groups, group);
  const hooks = memberOf(root, "hooks")?.value;
  return hooks?.kind === "object" ? appendMember(text, hooks, event, [group]) : text;
}

/** Takes out an event's handlers of ours, last first so that places stay true, and groups that they leave empty. */
function dropOurs(text: string, event: string, script: string | undefined, keptGroup?: number): string {
  const found = findOurs(rootOf(text), script).filter(
    (ours) => ours.event === event && ours.group !== keptGroup,
  );
  return found.toReversed().reduce((left, ours) => {
    const groups = eventArray(rootOf(left), event);
    const group = groups?.items[ours.group];
    const handlers = group === undefined ? undefined : memberOf(group, "hooks")?.value;
    if (groups === undefined || handlers?.kind !== "array") return left;
    return handlers.items.length === 1
      ? removeChild(left, groups, ours.group)
      : removeChild(left, handlers, ours.handler);
  }, text);
}

/**
 * Takes every entry of ours out of a settings text.
 *
 * @param made what our installation made, where that is known; otherwise what it leaves empty is taken for ours.
 */
export function removeHooks(text: string, made: MadeContainers | undefined, script?: string): string {
  const events = [...new Set(findOurs(rootOf(text), script).map(({ event }) => event))];
  const bare = events.reduce((left, event) => dropOurs(left, event, script), text);
  return dropEmptied(bare, events, made);
}

function dropEmptied(text: string, events: readonly string[], made: MadeContainers | undefined): string {
  let left = text;
  for (const event of events) {
    const hooks = memberOf(rootOf(left), "hooks")?.value;
    const empty = eventArray(rootOf(left), event)?.items.length === 0;
    if (hooks?.kind !== "object" || !empty || made?.events.includes(event) === false) continue;
    left = removeChild(
      left,
      hooks,
      hooks.members.findLastIndex((member) => member.key === event),
    );
  }
  const root = rootOf(left);
  const hooks = memberOf(root, "hooks")?.value;
  const emptied = events.length > 0 && hooks?.kind === "object" && hooks.members.length === 0;
  if (root.kind !== "object" || !emptied || made?.hooks === false) return left;
  return removeChild(
    left,
    root,
    root.members.findLastIndex((member) => member.key === "hooks"),
  );
}
