import { healthAnswers } from "./console-health-answers.ts";
import { capsuleAnswers } from "./console-capsule-answers.ts";
import { knowledgeAnswers } from "./console-knowledge-answers.ts";
import { syncAnswers } from "./console-sync-answers.ts";
import { ago, NOW, ROOT } from "./console-times.ts";
import { workAnswers } from "./console-work-answers.ts";
import type { RecoverPlanAnswer } from "../../src/core/episode/recovery-answers.ts";
import type { HistoryAnswer, HistoryLine } from "../../src/core/ledger/answers.ts";
import type {
  ClosedAnswer,
  EpisodesAnswer,
  EpisodeView,
  RecoveryAnswer,
  StateAnswer,
} from "../../src/core/lifecycle/answers.ts";

/** Answers as capabilities give them, for panes and whole consoles in tests. */

export { ago, NOW, ROOT };

export function sessionId(tail: string): string {
  return `s-20260904120000-${tail}`;
}

export function episode(tail: string, more: Partial<EpisodeView> = {}): EpisodeView {
  const session_id = sessionId(tail);
  return {
    session_id,
    path: `${ROOT}/.ai/local/state/sessions/open/claude-code-${tail}.md`,
    provider: "claude-code",
    provider_session: `0b6f-${tail}`,
    owner: "mira",
    worktree: ROOT,
    branch: "main",
    start_head: "3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d",
    started_at: ago(180),
    standing: "open",
    here: true,
    worker_state: "alive",
    worker_note: "pid 4398 runs",
    events: 12,
    checkpoints: 0,
    last_activity: ago(14),
    last_event: "task.checkpoint",
    heartbeat: ago(12),
    note: "open in this worktree",
    ...more,
  };
}

export const EPISODES: readonly EpisodeView[] = [
  episode("fc51", {
    standing: "current",
    tasks: ["t-20260904120100-0a1b"],
    checkpoints: 3,
    last_activity: ago(2),
    heartbeat: ago(2),
    events: 41,
    note: "the pointer names it",
  }),
  episode("7d02", {
    provider: "codex",
    worker_state: "unknown",
    worker_note: "the provider names no process",
  }),
  episode("c0de", {
    worktree: "/home/mira/wt/io",
    branch: "fix/io",
    here: false,
    tasks: ["t-20260904130000-c0de"],
    last_activity: ago(65),
    heartbeat: ago(65),
  }),
  episode("91aa", { provider: "gemini", worker_state: "unknown", last_activity: ago(6), heartbeat: ago(6) }),
  episode("3b3b", { standing: "foreign", worktree: "/home/mira/old", note: "copied from another worktree" }),
  episode("72ea", {
    standing: "stranded",
    worktree: "/home/mira/wt/x",
    branch: "feat/x",
    here: false,
    worker_state: "unknown",
    recoverable: "worktree_gone",
    last_activity: ago(190),
    heartbeat: ago(190),
    note: "its worktree is not there any more",
  }),
  episode("b41b", {
    worker_state: "gone",
    worker_note: "pid 4411 ended",
    recoverable: "worker_gone",
    last_activity: ago(26),
    heartbeat: ago(26),
    unseen: ["SessionEnd"],
    note: "its worker is gone",
  }),
];

export function episodesAnswer(episodes: readonly EpisodeView[] = EPISODES): EpisodesAnswer {
  return {
    present: true,
    store: `${ROOT}/.ai/local/state/sessions-open`,
    worktree: ROOT,
    current: sessionId("fc51"),
    episodes: [...episodes],
  };
}

export const BALANCE = {
  started: 48,
  closed: 41,
  recovered: 0,
  open: 7,
  unaccounted: 0,
  agrees: true,
  note: "all accounted for",
};

export const RECOVERY: RecoveryAnswer = {
  present: true,
  pointer: {
    layout: "pointer",
    target: "claude-code-fc51.md",
    resolves: true,
    session_id: sessionId("fc51"),
    note: "names the current episode",
  },
  balance: BALANCE,
};

export const STATE: StateAnswer = {
  present: true,
  worktree: ROOT,
  branch: "main",
  head: "3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d",
  working_tree: "dirty",
  changed: 4,
  session: {
    session_id: sessionId("fc51"),
    standing: "current",
    divergence: "advanced",
    divergence_reason: "two commits since",
    branch: "main",
  },
  task: {
    id: "t-20260904120100-0a1b",
    title: "split the parser",
    profile: "debugging",
    outcome: "active",
    scope: ["lib"],
    foreign: false,
  },
  handover: {
    path: `${ROOT}/.ai/local/state/handovers/20260904T150000Z--main--3f2a9c1--c0ffee.md`,
    created_at: ago(180),
    branch: "main",
    head: "3f2a9c1d",
    match: "same_worktree_same_branch",
    divergence: "exact",
    freshness: "fresh",
    freshness_reason: "3h old",
    next_action: "run the suite again",
  },
  blockers: ["which encoding does the export use?"],
  tallies: { open: 5, stranded: 2, closed: 41, ledger_lines: 1204 },
};

