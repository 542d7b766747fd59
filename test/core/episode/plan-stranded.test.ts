import { describe, expect, it } from "vitest";
import { planStranded } from "../../../src/core/episode/plan-stranded.ts";
import type { StrandedFacts } from "../../../src/core/episode/recovery-facts.ts";
import type { RosterEntry } from "../../../src/core/journal/roster.ts";
import type { OpenEpisode } from "../../../src/core/records/open-episode.ts";

const NOW = Date.parse("2026-09-04T18:00:00Z");
const HOUR = 3_600_000;

const FILE: OpenEpisode = {
  session_id: "s-20260904120000-0001",
  started_at: "2026-09-04T12:00:00Z",
  owner: "dev",
  repository_id: "/app/.git",
  worktree: "/app",
  branch: "main",
  start_head: "NONE",
  start_working_tree: "clean",
};

function facts(entry: Partial<RosterEntry> = {}, more: Partial<StrandedFacts> = {}): StrandedFacts {
  return {
    entry: {
      sessionId: FILE.session_id,
      key: "cc",
      path: "/app/.ai/local/state/sessions-open/cc.yaml",
      file: FILE,
      whereabouts: { kind: "here" },
      standing: "open",
      here: true,
      worker: { state: "unknown", note: "the provider named no process" },
      ...entry,
    },
    own: false,
    lastSeen: { at: "2026-09-04T12:30:00Z", from: "ledger" },
    lines: [],
    shadowed: true,
    record: undefined,
    commits: [],
    copies: [],
    ...more,
  };
}

const sibling = {
  kind: "sibling" as const,
  worktree: { path: "/wt", gitDir: "/app/.git/worktrees/wt", exists: true, main: false },
};
const gone = { kind: "gone" as const, reason: "its worktree is gone from disk" };
const dead = { state: "gone" as const, note: "pid 4411 ended" };
const alive = { state: "alive" as const, note: "pid 4411 runs" };

