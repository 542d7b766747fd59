import { failed, ok, type Result } from "../base/result.ts";
import { readOurHandler, type OurHandler } from "./claude-hooks.ts";
import { memberOf, parseJson, placeOf, valueOf, type JsonFault, type JsonNode } from "./json-tree.ts";

/** One of our handlers, and where it stands. */
export interface Occurrence {
  event: string;
  group: number;
  handler: number;
  ours: OurHandler;
  /** The group as it stands there. */
  value: unknown;
  /** The group holds other programs' handlers too. */
  shared: boolean;
}

/** Where a settings text has something else than hooks need. */
export function checkSettings(text: string): Result<JsonNode, JsonFault> {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const root = parsed.value;
  const wrong = (node: JsonNode, message: string): Result<JsonNode, JsonFault> =>
    failed({ ...placeOf(text, node.start), message });
  if (root.kind !== "object") return wrong(root, "not an object, which settings are");
  const hooks = memberOf(root, "hooks")?.value;
  if (hooks === undefined) return ok(root);
  if (hooks.kind !== "object") return wrong(hooks, '"hooks" is not an object');
  const odd = hooks.members.find((member) => member.value.kind !== "array");
  return odd === undefined
    ? ok(root)
    : wrong(odd.value, `the hooks of ${JSON.stringify(odd.key)} are not an array`);
}

/** Every handler of ours, in the order of the file. */
export function findOurs(root: JsonNode, script?: string): Occurrence[] {
  const hooks = memberOf(root, "hooks")?.value;
  if (hooks?.kind !== "object") return [];
  const events = hooks.members.filter((member) => memberOf(hooks, member.key) === member);
  return events.flatMap(({ key: event, value }) => {
    if (value.kind !== "array") return [];
    return value.items.flatMap((item, group) => {
      const handlers = memberOf(item, "hooks")?.value;
      if (handlers?.kind !== "array") return [];
      const read = handlers.items.map((handler) => readOurHandler(valueOf(handler), script));
      const shared = read.some((ours) => ours === undefined);
      return read.flatMap((ours, handler) =>
        ours === undefined ? [] : [{ event, group, handler, ours, value: valueOf(item), shared }],
      );
    });
  });
}
