import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lab } from "./lab.ts";

const WAIT = { timeout: 60_000, interval: 250 };
let lab: Lab;

beforeEach(() => {
  lab = new Lab();
});
afterEach(() => lab.close());

function waitFor(event: string, times = 1): Promise<void> {
  return vi.waitFor(() => {
    expect(
      lab.received().filter((seen) => seen === event).length,
      lab.received().join(", "),
    ).toBeGreaterThanOrEqual(times);
  }, WAIT);
}

/** Starts the tool in a terminal and waits until it has opened its episode. */
async function startInteractive(...arguments_: string[]): Promise<void> {
  const before = lab.received().filter((seen) => seen.startsWith("SessionStart")).length;
  lab.interactive(...arguments_);
  await vi.waitFor(() => {
    expect(lab.received().filter((seen) => seen.startsWith("SessionStart")).length).toBeGreaterThan(before);
  }, WAIT);
}

async function turn(text: string): Promise<void> {
  const before = lab.received().filter((seen) => seen === "Stop").length;
  lab.say(text);
  await waitFor("Stop", before + 1);
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

  it("goes on in a new episode that continues the closed one when the session is resumed", () => {
    const first = JSON.parse(lab.headless("-p", "one", "--output-format", "json").stdout) as {
      session_id: string;
    };
    lab.headless("-p", "two", "--resume", first.session_id, "--output-format", "json");
    expect(lab.received().filter((seen) => seen.startsWith("SessionStart"))).toEqual([
      "SessionStart startup",
      "SessionStart resume",
    ]);
    expect(lab.records()).toHaveLength(2);
    expect(readFileSync(join(lab.root, ".ai", "local", "state", "ledger.jsonl"), "utf8")).toContain(
      '"continues":"s-',
    );
  });
});

describe("Claude Code, in a terminal", () => {
  it("keeps its episode through a compaction, and is briefed again", async () => {
    await startInteractive();
    await turn("hello there");
    // A conversation of one turn has nothing to compact.
    await turn("hello again");
    lab.say("/compact");
    await waitFor("PreCompact");
    await waitFor("SessionStart compact");
    await waitFor("PostCompact");
    await turn("after the compaction");
    expect(lab.episodes()).toHaveLength(1);
    expect(lab.records()).toHaveLength(0);
  });

  it("closes one episode and opens another at /clear", async () => {
    await startInteractive();
    await turn("hello there");
    lab.say("/clear");
    await waitFor("SessionStart clear");
    await turn("fresh");
    expect(lab.records()).toHaveLength(1);
    expect(lab.episodes()).toHaveLength(1);
  });

  it("leaves an interrupted record when it is terminated", async () => {
    await startInteractive();
    await turn("hello there");
    process.kill(lab.pid, "SIGTERM");
    await waitFor("SessionEnd");
    await vi.waitFor(() => expect(lab.records()).toHaveLength(1), WAIT);
    const [name = ""] = lab.records();
    expect(readFileSync(join(lab.root, ".ai", "repo", "sessions", name), "utf8")).toContain(
      "outcome: interrupted",
    );
  });

  it("leaves a record when its terminal is closed", async () => {
    await startInteractive();
    await turn("hello there");
    lab.closeTerminal();
    await vi.waitFor(() => expect(lab.records()).toHaveLength(1), WAIT);
  });

  it("leaves an episode whose worker is gone when it is killed, and recovery closes it once", async () => {
    await startInteractive();
    await turn("hello there");
    process.kill(lab.pid, "SIGKILL");
    await vi.waitFor(() => expect(lab.episodes()[0]?.worker_state).toBe("gone"), WAIT);
    expect(lab.received()).not.toContain("SessionEnd");
    expect(lab.majordomus("recover", "episodes")).toContain("worker gone");
    expect(lab.records()).toHaveLength(1);
    expect(lab.majordomus("recover", "episodes")).toContain("nothing to recover");
    expect(lab.records()).toHaveLength(1);
  });
});
