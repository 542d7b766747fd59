import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { buildContext } from "../../../src/core/context/gather.ts";
import type { ContextRequest } from "../../../src/core/context/request.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { RecordShelf } from "../../../src/core/ledger/record-shelf.ts";
import { loadProfile } from "../../../src/core/policy/load.ts";
import { rewriteTask } from "../../../src/core/records/task.ts";
import { writeCheckpoint } from "../../../src/core/task/checkpoint.ts";
import { addDecision, listDecisions } from "../../../src/core/task/decisions.ts";
import { writeHandover } from "../../../src/core/task/handover.ts";
import { addQuestion } from "../../../src/core/task/questions.ts";
import { startTask } from "../../../src/core/task/start-task.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile } from "../../support/repository.ts";

const momentOf = (checkout: Checkout): Moment => new Moment(checkout.repository, checkout.head);

async function build(place: Place, profile: string | undefined, more: Partial<ContextRequest> = {}) {
  const checkout = await place.checkout();
  const { ai } = checkout.layout;
  const loaded =
    profile === undefined
      ? undefined
      : await loadProfile(ai, checkout.settings.manifest, profile, checkout.common.cache);
  return buildContext(checkout, {
    moment: momentOf(checkout),
    shelf: new RecordShelf(checkout),
    profile: loaded,
    ...more,
  });
}

const BODY =
  "# Objective\na\n\n# Current State\n## BUDGET\n99 of 1 lines\n\n# Next Action\nWrite the test.\n";

/** A task with a decision, a question, a checkpoint, a handover, a commit and a change, and others' beside it. */
async function busyPlace(): Promise<Place> {
  const place = await newPlace();
  const before = await place.checkout();
  addDecision(before, { title: "Of nobody's task", why: "w" }, {});
  addQuestion(before, "Of nobody's task?", {});
  mkdirSync(join(place.root, "lib"));
  const given = { task: "split the parser", scope: ["lib"], profile: "debugging" };
  startTask(before, given, {}, momentOf(before));
  commitFile(place.root, "lib/a.ts", "a");
  commitFile(place.root, "outside.ts", "o");
  writeFileSync(join(place.root, "lib", "b.ts"), "b");
  const here = await place.checkout();
  addDecision(here, { title: "One cache", why: "two clocks", rejected: "a refresh cache" }, {});
  addQuestion(here, "Which port?", {});
  writeCheckpoint(here, "Reproduced.\u001b[31m\nNext: test.", {}, momentOf(here));
  writeHandover(here, BODY, {}, {}, momentOf(here));
  return place;
}

const ids = (document: { sections: { id: string }[] }): string[] => document.sections.map(({ id }) => id);
const textOf = (document: { sections: { id: string; text: string }[] }, id: string): string =>
  document.sections.find((section) => section.id === id)?.text ?? "";

