import { basename, join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { failed, ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { listDirectory } from "../fs/read.ts";
import { isContextDocument } from "../records/context-document.ts";
import { readRecordText } from "../records/record-file.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";

/** As much of a knowledge record as its integrity needs (records.md 12.3). */
export interface KnowledgeFacts {
  path: string;
  place: "candidates" | "curated";
  stem: string;
  /** Top-level values, matching quotes cut. */
  fields: ReadonlyMap<string, string>;
  /** `provenance.origin`. */
  origin: string | undefined;
  /** `provenance.derived_from`, then the targets of relations. */
  derivedFrom: string[];
  targets: string[];
  body: string;
}

export type KnowledgeFile = KnowledgeFacts | { path: string; place: KnowledgeFacts["place"]; reason: string };

const TOP = /^([A-Za-z_][\w-]*):(?:\s+(.*))?$/;
const INNER = /^ {2,}(?:- )?(origin|derived_from|target):(?:\s+(.*))?$/;
const ITEM = /^ {2,}- (.+)$/;

function plain(text: string): string {
  const value = text.trim();
  const quote = value[0];
  const matching = (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote);
  return matching ? value.slice(1, -1) : value;
}

/** The lines of a head, without a YAML library: a store of a thousand records is judged in every check. */
function readHead(head: string): Pick<KnowledgeFacts, "fields" | "origin" | "derivedFrom" | "targets"> {
  const fields = new Map<string, string>();
  const derivedFrom: string[] = [];
  const targets: string[] = [];
  let origin: string | undefined;
  let list: string | undefined;
  for (const raw of head.split("\n")) {
    const line = raw.replace(/\r$/, "");
    const top = TOP.exec(line);
    const inner = INNER.exec(line);
    const item = ITEM.exec(line);
    if (top !== null) {
      fields.set(top[1] ?? "", plain(top[2] ?? ""));
      list = undefined;
    } else if (inner !== null) {
      const value = plain(inner[2] ?? "");
      list = inner[1];
      if (list === "origin") origin = value;
      if (list === "target") targets.push(value);
    } else if (item !== null && list === "derived_from") derivedFrom.push(plain(item[1] ?? ""));
  }
  return { fields, origin, derivedFrom, targets };
}

function readOne(path: string, place: KnowledgeFacts["place"]): Result<KnowledgeFacts, string> | undefined {
  const text = readRecordText(path);
  if (!text.ok) return text;
  if (isContextDocument(text.value)) return undefined;
  const split = splitFrontMatter(text.value);
  if (!split.ok) return failed(split.error);
  const { head, body } = split.value;
  return ok({ path, place, stem: basename(path, ".md"), ...readHead(head), body });
}

/** Every record of the knowledge store, and what stands in a record's place and is none. */
export function listKnowledge({ layout, settings }: Checkout): KnowledgeFile[] {
  const section = join(layout.ai, settings.manifest.sections.knowledge);
  return (["candidates", "curated"] as const).flatMap((place) =>
    listDirectory(join(section, place))
      .filter((name) => name.endsWith(".md") && !name.startsWith("."))
      .flatMap((name): KnowledgeFile[] => {
        const path = join(section, place, name);
        const read = readOne(path, place);
        if (read === undefined) return [];
        return [read.ok ? read.value : { path, place, reason: read.error }];
      }),
  );
}
