import fc from "fast-check";
import { HOOKED_EVENTS } from "../../../src/core/installation/claude-hooks.ts";

/** Settings as people, editors and other programs write them: foreign hooks, unknown keys, any layout. */

const word = fc.constantFrom("permissions", "env", "model", "hooksStyle", "日本", "a b", 'q"uote');
const command = fc.constantFrom(
  "echo hi",
  "/usr/bin/env true",
  "node /opt/other/hook.js claude-code Stop",
  "",
);

const handler = fc.record(
  { type: fc.constant("command"), command, timeout: fc.nat(60) },
  { requiredKeys: ["type"] },
);
const group = fc.oneof(
  { weight: 5, arbitrary: fc.record({ matcher: word, hooks: fc.array(handler) }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
);
const event = fc.constantFrom(...HOOKED_EVENTS.map((hooked) => hooked.event), "PreToolUse");
const hooks = fc.dictionary(event, fc.array(group, { maxLength: 3 }), { maxKeys: 4 });

/** A settings object; with hooks in two of three. */
export const settingsValues = fc
  .tuple(
    fc.dictionary(word, fc.jsonValue({ maxDepth: 2 })),
    fc.option(hooks, { freq: 3, nil: undefined }),
    fc.boolean(),
  )
  .map(([rest, own, first]) => {
    if (own === undefined) return rest;
    return first ? { hooks: own, ...rest } : { ...rest, hooks: own };
  });

const indents = fc.constantFrom<string | number>(0, 1, 2, 3, 4, 8, "\t");

/** One way of writing a value down. */
export interface Layout {
  text: string;
  mark: string;
}

/** The same value as text in some layout, without a mark. */
export function laidOut(value: fc.Arbitrary<unknown>): fc.Arbitrary<Layout> {
  return fc
    .tuple(
      value,
      indents,
      fc.constantFrom("\n", "\r\n"),
      fc.constantFrom("", "\n", "\n\n", " "),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([settings, indent, newline, end, airy, marked]) => {
      const lines = JSON.stringify(settings, null, indent).replaceAll("\n", newline);
      const text = airy && indent === 0 ? spaced(settings) : lines;
      return { text: text + end.replaceAll("\n", newline), mark: marked ? "\uFEFF" : "" };
    });
}

/** On one line, with a blank after each comma and colon. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${spaced(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
