import { basename, join } from "node:path";
import { reasonOf } from "../base/error.ts";
import { compactTimestamp, parseTimestamp } from "../base/time.ts";
import { listDirectory, readText } from "../fs/read.ts";
import { makeDirectory, publishExclusive } from "../fs/write.ts";
import { copyRecord } from "../journal/record-copies.ts";
import { RECORD_MAXIMUM_BYTES } from "../records/record-file.ts";
import { formatWorkRecord } from "../records/work-record.ts";
import { parseFlat } from "../text/flat-yaml.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";
import type { ContinuityPlace } from "./place.ts";
import type { SignedRecord } from "./record.ts";

const LONGEST_BRANCH = 64;
const DIGITS = 16;

/** A value of another machine as front matter takes it: no controls, no quotes. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}"]/gu, "");
}

/** The file in which a record was written here before; only front matter is believed. */
export function carriedHandover(
  { checkout }: Pick<ContinuityPlace, "checkout">,
  id: string,
): string | undefined {
  const directory = checkout.layout.handovers;
  return listDirectory(directory)
    .filter((name) => name.endsWith(".md") && !name.startsWith("."))
    .map((name) => join(directory, name))
    .find((path) => {
      const text = readText(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
      if (!text.ok || !text.value.includes(id)) return false;
      const split = splitFrontMatter(text.value);
      const fields = split.ok ? parseFlat(split.value.head) : split;
      return fields.ok && fields.value.get("continuity_record") === id;
    });
}

/** The handover of another machine as this checkout's stores have it (records.md 14.17). */
export function composeCarried(
  place: Pick<ContinuityPlace, "checkout">,
  { id, record }: SignedRecord,
): string {
  const { handover, source, device } = record;
  const origin = `continuity:${device.node}`;
  const created = [handover.created_at, record.published_at].find(
    (at) => parseTimestamp(at ?? "") !== undefined,
  );
  return formatWorkRecord({
    created_at: plain(created ?? handover.created_at ?? record.published_at),
    task_id: plain(handover.task ?? "none"),
    profile: "none",
    owner: origin,
    repository_id: place.checkout.localRepositoryId,
    worktree: origin,
    branch: plain(source.branch ?? handover.branch ?? "DETACHED"),
    head: plain(source.head ?? handover.head ?? "NONE"),
    working_tree: source.working_tree,
    changed_files: (source.changed ?? [])
      .filter((path) => !path.startsWith("/") && !path.split("/").includes(".."))
      .map(plain),
    continuity_record: id,
    continuity_device: device.node,
    ...(handover.issue === undefined ? {} : { issue: plain(handover.issue) }),
    ...(handover.milestone === undefined ? {} : { milestone: plain(handover.milestone) }),
    body: handover.body,
  });
}

function nameOf(
  place: Pick<ContinuityPlace, "checkout">,
  { id, record }: SignedRecord,
  attempt: number,
): string {
  const { source, handover } = record;
  const branch = (source.branch ?? handover.branch ?? "DETACHED").replaceAll(/[^A-Za-z0-9_-]/gu, "-");
  const head = (source.head ?? handover.head ?? "NONE").replaceAll(/[^A-Za-z0-9]/gu, "-").slice(0, 7);
  return [
    compactTimestamp(place.checkout.clock.now()),
    "continuity",
    branch.slice(0, LONGEST_BRANCH),
    head,
    `${id.slice(0, DIGITS + attempt - 1)}.md`,
  ].join("--");
}

/**
 * Writes the handover of a record into this checkout's store, unless it was written before.
 *
 * @returns its path; what went wrong beside it.
 */
export function carryHandover(
  place: ContinuityPlace,
  signed: SignedRecord,
): { path: string; notes: string[] } {
  const { checkout } = place;
  const known = carriedHandover(place, signed.id);
  const text = composeCarried(place, signed);
  const publish = (): string => {
    makeDirectory(checkout.layout.handovers);
    return publishExclusive(checkout.layout.handovers, (attempt) => nameOf(place, signed, attempt), text, {
      mode: 0o600,
      durable: true,
    });
  };
  const path = known ?? publish();
  try {
    copyRecord(checkout, "handovers", basename(path), text);
    return { path, notes: [] };
  } catch (error) {
    return { path, notes: [`no copy was kept in the common directory: ${reasonOf(error)}`] };
  }
}
