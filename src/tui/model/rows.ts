import type * as z from "zod/mini";
import type { RecoveryAction } from "../../core/episode/recovery-answers.ts";
import type { HistoryLine } from "../../core/ledger/answers.ts";
import type { Finding } from "../../core/labels/terms.ts";
import type { ExplainAnswer } from "../../core/health/answers.ts";
import type {
  ClosedView,
  EpisodeView,
  ProviderView,
  RuntimeAnswer,
  TaskView,
} from "../../core/lifecycle/answers.ts";
import type { DecisionListAnswer, RecordDetail } from "../../core/task/answers.ts";
import type { CapsuleFile, CapsuleValues } from "../../core/capsule/answers.ts";
import type { RecordView as TravellingView } from "../../core/continuity/views.ts";
import type { ServerAnswer } from "../../core/serving/answers.ts";
import type { PeerView } from "../../core/serving/peer-board.ts";
import type { CandidateView } from "../../core/knowledge/answers.ts";
import type { Reading } from "../reading.ts";

/** A row of a list: the record it stands for, by an id that stays the same while the record does. */
interface RowBase {
  /** Unique in the console: repository and record. */
  id: string;
  root: string;
  /** What a filter looks at, in lower case. */
  search: string;
}

export type Row = RowBase &
  (
    | { kind: "episode"; episode: EpisodeView }
    | { kind: "closed"; closed: ClosedView }
    | { kind: "action"; action: RecoveryAction }
    | { kind: "skipped"; subject: string; reason: string }
    | { kind: "finding"; finding: Finding; judges?: readonly string[] }
    | { kind: "line"; line: HistoryLine }
    | { kind: "task"; task: TaskView; terms: ExplainAnswer | undefined }
    | { kind: "record"; label: RecordLabel; record: RecordDetail }
    | { kind: "question"; question: QuestionView }
    | { kind: "decision"; decision: DecisionView }
    | { kind: "runtime"; runtime: RuntimeAnswer }
    | { kind: "provider"; provider: ProviderView }
    | { kind: "server"; server: ServerAnswer }
    | { kind: "peer"; peer: PeerView }
    | { kind: "candidate"; candidate: CandidateView }
    | { kind: "capsule"; file: CapsuleFile; values: CapsuleValues | undefined }
    | { kind: "travel"; record: TravellingRecord; standing: TravelStanding; graph: string }
    | { kind: "text"; text: string; document: Reading }
  );

export type RowOf<Kind extends Row["kind"]> = Extract<Row, { kind: Kind }>;

export type TravellingRecord = z.infer<typeof TravellingView>;
/** What a travelling record is to this checkout, as one word. */
export type TravelStanding = "offer" | "here" | "diverged" | "head" | "hidden" | "past";
export type RecordLabel = "handover" | "checkpoint";
export type DecisionView = z.infer<typeof DecisionListAnswer>["decisions"][number];

/** A question; one that has an answer is resolved. */
export interface QuestionView {
  task: string;
  question: string;
  date: string;
  answer?: string;
}

/** What a filter looks at, of texts that may be absent. */
export function searchable(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .join(" ")
    .toLowerCase();
}

/** An episode that recovery would take: it is shown as stranded, and says why. */
export function isLost(episode: EpisodeView): boolean {
  return episode.standing === "stranded" || episode.recoverable !== undefined;
}

export function episodeRow(root: string, episode: EpisodeView): Row {
  const { session_id, standing, provider, owner, worker, branch, worktree, note, tasks } = episode;
  return {
    kind: "episode",
    id: `${root}\0${session_id}`,
    root,
    search: searchable(
      session_id,
      standing,
      provider,
      owner,
      worker,
      branch,
      worktree,
      note,
      ...(tasks ?? []),
    ),
    episode,
  };
}

export function closedRow(root: string, closed: ClosedView): Row {
  const { path, session_id, branch, outcome, title } = closed;
  return {
    kind: "closed",
    // Two records may hold one episode: the path tells them apart.
    id: `${root}\0closed\0${path}`,
    root,
    search: searchable(session_id, branch, outcome, title, path, "closed"),
    closed,
  };
}

export function actionRow(root: string, action: RecoveryAction): Row {
  const { id, kind, subject, reason, session_id, evidence } = action;
  return {
    kind: "action",
    id: `${root}\0${id}`,
    root,
    search: searchable(kind, subject, reason, session_id, ...evidence),
    action,
  };
}

export function skippedRow(root: string, skipped: { subject: string; reason: string }): Row {
  const { subject, reason } = skipped;
  return {
    kind: "skipped",
    id: `${root}\0skipped\0${subject}\0${reason}`,
    root,
    search: searchable(subject, reason, "skipped"),
    subject,
    reason,
  };
}

export function findingRow(root: string, finding: Finding): RowOf<"finding"> {
  const { level, category, subject, message } = finding;
  return {
    kind: "finding",
    id: `${root}\0finding\0${category}\0${subject}\0${message}`,
    root,
    search: searchable(level, category, subject, message),
    finding,
  };
}

export function lineRow(root: string, line: HistoryLine): Row {
  const { event, session, task, branch, by, summary } = line;
  return {
    kind: "line",
    id: `${root}\0${line.offset}`,
    root,
    search: searchable(event, session, task, branch, by, summary),
    line,
  };
}

/** A text, a row a line; all of its rows open the whole of it. */
export function textRows(root: string, name: string, title: string, text: string | undefined): Row[] {
  if (text === undefined) return [];
  const document = { title, text };
  return text.split("\n").map((line, index) => ({
    kind: "text",
    id: `${root}\0${name}\0${index}`,
    root,
    search: line.toLowerCase(),
    text: line,
    document,
  }));
}

/** Where a list's cursor stands: on its record, else where that record was, else at the list's own end. */
export function positionOf(
  rows: readonly Row[],
  cursor: { id?: string; place: number } | undefined,
  following: boolean,
): number {
  if (rows.length === 0) return -1;
  const found = cursor?.id === undefined ? -1 : rows.findIndex((row) => row.id === cursor.id);
  if (found >= 0) return found;
  if (cursor?.id === undefined) return following ? rows.length - 1 : 0;
  return Math.max(0, Math.min(cursor.place, rows.length - 1));
}
