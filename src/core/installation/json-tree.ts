import { failed, ok, type Result } from "../base/result.ts";

/** A JSON text with the place of every value in it, so that it can be edited without being written anew. */
export interface ObjectNode {
  kind: "object";
  start: number;
  end: number;
  members: Member[];
}

export interface ArrayNode {
  kind: "array";
  start: number;
  end: number;
  items: JsonNode[];
}

export interface ScalarNode {
  kind: "scalar";
  start: number;
  end: number;
  value: string | number | boolean | null;
}

export type JsonNode = ObjectNode | ArrayNode | ScalarNode;

export interface Member {
  key: string;
  /** Where the key's quote opens; the member ends with its value. */
  start: number;
  value: JsonNode;
}

/** Where a text is not strict JSON. Line and column count from 1, in characters as an editor does. */
export interface JsonFault {
  line: number;
  column: number;
  message: string;
}

const DEEPEST = 200;
const BLANKS = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORDS: Readonly<Record<string, { text: string; value: boolean | null }>> = {
  t: { text: "true", value: true },
  f: { text: "false", value: false },
  n: { text: "null", value: null },
};

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

/** Parses strict JSON: no comments, no trailing commas, one value. */
export function parseJson(text: string): Result<JsonNode, JsonFault> {
  try {
    const parser = new Parser(text);
    return ok(parser.document());
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return failed({ ...placeOf(text, error.offset), message: error.message });
  }
}

/** Line and column of an offset. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: Array.from(before.slice(lineStart)).length + 1 };
}

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonNode {
    const node = this.#value(0);
    this.#skipBlanks();
    if (this.#at < this.#text.length) throw this.#unexpected("the end of the file");
    return node;
  }

  #value(depth: number): JsonNode {
    this.#skipBlanks();
    const start = this.#at;
    const character = this.#text[start];
    if (depth > DEEPEST) throw new Fault(start, `values nested more than ${DEEPEST} deep`);
    if (character === "{") return this.#object(depth);
    if (character === "[") return this.#array(depth);
    if (character === '"') return { kind: "scalar", start, value: this.#string(), end: this.#at };
    const word = WORDS[character ?? ""];
    if (word !== undefined && this.#text.startsWith(word.text, start)) {
      this.#at += word.text.length;
      return { kind: "scalar", start, end: this.#at, value: word.value };
    }
    NUMBER.lastIndex = start;
    const digits = NUMBER.exec(this.#text)?.[0];
    if (digits === undefined) throw this.#unexpected("a value");
    this.#at += digits.length;
    return { kind: "scalar", start, end: this.#at, value: Number(digits) };
  }

  #object(depth: number): ObjectNode {
    const start = this.#at;
    const members: Member[] = [];
    this.#list("}", () => {
      this.#skipBlanks();
      const at = this.#at;
      if (this.#text[at] !== '"') throw this.#unexpected("a key in double quotes");
      const key = this.#string();
      this.#skipBlanks();
      if (this.#text[this.#at] !== ":") throw this.#unexpected("a colon");
      this.#at += 1;
      members.push({ key, start: at, value: this.#value(depth + 1) });
    });
    return { kind: "object", start, end: this.#at, members };
  }

  #array(depth: number): ArrayNode {
    const start = this.#at;
    const items: JsonNode[] = [];
    this.#list("]", () => items.push(this.#value(depth + 1)));
    return { kind: "array", start, end: this.#at, items };
  }

  #list(closing: "}" | "]", item: () => void): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#text[this.#at] === closing) {
      this.#at += 1;
      return;
    }
    for (;;) {
      item();
      this.#skipBlanks();
      const character = this.#text[this.#at];
      if (character !== "," && character !== closing) throw this.#unexpected(`a comma or ${closing}`);
      this.#at += 1;
      if (character === closing) return;
    }
  }

  #string(): string {
    const start = this.#at;
    const text = this.#text;
    let close = text.indexOf('"', start + 1);
    while (close >= 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
    this.#at = close < 0 ? text.length : close + 1;
    const raw = text.slice(start, this.#at);
    // A control character is a line that ended inside the string, most often for want of a quote.
    // oxlint-disable-next-line no-control-regex
    const broken = raw.search(/[\u0000-\u001f]/);
    if (broken >= 0 || close < 0) {
      throw new Fault(broken < 0 ? text.length : start + broken, "a string that does not end");
    }
    if (!raw.includes("\\")) return raw.slice(1, -1);
    try {
      return JSON.parse(raw) as string;
    } catch {
      throw new Fault(start, "a string with an escape that does not exist");
    }
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#at;
    BLANKS.exec(this.#text);
    this.#at = BLANKS.lastIndex;
  }

  #unexpected(wanted: string): Fault {
    const rest = this.#text.slice(this.#at);
    if (rest === "") return new Fault(this.#at, `the file ends where ${wanted} was expected`);
    if (/^\/[/*]/.test(rest)) return new Fault(this.#at, "a comment, which JSON does not have");
    const found = JSON.stringify(String.fromCodePoint(rest.codePointAt(0) ?? 0));
    return new Fault(this.#at, `${found} where ${wanted} was expected`);
  }
}

/** True when an odd number of backslashes stands before an offset. */
function isEscaped(text: string, offset: number): boolean {
  let first = offset;
  while (text[first - 1] === "\\") first -= 1;
  return (offset - first) % 2 === 1;
}

/** The value that a node stands for. Of a key that is there twice the last one counts, as everywhere. */
export function valueOf(node: JsonNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(valueOf);
  return Object.fromEntries(node.members.map((member) => [member.key, valueOf(member.value)]));
}

/** The member that counts under this key. */
export function memberOf(node: JsonNode, key: string): Member | undefined {
  return node.kind === "object" ? node.members.findLast((member) => member.key === key) : undefined;
}
