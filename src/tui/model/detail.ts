import type { RecoveryAction } from "../../core/episode/recovery-answers.ts";
import type { HistoryLine } from "../../core/ledger/answers.ts";
import type { ClosedView, EpisodeView } from "../../core/lifecycle/answers.ts";
import { withAge } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { signOf, standingSpan } from "./episode.ts";
import { fact, factList, excerptLines } from "./facts.ts";
import { hintLines } from "./hints.ts";
import { DIVERGENCE, LEVEL_TONE } from "./labels.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { counted, pathFrom, shortHead, shortPath } from "./names.ts";
import { grouped } from "./numbers.ts";
import { capsuleDetail } from "./capsule-detail.ts";
import { providerDetail, runtimeDetail } from "./health-detail.ts";
import { candidateDetail } from "./knowledge-detail.ts";
import type { Row, RowOf } from "./rows.ts";
import { peerDetail, serverDetail } from "./server-detail.ts";
import { timelineOf, unreadHours } from "./timeline.ts";
import { travelDetail } from "./travel-detail.ts";
import { decisionDetail, questionDetail, recordDetail, taskDetail } from "./work-detail.ts";

function timeline(episode: EpisodeView, { now, slices, width }: DetailContext): readonly Line[] {
  if (width < 40) return [];
  const own = slices?.lines.data;
  // What was searched for this very episode reaches further back than the newest lines of all.
  const history = own?.lines[0]?.session === episode.session_id ? own : slices?.history.data;
  const bars = timelineOf(history, episode.session_id, [episode.last_activity, episode.heartbeat], now);
  const unread = unreadHours(history, now);
  const cut = unread > 0 ? `, the first ${counted(unread, "hour")} not read` : "";
  return [[span("24 hours".padEnd(12), "muted"), span(bars, "accent"), span(` now${cut}`, "muted")]];
}

function episodeDetail(episode: EpisodeView, context: DetailContext): readonly Line[] {
  const { width, now, home, root } = context;
  const sign = signOf(episode);
  const worker = [episode.worker_state, episode.worker_note].filter((part) => part !== undefined).join(": ");
  const work = `${counted(episode.checkpoints, "checkpoint")}, ${grouped(episode.events)} ledger lines`;
  const { worktree } = episode;
  return [
    [
      span(`${sign.symbol} `, sign.tone),
      span(show(episode.session_id), "plain", true),
      span("  "),
      standingSpan(episode),
    ],
    ...fact("", episode.note, width, "muted"),
    ...fact("take away", episode.remedy, width, "accent"),
    ...timeline(episode, context),
    ...fact("worker", worker, width, episode.worker_state === "gone" ? "bad" : "plain"),
    ...fact("provider", [episode.provider, episode.provider_session].filter(Boolean).join("  "), width),
    ...fact("owner", episode.owner, width),
    ...fact("branch", [episode.branch, shortHead(episode.start_head)].filter(Boolean).join(" at "), width),
    ...fact("worktree", worktree === undefined ? undefined : shortPath(worktree, home), width),
    ...fact("opened", withAge(episode.started_at, now), width),
    ...fact(
      "last line",
      [withAge(episode.last_activity, now), episode.last_event].filter(Boolean).join("  "),
      width,
    ),
    ...fact("heartbeat", withAge(episode.heartbeat, now), width),
    ...fact("work", work, width),
    ...factList("tasks", episode.tasks, width),
    ...fact("continues", episode.continues, width),
    ...factList("never seen", episode.unseen, width, "warn"),
    ...fact("file", pathFrom(root, episode.path, home), width, "muted"),
  ];
}

function closedDetail(
  closed: ClosedView,
  { width, now, home, root, slices }: DetailContext,
): readonly Line[] {
  const label = closed.divergence;
  const hints = slices?.hints.data;
  return [
    [
      span(show(closed.session_id), "plain", true),
      span("  "),
      span(show(closed.outcome ?? "closed"), "muted"),
    ],
    ...fact("", closed.title, width),
    ...fact("closed", withAge(closed.created_at, now), width),
    ...fact("branch", [closed.branch, shortHead(closed.head)].filter(Boolean).join(" at "), width),
    ...(label === undefined ? [] : fact(label, DIVERGENCE[label].meaning, width, DIVERGENCE[label].tone)),
    ...hintLines(hints?.head === closed.head ? hints : undefined, width),
    ...fact("record", pathFrom(root, closed.path, home), width, "muted"),
  ];
}

