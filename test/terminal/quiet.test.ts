import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import {
  ago,
  EPISODES,
  episode,
  episodesAnswer,
  historyLines,
  historyAnswer,
} from "../support/console-answers.ts";
import { bundleConsole } from "../support/console-bundle.ts";
import { eventually, openConsole, replaceFile } from "../support/console-session.ts";
import type { ConsoleSession } from "../support/console-session.ts";

let program = "";
beforeAll(async () => {
  program = await bundleConsole();
});

/** Makes the console ask for everything again, and waits for the answers. */
async function askAgain(session: ConsoleSession): Promise<void> {
  const before = session.asked("history.query").length;
  const path = join(session.directory, "answers.json");
  replaceFile(path, readFileSync(path, "utf8"));
  await eventually(() => expect(session.asked("history.query").length).toBeGreaterThan(before));
  // An answer is drawn within a frame; a further question proves that several have passed.
  const more = session.asked("history.query").length;
  replaceFile(path, readFileSync(path, "utf8"));
  await eventually(() => expect(session.asked("history.query").length).toBeGreaterThan(more));
  await session.drawn();
}

/** Waits for every pane of the overview, and for the doctor, who takes longest. */
async function settled(session: ConsoleSession): Promise<void> {
  for (const text of ["pid 4411 ended", "would resume", "1 offer", "health 1 FAIL"])
    await session.shows(text);
}

describe("a console on which nothing changes", () => {
  it("sends no byte, whatever it reads again", async () => {
    const session = await openConsole(program, { columns: 120, rows: 40 });
    await settled(session);
    await askAgain(session);
    const { length } = session.raw();
    await askAgain(session);
    await askAgain(session);
    expect(session.raw().slice(length)).toBe("");
    session.write("q");
    await eventually(() => expect(session.exited()).toBe(0));
  });

  it("sends little for one row that changed", async () => {
    const session = await openConsole(program, { columns: 120, rows: 40 });
    await settled(session);
    await askAgain(session);
    const { length } = session.raw();
    const changed = EPISODES.map((one) =>
      one.provider === "codex" ? { ...one, branch: "a/new-name", last_activity: ago(1) } : one,
    );
    session.answer({ "lifecycle.episodes": episodesAnswer(changed) });
    await session.shows("a/new-name");
    await session.drawn();
    expect(Buffer.byteLength(session.raw().slice(length))).toBeLessThanOrEqual(400);
    session.write("q");
    await eventually(() => expect(session.exited()).toBe(0));
  });
});

describe("a console that is drawn anew", () => {
  it("after many sizes shows what a new one shows, and never erases the scrollback", async () => {
    const answers = {
      "lifecycle.episodes": episodesAnswer([
        ...EPISODES,
        ...Array.from({ length: 500 }, (_, index) => episode(String(1000 + index))),
      ]),
      "history.query": historyAnswer(historyLines(900)),
    };
    const session = await openConsole(program, { columns: 120, rows: 40, answers });
    await session.shows("pid 4411 ended");
    session.write("jjjjjjj");
    for (let turn = 0; turn < 50; turn++) {
      session.resize(40 + ((turn * 37) % 161), 10 + ((turn * 13) % 51));
      session.write(turn % 2 === 0 ? "j" : "k");
    }
    session.resize(90, 30);
    session.write("gjj");
    const fresh = await openConsole(program, { columns: 90, rows: 30, answers });
    await fresh.shows("worktree gone");
    fresh.write("jj");
    await eventually(() => {
      expect(fresh.text()).toMatch(/▸○ open/);
      expect(session.rows()).toEqual(fresh.rows());
    });
    expect(session.raw()).not.toContain("\u001B[3J");
    session.write("q");
    fresh.write("q");
    await eventually(() => expect([session.exited(), fresh.exited()]).toEqual([0, 0]));
  });

  it("says how large it needs to be", async () => {
    const session = await openConsole(program, { columns: 40, rows: 10 });
    await session.shows("Episodes");
    session.resize(39, 10);
    await session.shows("40×10 needed, this is 39×10");
    session.resize(60, 24);
    await session.shows("Stranded");
    session.write("q");
    await eventually(() => expect(session.exited()).toBe(0));
  });
});
