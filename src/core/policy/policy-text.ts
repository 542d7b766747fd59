/**
 * The policy that `init` writes: every block that continuity reads, with its defaults said aloud, and neither
 * `enforcement` nor `projections` (decisions.md 4). No hook commits a record by it.
 */
export function defaultPolicyText(): string {
  return `version: 1

context:
  always_loaded_budget_lines: 150
  builder_budget_lines: 300
  recent_decisions: 5
  max_list_items: 20
  strategy: minimum-sufficient
  transcript_is_state: false

profiles:
  default: implementation
  checkpoint_interval_default: 15m

verification:
  required_for_changes: true
  finish_requires:
    - scope_respected
    - verification_ran
    - state_updated
    - no_open_blockers
    - note_present

checkpoint:
  max_body_lines: 40
  retention_max_files: 500

handover:
  required_sections: [Objective, Current State, Next Action]
  retention_max_files: 200

ledger:
  retention_max_lines: 5000

session:
  briefing_on_start: true
  briefing_budget_lines: 60
  checkpoint_on_compact: true
  handover_on_end: true
  handover_on_fill: false
  knowledge_on_end: true
  knowledge_on_compact: true
  stranded_after: 12h
  ensure_server_on_start: true
  freshness:
    fresh_minutes: 720
    stale_minutes: 2880
  record_sections: [What Happened, Progress Notes, Decisions, Open Questions, Outcome]
  commit_record_on_end: false
  push_record_on_end: false

prompts:
  retention_max_days: 90
  retention_max_bytes: 52428800

knowledge:
  candidates_max_files: 40
  candidate_max_age_minutes: 20160
`;
}
