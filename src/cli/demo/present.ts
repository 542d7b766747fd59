import { spawn } from "node:child_process";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { composeClosed } from "../../core/episode/compose-closed.ts";
import { episodeLines } from "../../core/episode/lines.ts";
import { makeDirectory, writeAtomic } from "../../core/fs/write.ts";
import { openPorcelain } from "../../core/git/porcelain.ts";
import { readRoster } from "../../core/journal/roster.ts";
import { formatClosedSession } from "../../core/records/closed-session.ts";
import { formatOpenEpisode } from "../../core/records/open-episode.ts";
import { rememberTheWeek } from "./memory.ts";
import { askAboutNeaps, workOnHeights } from "./today.ts";
import type { Stage } from "./stage.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A process that the demo may call a worker: it idles until it is told to end. */
export interface StandIn {
  pid: number;
  end(): Promise<void>;
}

/** Starts a process that does nothing, to play the worker of an episode. */
export function startStandIn(): StandIn {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

export interface Worktrees {
  main: string;
  parser: string;
  harbours: string;
  spike: string;
}

async function begin(
  stage: Stage,
  cwd: string,
  session: string,
  at: number,
  processId: number,
  provider?: string,
): Promise<void> {
  stage.clock.set(at);
  await stage.fire({
    kind: "start",
    name: "SessionStart",
    source: "startup",
    cwd,
    session,
    processId,
    ...(provider === undefined ? {} : { provider }),
  });
  stage.clock.forward(MINUTE);
  await stage.fire({
    kind: "prompt",
    name: "UserPromptSubmit",
    cwd,
    session,
    ...(provider === undefined ? {} : { provider }),
  });
}

/**
 * Today: live episodes in three worktrees, a worker that died, a worktree that was deleted under its episode,
 * a close that was killed between write and publish, and an open file copied from another checkout.
 */
export async function playPresent(stage: Stage, worktrees: Worktrees, now: number): Promise<void> {
  const { main, parser, harbours, spike } = worktrees;
  const own = process.pid;
  const dead = startStandIn();
  await begin(stage, harbours, "demo-harbours", now - 5 * HOUR, own);
  await stage.record(harbours, "demo-harbours", [
    {
      event: "decision.recorded",
      payload: { task_id: "none", decision: "Harbour names are kept in their own spelling" },
    },
  ]);

  await begin(stage, spike, "demo-spike", now - 3 * HOUR, own);
  await stage.record(
    spike,
    "demo-spike",
    Array.from({ length: 9 }, () => ({ event: "task.checkpoint", payload: { task_id: "none" } })),
  );
  writeAtomic(join(spike, "unsaved.ts"), "// never committed\n");
  await openPorcelain(main, stage.surroundings.environment).removeWorktreeByForce(spike);

  await begin(stage, main, "demo-dead", now - 95 * MINUTE, dead.pid);
  await askAboutNeaps(stage, main, "demo-dead");

  await begin(stage, main, "demo-killed", now - 80 * MINUTE, dead.pid);
  await leaveHalfPublished(stage, main, "demo-killed");
  await dead.end();

  await begin(stage, parser, "demo-parser", now - 40 * MINUTE, own, "codex");
  writeAtomic(join(parser, "src", "parse.ts"), "// streaming, half way\n");

  await begin(stage, main, "demo-current", now - 14 * MINUTE, own);
  await workOnHeights(stage, main, "demo-current");
  await rememberTheWeek(stage, main, now);
  stage.clock.set(now - MINUTE);
  await stage.fire({ kind: "stop", name: "Stop", cwd: main, session: "demo-current" });
  await copyForeign(stage, main, parser);
  writeAtomic(
    join(main, "src", "tides.ts"),
    'export const harbours = ["Douarnenez", "Fowey", "Stromness", "Whitby"];\n',
  );
}

/** What a close leaves behind that is killed after the record was written and before it had its name. */
async function leaveHalfPublished(stage: Stage, root: string, session: string): Promise<void> {
  const checkout = await stage.checkout(root);
  const entry = readRoster(checkout).entries.find(
    (candidate) => candidate.registration?.registration.raw_id === session,
  );
  if (entry === undefined) return;
  const { lines } = episodeLines(checkout, entry.sessionId);
  const record = composeClosed(checkout, entry, lines, "interrupted", undefined);
  makeDirectory(checkout.layout.sessions);
  const path = join(checkout.layout.sessions, ".tmp.d3m0a1");
  writeAtomic(path, formatClosedSession(record), { mode: 0o600 });
  // Recovery leaves young files alone: this one was left a day ago.
  const old = (stage.clock.now() - 24 * HOUR) / 1000;
  utimesSync(path, old, old);
}

/** An open file of another worktree, copied into this store: shown as foreign, never touched. */
async function copyForeign(stage: Stage, main: string, parser: string): Promise<void> {
  const checkout = await stage.checkout(main);
  const text = formatOpenEpisode({
    session_id: "s-20260831090000-beef",
    started_at: "2026-08-31T09:00:00Z",
    owner: "wren",
    provider: "claude-code",
    provider_session: "copied-from-parser",
    repository_id: checkout.localRepositoryId,
    worktree: parser,
    branch: "feat/parser",
    start_head: checkout.head ?? "NONE",
    start_working_tree: "clean",
  });
  writeAtomic(join(checkout.layout.sessionsOpen, "copied-from-parser.yaml"), text, { mode: 0o600 });
}