describe("planStranded", () => {
  const rows: [name: string, facts: StrandedFacts, verdict: string][] = [
    [
      "a lost worktree is taken at once",
      facts({ whereabouts: gone }, { lastSeen: { at: "2026-09-04T17:59:59Z", from: "ledger" } }),
      "recover: worktree gone",
    ],
    [
      "a dead worker is taken at once",
      facts({ worker: dead }, { lastSeen: { at: "2026-09-04T17:59:59Z", from: "ledger" } }),
      "recover: worker gone",
    ],
    [
      "a dead worker of a sibling worktree is taken",
      facts({ worker: dead, whereabouts: sibling, here: false }),
      "recover: worker gone",
    ],
    [
      "a live worker is left alone however long it is silent",
      facts({ worker: alive }, { lastSeen: { at: "2026-09-01T00:00:00Z", from: "ledger" } }),
      "skip: pid 4411 runs: its worker is at work",
    ],
    [
      "silence below the threshold proves nothing",
      facts({}, { lastSeen: { at: "2026-09-04T13:00:01Z", from: "ledger" } }),
      "skip: was seen 4h ago, within the threshold",
    ],
    [
      "silence at the threshold counts",
      facts({}, { lastSeen: { at: "2026-09-04T13:00:00Z", from: "ledger" } }),
      "recover: silent",
    ],
    [
      "a silent episode of a sibling worktree is not ours to judge",
      facts({ whereabouts: sibling, here: false }),
      "skip: is open in another worktree, and nothing proves its worker gone",
    ],
    [
      "a copied file of an existing worktree is foreign",
      facts({ standing: "foreign", whereabouts: sibling }),
      "skip: belongs to another worktree",
    ],
    [
      "the episode that asks is never its own to recover",
      facts({ whereabouts: gone }, { own: true }),
      "skip: is the episode of the session that asks",
    ],
    [
      "a record that stands makes it a close to finish",
      facts({ worker: alive }, { record: "/app/x.md" }),
      "recover: half closed",
    ],
    [
      "a timestamp that cannot be read is no proof",
      facts({}, { lastSeen: { at: "yesterday", from: "started_at" } }),
      "skip: its timestamps cannot be read",
    ],
  ];
  it.each(rows)("%s", (_name, row, verdict) => {
    const { actions, skipped } = planStranded([row], NOW, 5 * HOUR);
    const got = [
      ...actions.map(({ reason }) => `recover: ${reason}`),
      ...skipped.map(({ reason }) => `skip: ${reason}`),
    ];
    expect(got).toEqual([verdict]);
  });

  it.each([
    [
      "an end that found no worktree to seal in",
      facts({
        ended: { at: "2026-09-04T13:30:00Z", from: "registration" },
        worker: alive,
      }),
      {
        reason: "ended without a record",
        evidence: [
          "s-20260904120000-0001  key=cc  last seen 2026-09-04T12:30:00Z (ledger, 5h ago)",
          "its end came 2026-09-04T13:30:00Z",
        ],
      },
    ],
    [
      "a record that stands",
      facts({}, { record: "/app/x.md", lastSeen: { at: "yesterday", from: "started_at" } }),
      {
        reason: "half closed",
        evidence: [
          "s-20260904120000-0001  key=cc  last seen yesterday (started_at, age unknown)",
          "its record stands already: only the close is finished",
        ],
        writes: [],
        removes: ["/app/.ai/local/state/sessions-open/cc.yaml"],
      },
    ],
    [
      "a lost worktree with events and commits",
      facts(
        { whereabouts: gone },
        {
          lines: ["task.started", "task.checkpoint", "task.checkpoint"].map((event) => ({
            event,
          })) as unknown as StrandedFacts["lines"],
          commits: ["abc1234 First", "abc1235 Second"],
        },
      ),
      {
        id: "episode:s-20260904120000-0001",
        kind: "episode",
        subject: "s-20260904120000-0001",
        session_id: "s-20260904120000-0001",
        reason: "worktree gone",
        evidence: [
          "s-20260904120000-0001  key=cc  last seen 2026-09-04T12:30:00Z (ledger, 5h ago)",
          "its worktree is gone from disk",
        ],
        kept: [
          "3 ledger event(s): task.started 1, task.checkpoint 2",
          "2 commit(s) on main, which git still has",
        ],
        lost: [
          "uncommitted and untracked files of /app: no one can say which",
          "its own .ai/local: task, decisions with their reasons, questions and working context of that worktree",
        ],
        writes: ["one closed record, outcome interrupted", "session.recovered in the ledger"],
      },
    ],
    [
      "silence alone",
      facts(),
      { reason: "silent", kept: ["0 ledger event(s): none"], lost: [], evidence: [expect.any(String)] },
    ],
  ])("says of %s what it rests on, what is kept and what is lost", (_name, row, action) => {
    expect(planStranded([row], NOW, HOUR).actions).toEqual([expect.objectContaining(action)]);
  });

  it("says by which time a sign of life lies ahead, and that a foreign clock proves nothing", () => {
    const ahead = facts({}, { lastSeen: { at: "2026-09-04T18:00:01Z", from: "ledger" } });
    expect(planStranded([ahead], NOW, HOUR).skipped).toEqual([
      {
        subject: "s-20260904120000-0001",
        reason: "was seen at 2026-09-04T18:00:01Z, which lies ahead of this clock",
      },
    ]);
    const now = facts({}, { lastSeen: { at: "2026-09-04T18:00:00Z", from: "ledger" } });
    expect(planStranded([now], NOW, HOUR).skipped[0]?.reason).toBe("was seen 0m ago, within the threshold");
  });

  it("finishes a close of this checkout alone: a record elsewhere says nothing of an episode elsewhere", () => {
    const elsewhere = facts({ here: false, whereabouts: sibling }, { record: "/app/x.md" });
    expect(planStranded([elsewhere], NOW, HOUR).skipped[0]?.reason).toBe(
      "is open in another worktree, and nothing proves its worker gone",
    );
  });

  it("prints the evidence before it acts: key, last sign of life, what it rests on", () => {
    const { actions } = planStranded([facts({ worker: dead })], NOW, HOUR);
    expect(actions[0]?.evidence).toEqual([
      "s-20260904120000-0001  key=cc  last seen 2026-09-04T12:30:00Z (ledger, 5h ago)",
      "pid 4411 ended",
    ]);
  });

  it("says what is lost with a worktree, and that a ledger without a shadow is lost too", () => {
    const lost = (shadowed: boolean) =>
      planStranded([facts({ whereabouts: gone }, { shadowed })], NOW, HOUR).actions[0]?.lost;
    expect(lost(true)).toHaveLength(2);
    expect(lost(false)?.at(-1)).toContain("its ledger");
  });

  it("names what dies with a worktree, where its records are kept again, and commits that nobody can tell", () => {
    const head = "ab".repeat(20);
    const line = { ts: "2026-09-04T12:30:00Z", event: "session.started", head, fields: new Map() };
    const [action] = planStranded(
      [
        facts(
          { whereabouts: gone },
          {
            lines: [line],
            commitsUnknown: "its branch lane is gone",
            copies: [{ kind: "handovers", count: 2, directory: "majordomus/records/ab/handovers" }],
          },
        ),
      ],
      NOW,
      HOUR,
    ).actions;
    expect(action?.lost).toContainEqual(expect.stringContaining("decisions with their reasons"));
    expect(action?.lost).toContain(
      "which commits it made: its branch lane is gone; the ledger last saw abababababab",
    );
    expect(action?.kept).toContain(
      "2 handovers of its worktree, in majordomus/records/ab/handovers of git's common directory",
    );
  });

  it("leaves an end alone while its hook is at it, and says why it came once nobody is", () => {
    const hook = process.ppid;
    const end = { from: "receipt", reason: "logout", hook } as const;
    const young = facts({ ended: { ...end, at: "2026-09-04T17:59:30Z" }, worker: alive });
    expect(planStranded([young], NOW, HOUR)).toEqual({
      actions: [],
      skipped: [{ subject: FILE.session_id, reason: `its end is being written by pid ${hook}` }],
    });
    const old = facts({ ended: { ...end, at: "2026-09-04T17:58:00Z" } });
    expect(planStranded([old], NOW, HOUR).actions[0]?.evidence).toContain(
      "its end came 2026-09-04T17:58:00Z (logout)",
    );
  });

  it("names the last commit that the ledger saw, passing over lines without one, and nothing where there is none", () => {
    const line = (head?: string) =>
      ({ ts: "2026-09-04T12:30:00Z", event: "x", ...(head && { head }), fields: new Map() }) as const;
    const lost = (...lines: StrandedFacts["lines"]) =>
      planStranded(
        [facts({ whereabouts: gone }, { lines, commitsUnknown: "its branch is gone" })],
        NOW,
        HOUR,
      ).actions[0]?.lost?.at(-1);
    const saw = "which commits it made: its branch is gone; the ledger last saw cdcdcdcdcdcd";
    expect(lost(line("ab".repeat(20)), line("cd".repeat(20)), line("NONE"), line())).toBe(saw);
    expect(lost(line("NONE"), line())).toBe("which commits it made: its branch is gone");
    expect(lost()).toBe("which commits it made: its branch is gone");
  });

  it("does not claim to remove a file that went with its worktree", () => {
    expect(planStranded([facts({ whereabouts: gone })], NOW, HOUR).actions[0]?.removes).toBeUndefined();
    expect(planStranded([facts({ worker: dead })], NOW, HOUR).actions[0]?.removes).toHaveLength(1);
  });

  it("accounts for every episode, in an action or with a reason", () => {
    const all = rows.map(([, row]) => row);
    const { actions, skipped } = planStranded(all, NOW, 5 * HOUR);
    expect(actions.length + skipped.length).toBe(all.length);
  });
});