/** An action of recovery: why, on what evidence, what stays, what goes, what will be written. */
export function actionDetail(
  action: RecoveryAction,
  { width, home, root }: Pick<DetailContext, "width" | "home" | "root">,
): readonly Line[] {
  const paths = (list: readonly string[] | undefined): string[] =>
    (list ?? []).map((path) => pathFrom(root, path, home));
  return [
    [
      span(`${action.kind} `, "muted"),
      span(
        action.session_id === undefined ? pathFrom(root, action.subject, home) : show(action.session_id),
        "plain",
        true,
      ),
    ],
    ...fact("why", action.reason, width),
    ...factList("evidence", action.evidence, width),
    ...factList("kept", action.kept, width, "good"),
    ...factList("lost", action.lost, width, "bad"),
    ...factList("writes", paths(action.writes), width, "accent"),
    ...factList("removes", paths(action.removes), width, "warn"),
  ];
}

/** The payload, a member a line; the task has a line of its own. */
function membersOf({ summary, task }: HistoryLine): readonly string[] {
  const members = summary.split(/ (?=[a-z_]+=)/);
  return members.filter((member) => task === undefined || member !== `task_id=${task}`);
}

function lineDetail(line: HistoryLine, { width, now }: DetailContext): readonly Line[] {
  return [
    [span(show(line.event), "plain", true), span(line.registered ? "" : "  not in the vocabulary", "warn")],
    ...factList("", membersOf(line), width),
    ...fact("time", withAge(line.ts, now), width),
    ...fact("episode", line.session, width),
    ...fact("task", line.task, width),
    ...fact("branch", [line.branch, shortHead(line.head)].filter(Boolean).join(" at "), width),
    ...fact("by", line.by, width, "muted"),
    ...fact("record", line.record, width, "accent"),
    ...fact("offset", grouped(line.offset), width, "muted"),
  ];
}

function findingDetail({ finding, judges }: RowOf<"finding">, { width }: DetailContext): readonly Line[] {
  return [
    [span(show(finding.subject), "plain", true), span(`  ${finding.level}`, LEVEL_TONE[finding.level])],
    ...fact("what", finding.message, width),
    ...fact("category", finding.category, width),
    ...fact("found by", judges?.join(", "), width, "muted"),
    ...fact("see it with", finding.reproduce, width, "accent"),
  ];
}

/** What recovery leaves alone, why, and what a person can do about it. */
function skippedDetail(
  { subject, reason }: RowOf<"skipped">,
  { width, slices }: DetailContext,
): readonly Line[] {
  const episode = slices?.episodes.data?.episodes?.find(({ session_id: id }) => subject.includes(id));
  return [
    [span(show(subject), "plain", true), span("  skipped", "muted")],
    ...fact("why", reason, width),
    ...fact("", episode?.remedy === undefined ? undefined : episode.note, width, "muted"),
    ...fact("take away", episode?.remedy, width, "accent"),
  ];
}

type Details = { [Kind in Row["kind"]]: (row: RowOf<Kind>, context: DetailContext) => readonly Line[] };

const DETAILS: Details = {
  episode: ({ episode }, context) => episodeDetail(episode, context),
  closed: ({ closed }, context) => closedDetail(closed, context),
  action: ({ action }, context) => actionDetail(action, context),
  skipped: skippedDetail,
  line: ({ line }, context) => lineDetail(line, context),
  finding: findingDetail,
  task: taskDetail,
  record: recordDetail,
  question: ({ question }, context) => questionDetail(question, context),
  decision: ({ decision }, context) => decisionDetail(decision, context),
  text: ({ document }, { width }) => excerptLines(document.text, width),
  runtime: ({ runtime }, context) => runtimeDetail(runtime, context),
  candidate: candidateDetail,
  capsule: capsuleDetail,
  travel: travelDetail,
  provider: ({ provider }, context) => providerDetail(provider, context),
  server: ({ server }, context) => serverDetail(server, context),
  peer: ({ peer }, context) => peerDetail(peer, context),
};

/** Everything that is known about a row. */
export function detailLines(row: Row, context: DetailContext): readonly Line[] {
  const detail = DETAILS[row.kind] as (row: Row, context: DetailContext) => readonly Line[];
  return detail(row, context);
}
