import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { listDirectory, statEntry } from "../fs/read.ts";
import { compareBytewise } from "../base/bytewise.ts";
import { readRecordText } from "../records/record-file.ts";
import { parseFlat } from "../text/flat-yaml.ts";
import type { FlatFields } from "../text/flat-yaml.ts";
import { HEAD_FIRST_LINE, splitFrontMatter } from "../text/split-front-matter.ts";
import { refusal } from "./refusal.ts";

/** A handover of this checkout's store, read for its way. */
export interface LocatedHandover {
  path: string;
  name: string;
  fields: FlatFields;
  /** Everything after the front matter, without leading newlines. */
  body: string;
}

/** The name of the newest handover: by the time in its name, then by the file's, then by its name. */
function newestName(directory: string): string | undefined {
  const candidates = listDirectory(directory)
    .filter((name) => /^\d/.test(name) && name.endsWith(".md"))
    .flatMap((name) => {
      const facts = statEntry(join(directory, name));
      return facts?.isFile() === true
        ? [{ name, stamp: name.split("--")[0] ?? "", modified: facts.mtimeNs }]
        : [];
    })
    .toSorted(
      (a, b) =>
        compareBytewise(a.stamp, b.stamp) ||
        Number(a.modified - b.modified) ||
        compareBytewise(a.name, b.name),
    );
  return candidates.at(-1)?.name;
}

/**
 * Finds the handover to publish (records.md 14.11): the named one, else the newest.
 *
 * @param given a file name of the store of handovers.
 * @throws MajordomusError 10 where there is none, it cannot be read, or it came from another machine itself.
 */
export function locateHandover(checkout: Pick<Checkout, "layout">, given?: string): LocatedHandover {
  const directory = checkout.layout.handovers;
  if (given !== undefined && (/[/\\\0]/.test(given) || given.includes("..") || !given.endsWith(".md"))) {
    throw refusal(
      "continuity.handover_name",
      given,
      "is not the name of a handover",
      "give a file name of the store of handovers, without a directory",
    );
  }
  const name = given ?? newestName(directory);
  if (name === undefined) {
    throw refusal(
      "continuity.no_handover",
      directory,
      "there is no handover to publish",
      "write one with `majordomus handover`",
    );
  }
  const path = join(directory, name);
  const text = readRecordText(path);
  if (!text.ok) throw refusal("continuity.no_handover", path, text.error);
  const split = splitFrontMatter(text.value);
  const fields = split.ok ? parseFlat(split.value.head, HEAD_FIRST_LINE) : split;
  if (!split.ok || !fields.ok) {
    const reason = !split.ok ? split.error : fields.ok ? "" : fields.error;
    throw refusal("continuity.handover_unreadable", path, reason);
  }
  for (const key of ["continuity_device", "mesh_origin"]) {
    if (!fields.value.has(key)) continue;
    throw refusal(
      "continuity.arrived",
      path,
      "came from another machine and was published there",
      "write a handover of your own with `majordomus handover`, and publish that",
    );
  }
  return { path, name, fields: fields.value, body: split.value.body.replace(/^[\r\n]+/, "") };
}
