import { join } from "node:path";
import type { Manifest } from "../policy/manifest.ts";

/** Where everything of one checkout's layer lies; absolute paths, read from the manifest (records.md 1.1, 1.2). */
export interface Layout {
  ai: string;
  repo: string;
  local: string;
  state: string;
  ledger: string;
  locks: string;
  sessionsOpen: string;
  pointer: string;
  /** Closed session records; `<state>/sessions` where the manifest names no section. */
  sessions: string;
  contexts: string;
  questions: string;
  decisions: string;
  task: string;
  taskArchive: string;
  completed: string;
  checkpoints: string;
  handovers: string;
}

export function layoutOf(root: string, manifest: Manifest): Layout {
  const ai = join(root, ".ai");
  const local = join(ai, manifest.local.path);
  const state = join(local, "state");
  const sessions = manifest.sections.sessions;
  return {
    ai,
    repo: join(ai, manifest.repo.path),
    local,
    state,
    ledger: join(state, "ledger.jsonl"),
    locks: join(state, "locks"),
    sessionsOpen: join(state, "sessions-open"),
    pointer: join(state, "session-current.yaml"),
    sessions: sessions === undefined ? join(state, "sessions") : join(ai, sessions),
    contexts: join(local, "session-contexts"),
    questions: join(state, "open-questions.md"),
    decisions: join(state, "decisions.md"),
    task: join(state, "current.yaml"),
    taskArchive: join(state, "archive"),
    completed: join(state, "completed"),
    checkpoints: join(state, "checkpoints"),
    handovers: join(state, "handovers"),
  };
}

/** Every directory of the layer that the program writes into, those above it first. */
export function ownDirectories(layout: Layout, manifest: Manifest): string[] {
  const { ai, repo, local, state, sessions, contexts, locks, sessionsOpen } = layout;
  const knowledge = join(ai, manifest.sections.knowledge);
  const evidence = join(local, "evidence");
  const above = [ai, repo, local, state, locks, sessionsOpen, sessions, contexts];
  const records = [layout.taskArchive, layout.completed, layout.checkpoints, layout.handovers];
  const shelves = [knowledge, join(knowledge, "candidates"), join(knowledge, "curated")];
  return [...above, ...records, ...shelves, join(state, "mcp"), evidence, join(evidence, "doctor")];
}
