import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Moment } from "../../../src/core/git/moment.ts";
import { describePrompts, findPrompt } from "../../../src/core/health/prompts/prompts-here.ts";
import { renderPrompt } from "../../../src/core/health/prompts/render.ts";
import { addDecision } from "../../../src/core/task/decisions.ts";
import { writeHandover } from "../../../src/core/task/handover.ts";
import { addQuestion } from "../../../src/core/task/questions.ts";
import { newPlace } from "../../support/checkout.ts";
import { newWork, NOTE } from "./support/work.ts";
import type { Work } from "./support/work.ts";

async function render(work: Work, body: string): Promise<string> {
  const directory = join(work.root, ".ai/repo/prompts");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "probe.md"), `---\nname: probe\n---\n${body}`);
  const checkout = await work.checkout();
  return renderPrompt(checkout, findPrompt(checkout, "probe"), () => "# Context\nline\n");
}

describe("a rendered prompt", () => {
  it("has every inline token's value", async () => {
    const work = await newWork();
    const checkout = await work.checkout();
    expect(
      await render(
        work,
        "{{TASK_ID}}|{{TASK}}|{{PROFILE}}|{{SCOPE}}|{{OWNER}}|{{BRANCH}}|{{HEAD}}|{{WORKING_TREE}}|{{REPOSITORY}}|{{NOW}}\n",
      ),
    ).toBe(
      `${work.task.id}|split the parser|implementation|lib|tester|main|${checkout.head ?? ""}|dirty|${work.root}|2026-09-04T12:00:00Z\n`,
    );
  });

  it("says so where there is no task", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const text = renderPrompt(checkout, findPrompt(checkout, "debug"), () => "");
    expect(text).toContain("Task none: no task\nScope: none\n");
    expect(text).toContain("None for this worktree and branch.");
  });

  it("says that the task is unknown where its record cannot be read, and why", async () => {
    const work = await newWork();
    const { layout } = await work.checkout();
    writeFileSync(layout.task, "task: without an id\n");
    const text = await render(work, "{{TASK_ID}}|{{SCOPE}}|{{BRANCH}}|{{TASK}}\n");
    expect(text).toMatch(/^unknown\|unknown\|main\|unknown \(the task record cannot be read: id: .*\)\n$/u);
  });

  it("has its blocks: questions, decisions, context", async () => {
    const work = await newWork();
    const checkout = await work.checkout();
    addQuestion(checkout, "Which port?", {});
    addDecision(checkout, { title: "Keep one store", why: "two clocks" }, {});
    const text = await render(work, "{{OPEN_QUESTIONS}}\n--\n{{DECISIONS}}\n--\n{{CONTEXT}}\n");
    expect(text).toBe(
      `OPEN QUESTIONS\n\n- Which port? (${work.task.id}, 2026-09-04)\n--\n` +
        "DECISIONS\n\n- 2026-09-04 — Keep one store\n  Why: two clocks\n--\n# Context\nline\n",
    );
  });

  it("quotes the handover with its labels, and keeps back what a stale one says to do", async () => {
    const work = await newWork();
    const checkout = await work.checkout();
    writeHandover(
      checkout,
      NOTE.replace("Nothing.", "Push the button."),
      {},
      {},
      new Moment(checkout.repository, checkout.head),
    );
    const fresh = await render(work, "{{HANDOVER}}\n");
    expect(fresh).toMatch(/\(same_worktree_same_branch, exact, fresh, 0m ago\)/u);
    expect(fresh).toContain("> Push the button.");
    work.clock.forward(6 * 24 * 60);
    const stale = await render(work, "{{HANDOVER}}\n");
    expect(stale).toContain("> # Objective");
    expect(stale).toContain("It is stale: 6d old");
    expect(stale).not.toContain("Push the button");
  });

  it("has the decisions that stand, and counts those that a later one replaced", async () => {
    const work = await newWork();
    const checkout = await work.checkout();
    addDecision(checkout, { title: "One cache", why: "two clocks" }, {});
    addDecision(checkout, { title: "Two caches", why: "one was slow", supersedes: "One cache" }, {});
    expect(await render(work, "{{DECISIONS}}\n")).toBe(
      "DECISIONS\n\n- 2026-09-04 — Two caches\n  Why: one was slow\n- ... and 1 that a later decision replaced\n",
    );
  });

  it("passes on no control characters and reads no value for a token", async () => {
    const work = await newWork();
    appendFileSync(
      join(work.root, ".ai/local/state/open-questions.md"),
      "- [unresolved] t-1 — \u001b[2J{{CONTEXT}}\u202e? (2026-09-04)\n",
    );
    const text = await render(work, "{{OPEN_QUESTIONS}}\n");
    expect(text).toContain("␛[2J{{CONTEXT}}\\u{202e}?");
  });

  it("is refused for a token that nothing fills, by file and line", async () => {
    const work = await newWork();
    await expect(render(work, "fine\n{{TEA}} {{COFFEE}}\n")).rejects.toMatchObject({
      code: "prompt.token",
      exit: 10,
      subject: expect.stringMatching(/probe\.md:5$/u),
      message: "{{TEA}} is not a token; and 1 more",
    });
    await expect(render(work, "see {{CONTEXT}}\n")).rejects.toMatchObject({ exit: 10 });
  });
});

describe("the prompts of a layer", () => {
  it("can all be rendered as init writes them", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const { prompts, skipped } = describePrompts(checkout);
    expect(prompts.map(({ name, faults }) => [name, faults])).toEqual([
      ["continue", []],
      ["debug", []],
      ["handover", []],
      ["review", []],
    ]);
    expect(skipped).toEqual([]);
    for (const { name } of prompts) {
      expect(renderPrompt(checkout, findPrompt(checkout, name), () => "CONTEXT")).not.toContain("{{");
    }
  });

  it("are asked by name", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    expect(() => findPrompt(checkout, "none-such")).toThrow(expect.objectContaining({ exit: 12 }));
    writeFileSync(join(place.root, ".ai/repo/prompts/broken.md"), "x");
    expect(() => findPrompt(checkout, "broken")).toThrow(expect.objectContaining({ exit: 10 }));
  });
});
