import { ageText } from "../../core/base/time.ts";
import type { Diagnostic } from "../../core/continuity/diagnostic.ts";
import type { LastSync } from "../../core/records/continuity-cache.ts";
import type { RecordView } from "../../core/continuity/views.ts";
import type { StoreStatus } from "../../core/continuity/store-status.ts";
import type { Output } from "../output.ts";

/** As many digits of an id as people are shown. */
export function short(id: string): string {
  return id.slice(0, 12);
}

/** A record on one line. */
export function recordText(record: RecordView): string {
  const { device, branch = "no branch", age_minutes: age, objective, hidden, trust } = record;
  const whose = record.this_device ? `${device.label} (this machine)` : `${device.label} (${trust})`;
  const what = record.task ?? objective ?? "";
  const issue = record.issue === undefined ? "" : ` ${record.issue}`;
  const mark = hidden === true ? " [hidden here]" : "";
  return `${short(record.id)}  ${record.published_at} (${ageText(age)})  ${whose}  ${branch}${issue}  ${what}${mark}`.trimEnd();
}

const LEVELS = { info: "INFO", warning: "WARN", error: "FAIL" } as const;

/** Diagnostics as finding lines. */
export function showDiagnostics(output: Output, diagnostics: readonly Diagnostic[]): void {
  output.findings(
    diagnostics.map(({ severity, code, message, subject }) => ({
      level: LEVELS[severity],
      category: "continuity",
      subject: subject === undefined ? code : `${code} ${subject}`,
      message,
    })),
  );
}

const SYNC_WORDS: Readonly<Record<StoreStatus["sync"], string>> = {
  no_remote: "no remote to sync with",
  empty: "nothing published, nothing fetched",
  never_synced: "never synced",
  behind: "the remote has more",
  in_sync: "in sync",
  pending: "waits to be sent",
  diverged: "both sides have something new",
};

/** Said of what the remote had when it was last looked at. */
const COMPARED: ReadonlySet<StoreStatus["sync"]> = new Set(["behind", "in_sync", "pending", "diverged"]);

/** How a store stands to its remote; as of an earlier look where the last attempt did not reach it. */
export function storeText(
  { records, refused, remote, sync }: StoreStatus,
  outcome: LastSync["outcome"] | undefined,
): string {
  const bad = refused === 0 ? "" : `, ${refused} refused`;
  const where = remote === undefined ? "" : ` (${remote})`;
  const when = outcome === "unreachable" && COMPARED.has(sync) ? " as of the last look" : "";
  return `${records} record(s)${bad}; ${sync}: ${SYNC_WORDS[sync]}${when}${where}`;
}

/** The commands that come next, recommended and never run. */
export function showNext(output: Output, next: readonly string[] | undefined): void {
  for (const command of next ?? []) output.line(`next: ${command}`);
}

/** Label and value in columns. */
export function showRows(
  output: Output,
  rows: readonly (readonly [label: string, value: string | undefined])[],
): void {
  for (const [label, value] of rows) {
    if (value !== undefined) output.line(`${`${label}:`.padEnd(13)}${value}`);
  }
}
