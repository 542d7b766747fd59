import { capsuleName } from "./capsule-detail.ts";
import type { Row, RowOf } from "./rows.ts";

type Copied = { [Kind in Row["kind"]]: (row: RowOf<Kind>) => string };

const COPIED: Copied = {
  episode: ({ episode }) => episode.remedy ?? episode.session_id,
  closed: ({ closed }) => closed.session_id,
  action: ({ action }) => action.session_id ?? action.subject,
  skipped: ({ subject }) => subject,
  line: ({ line }) => line.record ?? line.session ?? line.event,
  finding: ({ finding }) => finding.reproduce ?? finding.subject,
  task: ({ task }) => task.id,
  record: ({ record }) => record.path,
  question: ({ question }) => question.question,
  decision: ({ decision }) => decision.heading,
  text: ({ text }) => text,
  runtime: ({ runtime }) => runtime.repository_head ?? runtime.root,
  candidate: ({ candidate }) => candidate.id,
  capsule: ({ file }) => capsuleName(file),
  travel: ({ record }) => record.id,
  provider: ({ provider }) => provider.id,
  server: ({ server }) => server.url ?? "majordomus serve ensure",
  peer: ({ peer }) => peer.id,
};

/** What a person would want to paste of a row: the id of its record, a command, else a path. */
export function copyable(row: Row): string {
  return (COPIED[row.kind] as (row: Row) => string)(row);
}
