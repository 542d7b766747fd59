import { beforeAll, describe, expect, it } from "vitest";
import { bundleConsole } from "../support/console-bundle.ts";
import { episodesAnswer, historyAnswer, PLAN, sessionId } from "../support/console-answers.ts";
import { eventually, openConsole } from "../support/console-session.ts";
import type { ConsoleSession } from "../support/console-session.ts";

let program = "";
beforeAll(async () => {
  program = await bundleConsole();
});

const SIZE = { columns: 100, rows: 30 };

/** The text of the row that the cursor stands on. */
function cursorRow(session: ConsoleSession): string {
  return session.rows().find((row) => row.includes("▸")) ?? "";
}

async function leave(session: ConsoleSession): Promise<void> {
  session.write("\u0003");
  await eventually(() => expect(session.exited()).toBeDefined());
}

async function openSettled(answers: Record<string, unknown> = {}): Promise<ConsoleSession> {
  const session = await openConsole(program, { ...SIZE, answers });
  await session.shows("s-…72ea");
  return session;
}

describe("keys", () => {
  it("are each counted when they come in one chunk", async () => {
    const session = await openSettled();
    session.write("jjj");
    await eventually(() => expect(cursorRow(session)).toContain("gemini"));
    session.write("jjkG");
    await eventually(() => expect(cursorRow(session)).toContain("foreign"));
    await leave(session);
  });

  it("go to the pane that has the focus now, however close they follow", async () => {
    const session = await openSettled();
    session.write("\tj");
    await eventually(() => expect(cursorRow(session)).toContain("worker gone"));
    session.write("\u001B[Z");
    session.write("j");
    await eventually(() => expect(cursorRow(session)).toMatch(/▸◐ open {5}codex/));
    await leave(session);
  });

  it("take back with Escape even when the next key comes with it", async () => {
    const session = await openSettled();
    session.write("?");
    await session.shows("Everywhere");
    session.write("\u001B2");
    await session.shows("Its ledger lines");
    expect(session.text()).not.toContain("Everywhere");
    await leave(session);
  });

  it("find an empty list without harm", async () => {
    const session = await openConsole(program, {
      ...SIZE,
      answers: { "lifecycle.episodes": episodesAnswer([]), "history.query": historyAnswer([], 0) },
    });
    await session.shows("no worker has an episode open");
    session.write("jkGg\r rcwey.X\u001B[A\u001B[B");
    session.write("\t\r\t\r2\r3\r7\r1");
    await session.shows("nothing is stranded");
    expect(session.asked("recover.apply")).toEqual([]);
    await leave(session);
  });

  it("do not act while they are pasted", async () => {
    const session = await openSettled();
    session.write("\t\u001B[200~r\r\rq\u001B[201~");
    session.write("/\u001B[200~fe\u001B]52;c;AAAA\u0007at\u001B[201~");
    await session.shows("/ fe");
    expect(session.asked("recover.plan")).toEqual([]);
    expect(session.exited()).toBeUndefined();
    expect(session.raw()).not.toContain("\u001B]52");
    await leave(session);
  });

  it("rename rows away without moving the cursor from its record", async () => {
    const session = await openSettled();
    session.write("jjj");
    await eventually(() => expect(cursorRow(session)).toContain("gemini"));
    const fewer = episodesAnswer().episodes?.filter((one) => one.session_id !== sessionId("7d02")) ?? [];
    session.answer({ "lifecycle.episodes": episodesAnswer(fewer) });
    await eventually(() => expect(session.text()).not.toContain("codex"));
    expect(cursorRow(session)).toContain("gemini");
    await leave(session);
  });
});

describe("what writes", () => {
  it("shows the plan first, and does it once however often Enter is pressed", async () => {
    const session = await openSettled();
    session.write("\tr");
    await session.shows("git lists no such worktree");
    expect(session.text()).toContain("uncommitted changes, if there were any");
    expect(session.text()).toContain(".ai/repo/sessions/20260904T180000Z--feat-x--72ea.md");
    expect(session.asked("recover.apply")).toEqual([]);
    session.write("\r\r\r");
    await session.shows("recovered s-…72ea, wrote ~/app/.ai/repo/sessions");
    expect(session.asked("recover.apply")).toEqual([
      { subject: "episodes", only: [`episode:${sessionId("72ea")}`], expect: "d1" },
    ]);
    await leave(session);
  });

  it("shows the plan again when it changed", async () => {
    const session = await openSettled({
      "recover.apply": { state: "changed", performed: [], failed: [], plan: { ...PLAN, digest: "d9" } },
    });
    session.write("\tr");
    await session.shows("git lists no such worktree");
    session.write("\r");
    await session.shows("The plan changed since it was shown");
    session.write("\r");
    await eventually(() => expect(session.asked("recover.apply")).toHaveLength(2));
    expect(session.asked("recover.apply").at(-1)).toMatchObject({ expect: "d9" });
    await leave(session);
  });

  it("does nothing at Escape", async () => {
    const session = await openSettled();
    session.write("c");
    await session.shows("Close this episode?");
    session.write("\u001B");
    await session.shows("Stranded");
    expect(session.asked("session.close")).toEqual([]);
    await leave(session);
  });

  it("can be cancelled, and asks before the console leaves it behind", async () => {
    const session = await openSettled({ "session.close": { $delay: 60_000, value: {} } });
    session.write("c");
    await session.shows("Close this episode?");
    session.write("\r");
    await session.shows("closing: records 2 of 5");
    expect(session.text()).toContain("X cancel");
    session.write("q");
    await session.shows("is still running");
    session.write("\u001B");
    await session.shows("X cancel");
    session.write("X");
    await session.shows("closing: cancelled");
    session.write("q");
    await eventually(() => expect(session.exited()).toBe(0));
  });
});

describe("what is slow", () => {
  it("never holds up a key", async () => {
    const session = await openConsole(program, {
      ...SIZE,
      answers: {
        "continuity.state": { $delay: 60_000, value: {} },
        "recover.plan": { $delay: 60_000, value: {} },
      },
    });
    await session.shows("s-…72ea");
    session.write("3");
    await session.shows("looking for what can be recovered: 2 of 5 records");
    session.write("2jj");
    await eventually(() => expect(cursorRow(session)).toContain("fix/io"));
    await leave(session);
  });

  it("or fails, leaves the other panes alone and says why", async () => {
    const error = {
      code: "ledger.unreadable",
      exit: 13,
      message: "permission denied",
      subject: "ledger.jsonl",
    };
    const session = await openConsole(program, { ...SIZE, answers: { "history.query": { $error: error } } });
    await session.shows("ledger.jsonl: permission denied");
    await session.shows("s-…72ea");
    expect(session.text()).toContain("worker gone");
    await leave(session);
  });
});
