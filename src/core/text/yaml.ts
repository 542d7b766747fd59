import type { Alias, Document, Node } from "yaml";
import { isAlias, isMap, isScalar, isSeq, parseDocument } from "yaml";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { clip, inert } from "./inert.ts";
import { YAML_MAXIMUM_BYTES } from "./yaml-limit.ts";

const MAXIMUM_DEPTH = 32;
const MAXIMUM_VALUES = 20_000;
/** Aliases are looked up by walking the document: a handful is enough for a hand-written file. */
const MAXIMUM_ALIASES = 16;

export interface YamlOptions {
  /** Keeps a number as its text where reading it would lose digits, as in `1.10` or a commit id of digits. */
  exactNumbers?: boolean;
}

class Refusal extends Error {}

/** Turns a parsed document into values: no prototypes, no duplicate keys, bounded in depth and in size. */
class Reader {
  private readonly document: Document;
  private readonly exactNumbers: boolean;
  private values = 0;
  private aliases = 0;

  constructor(document: Document, options: YamlOptions) {
    this.document = document;
    this.exactNumbers = options.exactNumbers ?? false;
  }

  read(node: unknown, depth: number): unknown {
    this.values += 1;
    if (this.values > MAXIMUM_VALUES) throw new Refusal(`more than ${MAXIMUM_VALUES} values`);
    if (depth > MAXIMUM_DEPTH) throw new Refusal(`nested deeper than ${MAXIMUM_DEPTH} levels`);
    if (isAlias(node)) return this.read(this.resolveAlias(node), depth + 1);
    if (isSeq(node)) return node.items.map((item) => this.read(item, depth + 1));
    if (isMap(node)) {
      const object: Record<string, unknown> = Object.create(null);
      for (const pair of node.items) {
        const key = this.keyOf(pair.key);
        if (key in object) throw new Refusal(`the key ${key} stands twice`);
        object[key] = this.read(pair.value, depth + 1);
      }
      return object;
    }
    return isScalar(node) ? this.scalar(node.value, node.source) : null;
  }

  private scalar(value: unknown, source: string | undefined): unknown {
    if (typeof value === "number" && this.exactNumbers && source !== undefined && String(value) !== source)
      return source;
    return value;
  }

  private keyOf(key: unknown): string {
    if (!isScalar(key)) throw new Refusal("a key that is not plain text");
    return key.source ?? String(key.value);
  }

  private resolveAlias(alias: Alias): Node {
    this.aliases += 1;
    if (this.aliases > MAXIMUM_ALIASES) throw new Refusal(`more than ${MAXIMUM_ALIASES} aliases`);
    const node = alias.resolve(this.document);
    if (node === undefined) throw new Refusal(`the alias ${alias.source} names nothing`);
    return node;
  }
}

function oneLine(message: string): string {
  return clip(inert(message.split("\n")[0] ?? ""), 200);
}

/** The library reports the end of its own recursion as an ordinary error of the document. */
function wordProblem(message: string): string {
  return message.startsWith("Maximum call stack size") ? "nested too deeply" : oneLine(message);
}

/**
 * Reads one YAML 1.2 document of at most 64 KiB as plain values: objects without a prototype, arrays,
 * text, numbers, booleans, null. Whatever the library only warns about is an error here, and so are
 * duplicate keys, unknown tags and an excess of aliases, depth or values. Never prints, never throws.
 */
export function parseYaml(text: string, options: YamlOptions = {}): Result<unknown, string> {
  if (Buffer.byteLength(text) > YAML_MAXIMUM_BYTES) return failed(`larger than ${YAML_MAXIMUM_BYTES} bytes`);
  try {
    // The library finds duplicate keys by comparing each with each; the reader does it in linear time.
    const document = parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: false,
      logLevel: "error",
    });
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem) return failed(wordProblem(problem.message));
    return ok(new Reader(document, options).read(document.contents, 0));
  } catch (error) {
    if (error instanceof Refusal) return failed(oneLine(error.message));
    return failed(wordProblem(error instanceof Error ? error.message : String(error)));
  }
}
