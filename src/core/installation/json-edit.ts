import { parseJson, type ArrayNode, type JsonNode, type ObjectNode } from "./json-tree.ts";

/**
 * Edits of a JSON text that leave every other byte alone. Each takes a whole text and gives a whole text;
 * what is added takes over the indentation, the line ends and the density of what is there.
 */

/** How a text is laid out. */
interface Style {
  unit: string;
  newline: "\n" | "\r\n";
  /** A blank stands after a colon. */
  airy: boolean;
}

interface Child {
  start: number;
  end: number;
}

/** Adds a member at the end of an object. */
export function appendMember(text: string, object: ObjectNode, key: string, value: unknown): string {
  return append(text, object, (layout) => `${JSON.stringify(key)}${layout.colon}${render(value, layout)}`);
}

/** Adds an item at the end of an array. */
export function appendItem(text: string, array: ArrayNode, value: unknown): string {
  return append(text, array, (layout) => render(value, layout));
}

/** Puts another value in a node's place. */
export function replaceNode(text: string, node: JsonNode, value: unknown): string {
  const old = text.slice(node.start, node.end);
  const indent = indentOfLine(text, node.start);
  const layout = layoutOf(text, old.includes("\n") ? indent : undefined);
  return splice(text, node.start, node.end, render(value, layout));
}

/** Takes a child out of its container, with the comma that goes with it. */
export function removeChild(text: string, container: ObjectNode | ArrayNode, index: number): string {
  const children = childrenOf(container);
  const child = children[index];
  if (child === undefined) return text;
  const previous = children[index - 1];
  const next = children[index + 1];
  if (previous !== undefined) return splice(text, previous.end, child.end, "");
  if (next !== undefined) return splice(text, child.start, next.start, "");
  return splice(text, container.start + 1, container.end - 1, "");
}

function childrenOf(container: ObjectNode | ArrayNode): Child[] {
  if (container.kind === "array") return container.items;
  return container.members.map((member) => ({ start: member.start, end: member.value.end }));
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** How a value is written at one place: over several lines from `indent` on, or on one line. */
interface Layout extends Style {
  indent: string | undefined;
  colon: string;
  comma: string;
}

function layoutOf(text: string, indent: string | undefined): Layout {
  const style = styleOf(text);
  const airy = indent !== undefined || style.airy;
  return { ...style, indent, colon: airy ? ": " : ":", comma: airy ? ", " : "," };
}

function append(
  text: string,
  container: ObjectNode | ArrayNode,
  renderChild: (layout: Layout) => string,
): string {
  const children = childrenOf(container);
  const last = children.at(-1);
  if (last !== undefined) {
    const lead = leadOf(text, children.at(-2)?.end ?? container.start + 1, last.start);
    const indent = lead.includes("\n") ? lead.slice(lead.lastIndexOf("\n") + 1) : undefined;
    return splice(text, last.end, last.end, `,${lead}${renderChild(layoutOf(text, indent))}`);
  }
  const { unit, newline } = styleOf(text);
  const outside = indentOfLine(text, container.start);
  if (!isSpread(text, container)) {
    return splice(text, container.start + 1, container.end - 1, renderChild(layoutOf(text, undefined)));
  }
  const inside = outside + unit;
  const child = renderChild(layoutOf(text, inside));
  return splice(
    text,
    container.start + 1,
    container.end - 1,
    `${newline}${inside}${child}${newline}${outside}`,
  );
}

/** The blanks before a child, which the next child shall have too. */
function leadOf(text: string, from: number, to: number): string {
  const between = text.slice(from, to);
  return between.slice(between.indexOf(",") + 1);
}

/** Whether an empty container's first child goes on a line of its own: as the whole text does, by itself alone yes. */
function isSpread(text: string, container: ObjectNode | ArrayNode): boolean {
  const alone = text.trim() === text.slice(container.start, container.end);
  return alone || text.trim().includes("\n");
}

function indentOfLine(text: string, offset: number): string {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? "";
}

function styleOf(text: string): Style {
  const firstBreak = text.indexOf("\n");
  const newline = firstBreak > 0 && text[firstBreak - 1] === "\r" ? "\r\n" : "\n";
  const parsed = parseJson(text);
  if (!parsed.ok) return { unit: "  ", newline, airy: true };
  const root = parsed.value;
  const first = root.kind === "object" ? root.members[0] : undefined;
  const airy = first === undefined || /\s$/.test(text.slice(first.start, first.value.start));
  return { unit: unitOf(text, root) ?? "  ", newline, airy };
}

/** One step of indentation: how much further the first spread-out child stands in than its container's line. */
function unitOf(text: string, node: JsonNode): string | undefined {
  if (node.kind === "scalar") return undefined;
  const first = childrenOf(node)[0];
  if (first === undefined) return undefined;
  if (text.slice(node.start, first.start).includes("\n")) {
    const outside = indentOfLine(text, node.start);
    const inside = indentOfLine(text, first.start);
    return inside.startsWith(outside) ? inside.slice(outside.length) : undefined;
  }
  const values = node.kind === "array" ? node.items : node.members.map((member) => member.value);
  for (const value of values) {
    const unit = unitOf(text, value);
    if (unit !== undefined) return unit;
  }
  return undefined;
}

function render(value: unknown, layout: Layout): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner: Layout = {
    ...layout,
    indent: layout.indent === undefined ? undefined : layout.indent + layout.unit,
  };
  const array = Array.isArray(value);
  const children = array
    ? value.map((item: unknown) => render(item, inner))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}${layout.colon}${render(item, inner)}`,
      );
  const [open, close] = array ? ["[", "]"] : ["{", "}"];
  if (children.length === 0) return open + close;
  if (inner.indent === undefined) return open + children.join(layout.comma) + close;
  const lead = `${layout.newline}${inner.indent}`;
  return `${open}${lead}${children.join(`,${lead}`)}${layout.newline}${layout.indent}${close}`;
}
