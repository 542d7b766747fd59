import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lab } from "./lab.ts";

const WAIT = { timeout: 60_000, interval: 100 };
/** The console looks at everything each two seconds, whatever its watches tell it. */
const CONSOLE_BOUND = 2000;
/** A slow machine is no fault of the console: it fails at five times its bound. */
const PATIENCE = 5;
let lab: Lab;
const shown: { what: string; milliseconds: number }[] = [];

beforeEach(async () => {
  lab = await Lab.open();
});
afterEach(() => lab.close());
afterAll(() => {
  const rows = shown.map(
    ({ what, milliseconds }) => `  ${what.padEnd(56)} ${String(milliseconds).padStart(6)}`,
  );
  console.log(["shown by the console after (ms)", ...rows].join("\n"));
});

function times(event: string): number {
  return lab.received().filter((seen) => seen === event).length;
}

function waitFor(event: string, count = 1): Promise<void> {
  return vi.waitFor(() => {
    expect(times(event), lab.received().join(", ")).toBeGreaterThanOrEqual(count);
  }, WAIT);
}

/** Waits until the console shows what has just happened, and notes how long that took. */
async function consoleShows(what: string, ...patterns: RegExp[]): Promise<void> {
  const since = performance.now();
  const limit = { timeout: CONSOLE_BOUND * PATIENCE, interval: 20 };
  await vi.waitFor(() => {
    const screen = lab.console();
    for (const pattern of patterns) expect(screen).toMatch(pattern);
  }, limit);
  shown.push({ what, milliseconds: Math.round(performance.now() - since) });
}

/** Waits for so many starts in all, whatever started them. */
function waitForStart(count: number): Promise<void> {
  return vi.waitFor(() => {
    const starts = lab.received().filter((seen) => seen.startsWith("SessionStart"));
    expect(starts.length, lab.received().join(", ")).toBeGreaterThanOrEqual(count);
  }, WAIT);
}

/** Starts the tool in a terminal and waits until it has opened its episode. */
async function startInteractive(...arguments_: string[]): Promise<void> {
  const starts = (): number => lab.received().filter((seen) => seen.startsWith("SessionStart")).length;
  const before = starts();
  await lab.interactive(...arguments_);
  await vi.waitFor(() => expect(starts()).toBeGreaterThan(before), WAIT);
}

/** The console beside the tool, when both have begun. */
async function startBoth(): Promise<void> {
  lab.openConsole();
  await vi.waitFor(() => expect(lab.console()).toContain("no worker has an episode open"), WAIT);
  await startInteractive();
  await consoleShows("a session started", /Episodes ─+ 1 open/, /● current +s-…\S{4} +claude-code/);
}

async function turn(text: string): Promise<void> {
  const before = times("Stop");
  await lab.say(text);
  await waitFor("Stop", before + 1);
}

function recordText(name: string): string {
  return readFileSync(join(lab.root, ".ai", "repo", "sessions", name), "utf8");
}

/** The one open episode. */
function openEpisode(): string {
  const open = lab.episodes();
  expect(open).toHaveLength(1);
  return open[0]?.session_id ?? "";
}

describe("Claude Code, headless", () => {
  it("fires our hooks in order, is briefed, and leaves one closed record", () => {
    const { status } = lab.headless(
      "-p",
      "hello TOOL:bash",
      "--allowedTools",
      "Bash",
      "--output-format",
      "json",
    );
    expect(status).toBe(0);
    expect(lab.received()).toEqual(["SessionStart startup", "UserPromptSubmit", "Stop", "SessionEnd"]);
    expect(lab.requests()).toContain("Majordomus — what this repository already knows");
    expect(lab.requests()).toMatch(/Episode s-\d{14}-[0-9a-f]{4}, on main/);
    expect(lab.records()).toHaveLength(1);
    expect(lab.episodes()).toEqual([]);
  });

  it("goes on in a new episode that continues the closed one when it is resumed, and when it is forked", () => {
    const first = JSON.parse(lab.headless("-p", "one", "--output-format", "json").stdout) as {
      session_id: string;
    };
    const resume = ["--resume", first.session_id, "--output-format", "json"];
    lab.headless("-p", "two", ...resume);
    lab.headless("-p", "three", "--fork-session", ...resume);
    const [, , forked] = lab.received().filter((seen) => seen.startsWith("SessionStart"));
    expect(lab.records()).toHaveLength(3);
    const started = lab
      .ledger()
      .split("\n")
      .filter((line) => line.includes('"event":"session.started"'))
      .map((line) => JSON.parse(line) as { session: string; continues?: string });
    const [one, two, three] = started;
    expect(one?.continues).toBeUndefined();
    expect([two?.continues, three?.continues]).toEqual([one?.session, two?.session]);
    if (forked === "SessionStart fork") {
      expect(started).toHaveLength(3);
      expect(lab.episodes()).toEqual([]);
    } else {
      // Versions around 2.1.197 start the session that is left, and prompt in another that nothing announced: the
      // first of them is an episode without a worker, for a person to recover.
      expect(started).toHaveLength(4);
      expect(lab.episodes()).toMatchObject([{ session_id: three?.session, worker_state: "gone" }]);
    }
  });
});

