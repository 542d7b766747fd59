import { parseStamp } from "../../core/capsule/stamp.ts";
import { ageSince } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { fact, factList, excerptLines } from "./facts.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { shortPath } from "./names.ts";
import type { RowOf } from "./rows.ts";

/** The age of a capsule by its own stamp; empty for one that cannot be read. */
export function capsuleAge(stamp: string | undefined, now: number): string {
  const then = stamp === undefined ? undefined : parseStamp(stamp);
  return then === undefined ? "" : ageSince(then, now);
}

/** What a capsule is called: by its id, and by its file's name where it has none. */
export function capsuleName({ id, name }: { id?: string | undefined; name: string }): string {
  return id === undefined || id.trim() === "" ? name : id;
}

/** `status-not-active (draft)`: the verdict with what decided it. */
export function verdictText({ verdict, detail }: RowOf<"capsule">["file"]): string {
  return detail === undefined ? verdict : `${verdict} (${detail})`;
}

/** How a capsule came to be. */
export function originText(file: { autosave?: boolean | undefined; captured?: string | undefined }): string {
  if (file.autosave === undefined) return "";
  if (!file.autosave) return "curated";
  return file.captured === undefined || file.captured === "" ? "autosave" : `autosave, ${file.captured}`;
}

/** A capsule: what the selector says of it and why, its values, and its text as soon as it was read. */
export function capsuleDetail(
  { file, values }: RowOf<"capsule">,
  { width, now, home, slices }: DetailContext,
): readonly Line[] {
  const answer = slices?.capsule.data;
  const shown = answer?.capsule.name === file.name ? answer : undefined;
  const known = shown?.capsule ?? values;
  const selected = file.verdict === "selected";
  const tone = selected ? "good" : file.ordinary ? "muted" : "warn";
  return [
    [span(show(capsuleName(file)), "plain", true), span(`  ${show(verdictText(file))}`, tone)],
    ...(selected && known?.stale === true ? [[span("It is stale: read it as history.", "warn")]] : []),
    ...(known?.placeholder === true ? [[span("A placeholder: nobody has written into it.", "warn")]] : []),
    ...fact("decided by", file.field, width, tone),
    ...fact("objective", known?.objective ?? file.objective, width),
    ...fact("waiting on", known?.waiting_on, width),
    ...fact("next", known?.next_valid_action, width, "accent"),
    ...fact("status", known?.status ?? file.status, width),
    ...fact("created", [file.created_at, capsuleAge(file.created_at, now)].filter(Boolean).join("  "), width),
    ...fact("updated", known?.updated_at, width),
    ...fact("kind", originText(file), width),
    ...factList("problem", known?.problems, width, "bad"),
    ...factList("lacks", shown?.framing, width, "warn"),
    ...fact("file", known === undefined ? file.name : shortPath(known.path, home), width, "muted"),
    ...(shown === undefined ? [] : [[], ...excerptLines(shown.text.trim(), width)]),
  ];
}
