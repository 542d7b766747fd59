import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import type { StateAnswer } from "../../../src/core/lifecycle/answers.ts";
import { rewriteTask } from "../../../src/core/records/task.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile } from "../../support/repository.ts";

/** What cannot be read is unknown, and never none (promises 29 and 49). */

const OBSTACLES: Readonly<Record<string, (path: string) => void>> = {
  "a directory": (path) => mkdirSync(path),
  "a FIFO": (path) => execFileSync("mkfifo", [path]),
  "a link": (path) => symlinkSync("/nowhere", path),
};

function obstruct(path: string, make: (path: string) => void): void {
  rmSync(path, { force: true });
  make(path);
}

async function placeWithTask(): Promise<Place> {
  const place = await newPlace();
  await ask(place, "task.start", { task: "split the parser", scope: ["lib"] });
  return place;
}

async function ask(place: Place, id: string, input: object = {}): Promise<unknown> {
  return runCapability(await place.checkout(), id, input);
}

/** The text of a section of a Markdown body, its heading left out. */
function section(text: string, heading: string): string {
  const [, rest = ""] = text.split(`# ${heading}\n\n`);
  return (rest.split(/\n# |\n---/u)[0] ?? "").trim();
}

function onlyFile(directory: string): string {
  const [name = ""] = readdirSync(directory).filter((file) => /^\d{8}T.*\.md$/u.test(file));
  return readFileSync(join(directory, name), "utf8");
}

function breakTask(path: string): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replace("outcome: active", "outcome: weird"));
}

describe("a question index that is no file", () => {
  it.each(Object.entries(OBSTACLES))(
    "%s: every record and answer says that it is unknown",
    async (_, make) => {
      const place = await placeWithTask();
      await place.fire("start", "s");
      const { layout } = await place.checkout();
      obstruct(layout.questions, make);

      expect(await place.fire("start", "s")).toContain("BLOCKED: open questions unknown: the question index");
      const state = (await ask(place, "continuity.state")) as StateAnswer;
      expect(state.blockers).toBeUndefined();
      expect(state.blockers_unknown).toContain("the question index cannot be read");
      const { text } = (await ask(place, "handover.write", { derive: true, dry_run: true })) as {
        text: string;
      };
      expect(section(text, "Open Questions")).toMatch(/^Unknown: the question index cannot be read: .*\.$/u);
      expect(section(text, "Next Action")).toMatch(/^Put it right first: the question index cannot be read/u);

      commitFile(place.root, "a.ts", "a");
      await place.fire("end", "s");
      expect(section(onlyFile(layout.sessions), "Open Questions")).toMatch(/^Unknown: the question index/u);
      expect(section(onlyFile(layout.handovers), "Open Questions")).toMatch(/^Unknown: the question index/u);
      expect(onlyFile(layout.checkpoints)).toContain("\nUnknown: the question index cannot be read: ");
    },
  );

  it("with a line that may hide one still lists the others", async () => {
    const place = await placeWithTask();
    const { layout } = await place.checkout();
    await ask(place, "question.add", { question: "Which port?" });
    writeFileSync(
      layout.questions,
      `${readFileSync(layout.questions, "utf8")}- [unresolvd] none — x (2026-09-04)\n`,
    );
    const briefing = await place.fire("start", "s");
    expect(briefing).toContain("BLOCKED: 1 open question(s)");
    expect(briefing).toContain("BLOCKED: open questions unknown: line ");
    await place.fire("end", "s");
    expect(section(onlyFile(layout.sessions), "Open Questions")).toMatch(
      /^- Which port\?\n\nUnknown: line \d+ of the question index is no question line: it may hide one\.$/u,
    );
  });
});