const KINDS: readonly (readonly [string, string])[] = [
  ["session.started", "owner mira"],
  ["task.started", "t-…0a1b split the parser"],
  ["task.checkpoint", "before the rename of Reader"],
  ["decision.recorded", "stream, do not slurp"],
  ["provider.event.received", "claude-code compact"],
  ["question.opened", "which encoding does the export use?"],
  ["provider.event.failed", "claude-code compact: the store is locked"],
];

/** So many ledger lines, the newest a minute old and each seven minutes after the one before. */
export function historyLines(count: number): HistoryLine[] {
  return Array.from({ length: count }, (_, index): HistoryLine => {
    const [event, summary] = KINDS[index % KINDS.length] ?? ["task.checkpoint", ""];
    return {
      offset: index * 210,
      ts: ago((count - 1 - index) * 7 + 1),
      event,
      head: "3f2a9c1",
      branch: "main",
      by: "majordomus/0.1.0",
      session: sessionId(index % 3 === 0 ? "7d02" : "fc51"),
      task: "t-20260904120100-0a1b",
      summary,
      ...(event === "task.checkpoint" ? { record: `.ai/local/state/checkpoints/${index}.md` } : {}),
      registered: true,
    };
  });
}

export function historyAnswer(lines: readonly HistoryLine[] = historyLines(40), total = 1204): HistoryAnswer {
  return {
    lines: [...lines],
    total,
    matched: total,
    cut: total - lines.length,
    malformed: 0,
    unregistered: 0,
    torn_bytes: 0,
    consumed: total * 210,
  };
}

export const PLAN: RecoverPlanAnswer = {
  digest: "d1",
  actions: [
    {
      id: `episode:${sessionId("72ea")}`,
      kind: "episode",
      subject: sessionId("72ea"),
      session_id: sessionId("72ea"),
      reason: "its worktree is gone",
      evidence: [
        "/home/mira/wt/x is not a directory",
        "git lists no such worktree",
        "no sign of life for 3h",
      ],
      kept: ["12 ledger lines", "2 checkpoints"],
      lost: ["uncommitted changes, if there were any"],
      writes: [`${ROOT}/.ai/repo/sessions/20260904T180000Z--feat-x--72ea.md`],
      removes: ["the registration of the episode"],
    },
    {
      id: `episode:${sessionId("b41b")}`,
      kind: "episode",
      subject: sessionId("b41b"),
      session_id: sessionId("b41b"),
      reason: "its worker is gone",
      evidence: ["pid 4411 ended", "SessionEnd never came"],
      kept: ["12 ledger lines"],
      writes: [`${ROOT}/.ai/repo/sessions/20260904T180000Z--main--b41b.md`],
      removes: [`${ROOT}/.ai/local/state/sessions/open/claude-code-b41b.md`],
    },
  ],
  skipped: [
    {
      subject: sessionId("7d02"),
      reason: "nothing proves that its worker is gone, and it is younger than 12h",
    },
  ],
  balance: BALANCE,
};

export const CLOSED: ClosedAnswer = {
  total: 41,
  on_this_branch: 33,
  window: 20,
  newest: Array.from({ length: 6 }, (_, index) => ({
    session_id: sessionId(`aa0${index}`),
    uri: `majordomus://session/${sessionId(`aa0${index}`)}`,
    path: `${ROOT}/.ai/repo/sessions/closed-${index}.md`,
    created_at: ago(600 + index * 120),
    branch: "main",
    head: "3f2a9c1",
    outcome: index % 2 === 0 ? "closed" : "interrupted",
    title: "Move the reader behind a port",
    divergence: index === 0 ? ("exact" as const) : index < 4 ? ("advanced" as const) : ("diverged" as const),
  })),
};

/** Every capability's answer, by its id. */
export function sampleAnswers(): Record<string, unknown> {
  return {
    "continuity.state": STATE,
    "lifecycle.episodes": episodesAnswer(),
    "lifecycle.recovery": RECOVERY,
    "lifecycle.closed": CLOSED,
    "history.query": historyAnswer(),
    "recover.plan": PLAN,
    "recover.apply": {
      state: "applied",
      performed: [
        { id: PLAN.actions[0]?.id ?? "", wrote: PLAN.actions[0]?.writes?.[0], message: "recovered s-…72ea" },
      ],
      failed: [],
      plan: { ...PLAN, digest: "d2", actions: PLAN.actions.slice(1) },
    },
    "session.close": { session_path: `${ROOT}/.ai/repo/sessions/closed.md` },
    "session.context": {
      path: ".ai/local/context/fc51.md",
      text: "# Working context\n\nGoal: split the parser.\n",
    },
    ...workAnswers(),
    ...healthAnswers(),
    ...capsuleAnswers(),
    ...syncAnswers(),
    ...knowledgeAnswers(),
    "record.read": {
      path: ".ai/local/state/checkpoints/1.md",
      text: "# Checkpoint\n\nBefore the rename of Reader.\n",
    },
  };
}