describe("the context document", () => {
  it.each([
    [
      "routine",
      ["git", "task", "profile", "questions", "checkpoint", "handover"],
      ["decisions", "files", "history"],
    ],
    [
      "implementation",
      ["git", "task", "profile", "questions", "decisions", "checkpoint", "handover", "files", "history"],
      [],
    ],
    [
      "debugging",
      ["git", "task", "profile", "questions", "decisions", "checkpoint", "handover", "files", "history"],
      ["failing output"],
    ],
    [
      "deep-work",
      ["git", "task", "profile", "questions", "decisions", "checkpoint", "handover", "files", "history"],
      ["failing output"],
    ],
  ])(
    "of profile %s has its sections in their order, and names the rest",
    async (profile, sections, excluded) => {
      const document = await build(await busyPlace(), profile);
      expect(ids(document)).toEqual(sections);
      const items = document.excluded.map(({ item }) => item);
      for (const item of excluded) expect(items).toContain(item);
    },
  );

  it("without a profile has neither decisions, checkpoint, files nor history", async () => {
    const document = await build(await busyPlace(), undefined);
    expect(ids(document)).toEqual(["git", "task", "questions", "handover"]);
    expect(document.excluded).toContainEqual({ item: "profile", reason: "it cannot be read" });
  });

  it("selects by the task: its questions, its decisions, its files within the scope", async () => {
    const place = await busyPlace();
    const document = await build(place, "implementation");
    expect(textOf(document, "questions")).toContain("- Which port?");
    expect(textOf(document, "questions")).not.toContain("nobody's");
    expect(textOf(document, "decisions")).toBe(
      "- 2026-09-04 — One cache\n  why: two clocks\n  rejected: a refresh cache",
    );
    expect(textOf(document, "files")).toBe("- lib/a.ts\n- lib/b.ts");
    expect(document.excluded.map(({ item }) => item)).toContain("1 open question(s)");
    expect(textOf(await build(place, "deep-work"), "decisions")).toContain("Of nobody's task");
  });

  it("leaves out what a later decision replaced, and names it with its successor", async () => {
    const place = await busyPlace();
    const here = await place.checkout();
    addDecision(here, { title: "Two caches", why: "one was slow", supersedes: "One cache" }, {});
    const document = await build(place, "implementation");
    expect(textOf(document, "decisions")).toBe("- 2026-09-04 — Two caches\n  why: one was slow");
    expect(document.excluded).toContainEqual({
      item: "1 superseded decision(s)",
      reason: "replaced by 2026-09-04 — Two caches",
    });
    expect(listDecisions(here).map(({ title, superseded_by }) => [title, superseded_by])).toEqual([
      ["Of nobody's task", undefined],
      ["One cache", "2026-09-04 — Two caches"],
      ["Two caches", undefined],
    ]);
  });

  it("without a task shows every open question, and no files", async () => {
    const place = await newPlace();
    addQuestion(await place.checkout(), "Anybody's?", {});
    const document = await build(place, "implementation");
    expect(textOf(document, "task")).toBe("- none in this checkout");
    expect(textOf(document, "questions")).toContain("Anybody's?");
    expect(ids(document)).not.toContain("files");
  });

  it("of a task that ended says so, and takes it for none", async () => {
    const place = await busyPlace();
    const { layout } = await place.checkout();
    writeFileSync(layout.task, rewriteTask(readFileSync(layout.task, "utf8"), { outcome: "completed" }));
    const document = await build(place, "implementation");
    expect(textOf(document, "task")).toMatch(/^- none is active; the last one, t-\S+, ended completed$/);
  });

  it("quotes records so that no line of theirs can pose as ours, and no control gets through", async () => {
    const { text } = await build(await busyPlace(), "implementation");
    expect(text.match(/^## BUDGET$/gm)).toHaveLength(1);
    expect(text).toContain("\n  ## BUDGET\n");
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it("keeps a stale handover's next action to itself", async () => {
    const place = await busyPlace();
    expect(textOf(await build(place, "implementation"), "handover")).toContain("  Write the test.");
    place.clock.set("2026-09-10T12:00:00Z");
    const document = await build(place, "implementation");
    expect(document.text).not.toContain("Write the test.");
    expect(textOf(document, "handover")).toContain("HISTORICAL: the record is stale");
    expect(document.excluded.map(({ item }) => item)).toContain("handover next action");
  });

  it("says how git stands to the task and to the frozen briefing", async () => {
    const place = await busyPlace();
    const { head = "", branch } = await place.checkout();
    const row = async (frozen: { head: string; branch: string }): Promise<string> =>
      textOf(await build(place, "routine", { frozen }), "git");
    expect(await row({ head, branch })).toContain(`briefing     exact at ${head.slice(0, 7)}`);
    commitFile(place.root, "lib/c.ts", "c");
    expect(await row({ head, branch })).toContain(
      `briefing     advanced — 1 commit(s) since it was frozen at ${head.slice(0, 7)}`,
    );
    expect(await row({ head, branch: "other" })).toMatch(/briefing {5}different_context from .*\nWARNING:/);
    expect(await row({ head, branch })).toMatch(/task_record {2}advanced \(recorded head [0-9a-f]{7}\)/);
  });

  it("names the provider and its file in one line more", async () => {
    const place = await newPlace();
    const { text } = await build(place, "routine", { provider: "claude-code" });
    expect(text.split("\n")[2]).toBe("# for claude-code, which always loads CLAUDE.md");
  });

  it("adds a prompt, or says why it did not", async () => {
    const place = await newPlace();
    const added = await build(place, "routine", { prompt: { name: "debug", text: "one\ntwo\n" } });
    expect(added.sections.at(-1)).toEqual({ id: "prompt", lines: 2, text: "one\ntwo" });
    expect(added.text).toContain("\n## PROMPT debug\none\ntwo\n");
    const refused = await build(place, "routine", { prompt: { name: "continue", refused: "because" } });
    expect(refused.excluded).toContainEqual({ item: "prompt continue", reason: "because" });
  });

  it("lists the layer's documents about the scope by depth, order and path", async () => {
    const place = await busyPlace();
    const put = (directory: string, head: string): void => {
      mkdirSync(join(place.root, directory), { recursive: true });
      writeFileSync(
        join(place.root, directory, "README.md"),
        `---\nschema: context/v1\nkind: context\ntitle: ${directory}\n${head}---\n`,
      );
    };
    put(".ai/repo/b", "scope: explicit\npaths: [lib]\norder: 2\n");
    put(".ai/repo/a", "scope: explicit\npaths:\n  - lib\norder: 2\n");
    put(".ai/repo/c", "scope: explicit\npaths: [lib]\norder: 1\n");
    put(".ai/repo/d", "scope: explicit\npaths: [other]\n");
    put(".ai/repo/deep/e", "scope: explicit\npaths: [lib]\n");
    put(".ai/local/f", "scope: explicit\npaths: [lib]\n");
    expect(textOf(await build(place, "routine"), "documents").split("\n")).toEqual(
      ["c", "a", "b", "deep/e"].map((name) => `- .ai/repo/${name}/README.md — .ai/repo/${name}`),
    );
  });
});

describe("what stands in a context document's place", () => {
  it.each([
    ["---\nschema: context/v1\nkind: context\n  - [\n", "no front matter: no closing ---"],
    ["---\nschema: context/v1\nkind: context\n\tx\n---\n", /^its front matter: line 4 /u],
    ["---\nschema: context/v2\nkind: context\n---\n", "its schema is context/v2, not context/v1"],
    ["---\nkind: context\n---\n", "its front matter names no schema"],
    ["---\nschema: context/v1\nkind: other\n---\n", "its kind is not context"],
    [Buffer.from([0x2d, 0xff, 0xfe]), "is not valid UTF-8"],
  ])("and is none is named: %j", async (text, reason) => {
    const place = await busyPlace();
    mkdirSync(join(place.root, ".ai/repo/odd"));
    writeFileSync(join(place.root, ".ai/repo/odd/README.md"), text);
    const { excluded } = await build(place, "routine");
    const item = "context document .ai/repo/odd/README.md";
    const matching = typeof reason === "string" ? reason : expect.stringMatching(reason);
    expect(excluded).toContainEqual({ item, reason: matching });
  });

  it.each([
    "# Prompts\n",
    "---\n",
    "---\n\n# Prompts\n\nHow they are kept.\n",
    "---\r\n\r\n# Prompts\r\n\r\n---\r\n\r\nMore.\r\n",
    "---\n\n# Prompts\n\nTwo of them: one is long.\n\n---\n\nMore.\n",
    "---\n---\n\n# Prompts\n",
  ])("and says nothing of itself is nobody's document: %j", async (text) => {
    const place = await busyPlace();
    writeFileSync(join(place.root, ".ai/repo/prompts/README.md"), text);
    const { excluded } = await build(place, "routine");
    expect(excluded.filter(({ item }) => item.startsWith("context document"))).toEqual([]);
  });
});

describe("the budget", () => {
  it("is kept by dropping in the fixed order; bodies give way to pointers; the count is true", async () => {
    const place = await busyPlace();
    const whole = await build(place, "implementation");
    expect(whole.dropped).toEqual([]);
    const order = ["history", "files", "decisions", "checkpoint-body", "handover-body"];
    for (let limit = whole.lines - 1; limit > 10; limit -= 3) {
      const document = await build(place, "implementation", { budgetLines: limit });
      expect(document.dropped).toEqual(order.filter((item) => document.dropped.includes(item)));
      const printed = document.text.replace(/\n$/, "").split("\n");
      expect(printed).toHaveLength(document.lines);
      expect(printed.at(-1)).toMatch(new RegExp(`^${document.lines} of ${limit} lines`));
      expect(document.overBudget).toBe(document.lines > limit);
      for (const item of document.dropped) {
        expect(document.text).toContain(`- ${item} — dropped for the budget of ${limit} lines`);
      }
      expect(ids(document)).toEqual(
        expect.arrayContaining(["git", "task", "profile", "questions", "handover"]),
      );
    }
    const tight = await build(place, "implementation", { budgetLines: 12 });
    expect(tight.overBudget).toBe(true);
    expect(textOf(tight, "handover")).toMatch(
      /^same_worktree_same_branch, exact, fresh, 0m ago\nbody omitted for budget — read \.ai\/local\/state\/handovers\/\S+\.md$/,
    );
    expect(tight.dropped).toContain("handover-body");
  });
});

describe("whatever a body holds", () => {
  it("the document keeps its form", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 400 }), async (noise) => {
        const body = `# Objective\na\n# Current State\nb\n# Next Action\nc ${noise.replaceAll(/^[a-z_]+:/gm, "")}`;
        writeHandover(checkout, body, { noTask: true }, {}, momentOf(checkout));
        place.clock.forward(1);
        const { text } = await build(place, "routine");
        expect(text.match(/^## (?:EXCLUDED|BUDGET)$/gm)).toEqual(["## EXCLUDED", "## BUDGET"]);
        // oxlint-disable-next-line no-control-regex
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202e]/);
      }),
      { numRuns: 15 },
    );
  });
});