describe("Claude Code in a terminal, the console beside it", () => {
  it("keeps its episode through a compaction, and is briefed again", async () => {
    await startBoth();
    const episode = openEpisode();
    await turn("hello there");
    // A conversation of one turn has nothing to compact.
    await turn("hello again");
    await lab.say("/compact");
    await waitFor("PreCompact");
    await waitFor("SessionStart compact");
    await waitFor("PostCompact");
    await consoleShows(
      "/compact: its checkpoint in the ledger's tail",
      /task\.checkpoint/,
      /Episodes ─+ 1 open/,
    );
    await turn("after the compaction");
    expect(openEpisode()).toBe(episode);
    expect(lab.records()).toHaveLength(0);
    expect(lab.requestWith("after the compaction")).toContain(`Episode ${episode}`);
  });

  it("closes one episode and opens another at /clear", async () => {
    await startBoth();
    const before = openEpisode();
    await turn("hello there");
    await lab.say("/clear");
    await waitFor("SessionStart clear");
    await consoleShows(
      "/clear: one closed, another open",
      /1 closed/,
      /Episodes ─+ 1 open/,
      /session\.closed/,
    );
    await turn("fresh");
    expect(lab.records()).toHaveLength(1);
    expect(openEpisode()).not.toBe(before);
    expect(lab.requestWith("fresh")).toContain(`Episode ${openEpisode()}`);
  });

  it("goes on in a new episode that continues its own when it is branched", async () => {
    await startBoth();
    const before = openEpisode();
    await turn("hello there");
    await lab.say("/branch");
    await waitForStart(2);
    await consoleShows("/branch: one closed, another open", /1 closed/, /Episodes ─+ 1 open/);
    await turn("on the branch");
    expect(openEpisode()).not.toBe(before);
    expect(lab.ledger()).toContain(`"continues":"${before}"`);
  });

  it("leaves a record at its end, and goes on from it when it is resumed", async () => {
    await startBoth();
    const before = openEpisode();
    await turn("hello there");
    await lab.say("/exit");
    await waitFor("SessionEnd");
    await consoleShows("/exit: closed", /1 closed/, /no worker has an episode open/);
    await startInteractive("--continue");
    await consoleShows("--continue: open again", /Episodes ─+ 1 open/, /1 closed/);
    expect(lab.received()).toContain("SessionStart resume");
    expect(lab.ledger()).toContain(`"continues":"${before}"`);
    expect(recordText(lab.records()[0] ?? "")).toContain("outcome: closed");
  });

  it("leaves an interrupted record when it is terminated", async () => {
    await startBoth();
    await turn("hello there");
    process.kill(lab.pid, "SIGTERM");
    await waitFor("SessionEnd");
    await consoleShows("SIGTERM: closed", /1 closed/, /no worker has an episode open/);
    expect(lab.records()).toHaveLength(1);
    expect(recordText(lab.records()[0] ?? "")).toContain("outcome: interrupted");
  });

  it("leaves a record when its terminal is closed", async () => {
    await startBoth();
    await turn("hello there");
    lab.closeTerminal();
    await waitFor("SessionEnd");
    await consoleShows("a closed terminal: closed", /1 closed/, /no worker has an episode open/);
    expect(recordText(lab.records()[0] ?? "")).toContain("outcome: interrupted");
  });

  it("leaves a stranded episode when it is killed, which a person recovers once", async () => {
    await startBoth();
    await turn("hello there");
    process.kill(lab.pid, "SIGKILL");
    await consoleShows("SIGKILL: the worker gone", /Stranded ─+ 1/, /✕ worker gone +s-…/);
    expect(lab.received()).not.toContain("SessionEnd");
    expect(lab.majordomus("recover", "episodes")).toContain("worker gone");
    await consoleShows("a recovery in another terminal", /nothing is stranded/, /recovered 1/);
    expect(lab.records()).toHaveLength(1);
    expect(lab.majordomus("recover", "episodes")).toContain("nothing to recover");
    expect(lab.records()).toHaveLength(1);
  });

  it("takes its episode up again when it is continued after a kill", async () => {
    await startBoth();
    const before = openEpisode();
    await turn("hello there");
    process.kill(lab.pid, "SIGKILL");
    await consoleShows("SIGKILL: the worker gone, again", /✕ worker gone +s-…/);
    await startInteractive("--continue");
    await consoleShows("--continue after a kill: alive again", /nothing is stranded/, /● current/);
    expect(openEpisode()).toBe(before);
    expect(lab.records()).toHaveLength(0);
  });
});
