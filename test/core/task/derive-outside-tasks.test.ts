import { mkdirSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";

async function act(place: Place, id: string, input: Record<string, unknown>): Promise<unknown> {
  return runCapability(await place.checkout(), id, input);
}

/** The handover that would be derived now. */
async function derived(place: Place): Promise<string> {
  const answer = await act(place, "handover.write", { derive: true, no_task: true, dry_run: true });
  return (answer as { text: string }).text;
}

async function recordAll(place: Place, mark: string): Promise<void> {
  await act(place, "checkpoint.write", { body: `Parsed ${mark}.` });
  await act(place, "question.add", { question: `Which port for ${mark}?` });
  await act(place, "decision.add", { title: `Keep ${mark}`, why: "w" });
}

describe("a handover that is derived with neither task nor episode", () => {
  it("counts and quotes what was recorded outside any task", async () => {
    const place = await newPlace();
    expect(await derived(place)).toContain("Nothing was checkpointed");
    await recordAll(place, "lib");
    const text = await derived(place);
    expect(text).toContain(
      "Recorded outside any task on main: 1 checkpoint(s), 1 decision(s), 1 question(s), 0 handover(s).",
    );
    expect(text).toContain("Newest checkpoint:\n\n> Parsed lib.");
    expect(text).not.toContain("Nothing was checkpointed");
    await act(place, "handover.write", { derive: true, no_task: true });
    expect(await derived(place)).toContain("1 question(s), 1 handover(s).");
  });

  it("knows what an ended episode recorded outside any task, and nothing of another branch", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await recordAll(place, "lib");
    await place.fire("end", "one", { reason: "other" });
    expect(await derived(place)).toContain("> Parsed lib.");
    git(place.root, "switch", "-q", "-c", "side");
    expect(await derived(place)).toContain(
      "Recorded outside any task on side: 0 checkpoint(s), 0 decision(s)",
    );
  });

  it("says nothing of a task that stands, where it is to be of none", async () => {
    const place = await newPlace();
    await recordAll(place, "alone");
    await act(place, "task.start", { task: "split the parser", scope: ["."] });
    await recordAll(place, "within");
    const text = await derived(place);
    expect(text).toContain("# Objective\n\nThis handover is of no task");
    expect(text).toContain("Recorded outside any task on main: 1 checkpoint(s)");
    expect(text).toContain("> Parsed alone.");
    expect(text).not.toContain("Parsed within.");
    expect(text).not.toContain("since the task started");
    const ofTask = await act(place, "handover.write", { derive: true, dry_run: true });
    expect(ofTask).toMatchObject({ text: expect.stringContaining("Recorded in this task: 1 checkpoint(s)") });
    expect(ofTask).toMatchObject({ text: expect.stringContaining("> Parsed within.") });
  });

  it("says of a log that it cannot be read, not that it is empty", async () => {
    const place = await newPlace();
    const { layout } = await place.checkout();
    for (const path of [layout.questions, layout.decisions]) {
      rmSync(path, { force: true });
      mkdirSync(path, { recursive: true });
    }
    const text = await derived(place);
    expect(text).toContain("# Decisions\n\nUnknown: the decision log cannot be read: ");
    expect(text).toContain("# Open Questions\n\nUnknown: the question index cannot be read: ");
  });
});
