/**
 * The closed vocabulary of ledger events, each with the payload keys that its line must carry
 * (records.md 4.1). Keys that a line may leave out in one lawful case, such as the task of a checkpoint
 * made without one, are not listed. Events of the project model are read and never written by us.
 */
export const EVENTS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["task.started", ["task_id", "profile", "owner", "scope"]],
  ["task.checkpoint", []],
  ["task.handed_over", ["handover_path", "closed"]],
  ["task.finished", ["task_id", "outcome", "contract"]],
  ["task.evidence", ["task", "covers", "kind", "inputs_hash"]],
  ["decision.recorded", ["decision"]],
  ["question.opened", ["task_id", "question"]],
  ["question.resolved", ["task_id", "question", "answer"]],
  ["session.started", ["owner"]],
  ["session.closed", ["outcome", "session_path"]],
  ["session.recovered", ["session_id", "reason", "session_path"]],
  ["provider.event.received", ["provider", "provider_event"]],
  ["provider.event.failed", ["provider", "provider_event", "reason"]],
  ["knowledge.derived", ["episode", "written", "unchanged", "skipped", "paths"]],
  ["knowledge.promoted", ["id", "path"]],
  ["knowledge.rejected", ["id", "reason"]],
  ["prompts.pruned", ["records", "pruned", "bytes_left"]],
  ["projections.updated", ["policy_sha256", "targets"]],
  ["ledger.rotated", ["archived", "kept", "archive"]],
  ["plan_start", ["issue"]],
  ["plan_verify", ["issue"]],
  ["plan_done", ["issue"]],
  ["plan_evidence", ["issue", "covers", "type"]],
  ["layout.migrated", ["from", "to"]],
  ["rules.vendored", ["package"]],
  ["use_cases.ran", ["ran", "failed"]],
  ["adr.proposed", ["adr", "title"]],
]);

/** Whether this version knows the event. One that it does not know is data: kept, counted, never dropped. */
export function isRegistered(event: string): boolean {
  return EVENTS.has(event);
}