describe("a task record that cannot be read", () => {
  it("is named in the briefing, the context and the state, which do not say that there is none", async () => {
    const place = await placeWithTask();
    breakTask((await place.checkout()).layout.task);
    const briefing = await place.fire("start", "s");
    expect(briefing).toContain("Active task unknown: the task record cannot be read: outcome: ");
    expect(briefing).not.toContain("No active task");
    const context = (await ask(place, "context.build")) as {
      task: unknown;
      task_unknown?: string;
      text: string;
      excluded: { item: string; reason: string }[];
    };
    expect(context).toMatchObject({ task: null, task_unknown: expect.stringContaining("cannot be read") });
    expect(context.text).not.toContain("none in this checkout");
    expect(context.excluded).toContainEqual({
      item: "task",
      reason: expect.stringContaining("the task record cannot be read: outcome: "),
    });
    const { reason } = context.excluded.find(({ item }) => item === "files") ?? {};
    expect(reason).toBe("whose task it would be is unknown");
    const state = (await ask(place, "continuity.state")) as StateAnswer;
    expect(state).toMatchObject({ task_unknown: expect.stringContaining("cannot be read") });
    expect(state.task).toBeUndefined();
  });

  it.each([
    ["checkpoint.write", { body: "Half." }],
    ["checkpoint.write", { derive: true }],
    ["decision.add", { title: "One cache", why: "two clocks" }],
    ["question.add", { question: "Which port?" }],
    ["handover.write", { derive: true }],
    ["handover.write", { body: "# Objective\na\n\n# Current State\nb\n\n# Next Action\nc\n" }],
  ])("refuses %s of %j: nothing is filed under none, nothing is written", async (id, input) => {
    const place = await placeWithTask();
    const { layout } = await place.checkout();
    breakTask(layout.task);
    const before = [layout.ledger, layout.decisions, layout.questions].map((path) =>
      readFileSync(path, "utf8"),
    );
    await expect(ask(place, id, input)).rejects.toMatchObject({ exit: 10, subject: layout.task });
    expect(
      [layout.ledger, layout.decisions, layout.questions].map((path) => readFileSync(path, "utf8")),
    ).toEqual(before);
    expect([layout.checkpoints, layout.handovers].flatMap((path) => readdirSync(path))).toEqual([]);
  });

  it("keeps nobody from a handover that is said to be of no task", async () => {
    const place = await placeWithTask();
    const { layout } = await place.checkout();
    breakTask(layout.task);
    await ask(place, "handover.write", { derive: true, no_task: true });
    expect(section(onlyFile(layout.handovers), "Objective")).toMatch(/^This handover is of no task/u);
  });

  it("does not stop an end: what it writes says that the task is unknown, and names none", async () => {
    const place = await placeWithTask();
    await place.fire("start", "s");
    const { layout, common } = await place.checkout();
    breakTask(layout.task);
    await place.fire("end", "s");
    const record = onlyFile(layout.sessions);
    expect(record).not.toMatch(/^(?:task_id|profile): /mu);
    expect(section(record, "Outcome")).toContain("Unknown: the task record cannot be read: outcome: ");
    expect(onlyFile(layout.checkpoints)).toContain("\nUnknown: the task record cannot be read: outcome: ");
    const [journal = ""] = readdirSync(common.events);
    expect(readFileSync(join(common.events, journal), "utf8")).toMatch(
      /"step":"checkpoint","result":"done",[^}]*"reason":"the task record cannot be read/u,
    );
  });

  it("that is put right is filed under as before", async () => {
    const place = await placeWithTask();
    const { layout } = await place.checkout();
    const whole = readFileSync(layout.task, "utf8");
    breakTask(layout.task);
    writeFileSync(layout.task, rewriteTask(whole, { outcome: "blocked" }));
    expect(await ask(place, "checkpoint.write", { body: "Half." })).toMatchObject({
      task_id: expect.stringMatching(/^t-/u),
    });
  });
});

describe("a decision log that cannot be read", () => {
  it("is unknown in a derived handover", async () => {
    const place = await placeWithTask();
    const { layout } = await place.checkout();
    obstruct(layout.decisions, (path) => mkdirSync(path));
    const { text } = (await ask(place, "handover.write", { derive: true, dry_run: true })) as {
      text: string;
    };
    expect(section(text, "Decisions")).toBe(
      "Unknown: the decision log cannot be read: is a directory, not a regular file.",
    );
  });
});

describe("a checkpoint that cannot be read", () => {
  it("is named in a derived handover, before the one that is told instead; one that is gone is not", async () => {
    const place = await placeWithTask();
    const { layout } = await place.checkout();
    const checkpoint = async (body: string): Promise<string> => {
      place.clock.forward(1);
      const { path } = (await ask(place, "checkpoint.write", { body })) as { path: string };
      return join(place.root, path);
    };
    const state = async (): Promise<string> => {
      const given = { derive: true, dry_run: true };
      const { text } = (await ask(place, "handover.write", given)) as { text: string };
      return section(text, "Current State");
    };
    await checkpoint("The first.");
    const second = await checkpoint("The second.");
    const third = await checkpoint("The third.");
    expect(await state()).toContain("Newest checkpoint:\n\n> The third.");
    writeFileSync(third, "torn");
    expect(await state()).toMatch(
      /\nUnknown: the checkpoint \S+\.md cannot be read: .+\.\n\nNewest checkpoint that can be read:\n\n> The second\.$/u,
    );
    for (const path of [second, third]) rmSync(path);
    expect(await state()).toMatch(/\n\nNewest checkpoint:\n\n> The first\.$/u);
    for (const name of readdirSync(layout.checkpoints)) {
      obstruct(join(layout.checkpoints, name), (path) => mkdirSync(path));
    }
    expect(await state()).toMatch(/\n\nUnknown: the checkpoint \S+\.md cannot be read: is a directory/u);
  });
});

describe("directories of ours that are links", () => {
  it("are refused by their names, each of them", async () => {
    const place = await newPlace();
    const { root } = place;
    const elsewhere = join(root, "elsewhere");
    mkdirSync(elsewhere);
    await place.fire("start", "s");
    const state = ["handovers", "checkpoints", "archive", "completed", "mcp"];
    const common = [
      "events",
      "episodes",
      "ended",
      "journal",
      "records",
      "spool",
      "cache",
      "locks",
      "task-ids",
    ];
    const ours = [
      ...state.map((name) => join(".ai/local/state", name)),
      ...common.map((name) => join(".git/majordomus", name)),
      ".ai/local/session-contexts",
      ".ai/local/evidence",
      ".ai/repo/sessions",
      ".ai/repo/knowledge",
      ".ai/repo/knowledge/candidates",
      ".git/majordomus",
    ];
    for (const directory of ours) {
      const path = join(root, directory);
      const aside = `${path}.aside`;
      mkdirSync(path, { recursive: true });
      execFileSync("mv", [path, aside]);
      symlinkSync(elsewhere, path);
      // oxlint-disable-next-line no-await-in-loop
      await expect(place.checkout(), directory).rejects.toMatchObject({ exit: 15, subject: path });
      rmSync(path);
      execFileSync("mv", [aside, path]);
    }
    await expect(place.checkout()).resolves.toBeDefined();
  });
});
