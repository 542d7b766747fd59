import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { dispatch } from "../../src/tui/dispatch.ts";
import type { Slices } from "../../src/tui/slices.ts";
import { sampleAnswers } from "../support/console-answers.ts";
import { HANDOVER, QUESTIONS } from "../support/console-work-answers.ts";
import { openDesk } from "../support/console-desk.ts";
import type { FakeDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";
import { scratchDirectory } from "../support/scratch.ts";

function screen(desk: FakeDesk): string {
  return consoleRows(desk).join("\n");
}

function asked(desk: FakeDesk, id: string): unknown[] {
  return desk.ask.calls.filter((call) => call.id === id).map((call) => call.input);
}

function type(desk: FakeDesk, text: string): void {
  for (const letter of text) desk.press(letter === " " ? "space" : letter === "\n" ? "enter" : letter);
}

async function openForm(desk: FakeDesk, ...keys: string[]): Promise<void> {
  desk.press("8", ...keys);
  await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("form"));
}

/** The texts of a directory; the note of who types them counts where it was left alone. */
function filesBesideTypist(directory: string): string[] {
  const files = readdirSync(directory);
  const texts = files.filter((file) => file !== ".typist.json");
  return texts.length === 0 ? files : texts;
}

/** Gives the person an editor, and shows what is kept of what was typed in it. */
function withEditor(desk: FakeDesk, script: string): { shelf: () => string[] } {
  const directory = scratchDirectory();
  const editor = join(directory, "editor");
  writeFileSync(editor, `#!/bin/sh\n${script}\n`);
  chmodSync(editor, 0o700);
  desk.environment = { ...desk.environment, EDITOR: editor, XDG_STATE_HOME: join(directory, "state") };
  const path = join(directory, "state", "majordomus", "typed");
  return {
    shelf: () =>
      readdirSync(path).flatMap((name) =>
        filesBesideTypist(join(path, name)).map((file) => readFileSync(join(path, name, file), "utf8")),
      ),
  };
}

describe("a new checkpoint", () => {
  it("is written, shown whole, and stored once however often Enter is pressed", async () => {
    const desk = await openDesk();
    await openForm(desk, "n", "c");
    type(desk, "Streams now.\nNext: q, n, A and the rest");
    expect(asked(desk, "checkpoint.write")).toEqual([]);
    desk.press("ctrl-s");
    const shown = screen(desk);
    expect(shown).toContain("Write this checkpoint?");
    expect(shown).toContain(".ai/local/state/checkpoints/<time>--main--3f2a9c1--<random>.md");
    expect(shown).toContain("2 lines, 39 characters");
    expect(shown).toContain("Next: q, n, A and the rest");
    expect(shown).toContain("Enter write it  Esc back to the form");
    desk.press("enter", "enter", "enter");
    await desk.settle();
    expect(asked(desk, "checkpoint.write")).toEqual([{ body: "Streams now.\nNext: q, n, A and the rest" }]);
    await vi.waitFor(() =>
      expect(desk.store.getState().message).toEqual({
        tone: "good",
        text: "wrote .ai/local/state/checkpoints/new.md; the task's checkpoint time moved",
      }),
    );
    expect(desk.store.getState().drafts).toEqual({});
  });

  it("says that the task is not known before the checkout has answered, and names it once it has", async () => {
    const desk = await openDesk();
    const { repositories } = desk.store.getState();
    const [[root, slices]] = Object.entries(repositories) as [[string, Slices]];
    desk.store.setState({ repositories: { [root]: { ...slices, state: { state: "loading" } } } });
    await openForm(desk, "n", "c");
    expect(screen(desk)).toContain("not known yet: the checkout is still being asked");
    type(desk, "Streams now.");
    desk.store.setState({ repositories });
    desk.press("ctrl-s");
    expect(screen(desk)).toContain("split the parser");
    expect(screen(desk)).toContain("--main--3f2a9c1--");
  });

  it("that git and the ledger compose is shown as it would be written, before it is", async () => {
    const desk = await openDesk();
    await openForm(desk, "n", "c", "tab", "down");
    desk.press("ctrl-s");
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("confirm"));
    const shown = screen(desk);
    expect(shown).toContain("2 lines, 94 characters, composed from git and the ledger");
    expect(shown).toContain("At 3f2a9c1 on main, working tree dirty.");
    expect(asked(desk, "checkpoint.write")).toEqual([{ derive: true, dry_run: true }]);
    desk.press("enter");
    await vi.waitFor(() => expect(asked(desk, "checkpoint.write").at(-1)).toEqual({ derive: true }));
    await desk.settle();
    expect(desk.store.getState().message?.text).toContain("wrote .ai/local/state/checkpoints/new.md");
  });

  it("that would be another than was shown is shown again, and written only then", async () => {
    let text = "At 3f2a9c1 on main.\n";
    const desk = await openDesk({
      "handover.write": ({ dry_run }: { dry_run?: boolean }) =>
        dry_run === true
          ? { schema: 1, moved: false, notes: [], text }
          : { schema: 1, path: "new.md", moved: true, closed: true, notes: [] },
    });
    await openForm(desk, "n", "h", "tab", "down", "tab", "down");
    desk.press("ctrl-s");
    await vi.waitFor(() => expect(screen(desk)).toContain("At 3f2a9c1 on main."));
    text = "At 4444444 on main.\n";
    desk.press("enter");
    await vi.waitFor(() => expect(screen(desk)).toContain("At 4444444 on main."));
    expect(screen(desk)).toContain("It is not what was shown before");
    desk.press("enter");
    await vi.waitFor(() =>
      expect(asked(desk, "handover.write").at(-1)).toEqual({ derive: true, close: true }),
    );
    await desk.settle();
    expect(desk.store.getState().message?.text).toBe("wrote new.md; the task is handed over");
  });

  it("that is too long is not even asked for", async () => {
    const desk = await openDesk();
    await openForm(desk, "n", "c");
    type(desk, "line\n".repeat(12));
    desk.press("ctrl-s");
    expect(desk.store.getState().mode.kind).toBe("form");
    expect(screen(desk)).toContain("a checkpoint has at most 8 lines, this one has 12");
  });

  it("survives a refusal, with its reason and its text", async () => {
    const desk = await openDesk({ "checkpoint.write": new Error("head: is computed from git") });
    await openForm(desk, "n", "c");
    type(desk, "head: abc");
    desk.press("ctrl-s", "enter");
    await desk.settle();
    await vi.waitFor(() => expect(desk.store.getState().mode.kind).toBe("form"));
    const shown = screen(desk);
    expect(shown).toContain("head: abc");
    expect(shown).toContain("head: is computed from git");
  });
});

describe("a form", () => {
  it("keeps a draft when it is left, and asks before the console forgets it", async () => {
    const desk = await openDesk();
    await openForm(desk, "n", "q");
    type(desk, "why not");
    desk.press("escape");
    expect(desk.store.getState().mode.kind).toBe("browse");
    expect(screen(desk)).toContain("the draft is kept");
    desk.press("q");
    expect(screen(desk)).toContain("1 draft not stored.");
    desk.press("escape");
    await openForm(desk, "n", "q");
    expect(screen(desk)).toContain("why not█");
    for (let index = 0; index < 7; index++) desk.press("backspace");
    desk.press("escape", "q");
    expect(desk.left).toEqual([0]);
  });

  it("takes a paste as text, whatever it holds, and stores nothing by itself", async () => {
    const desk = await openDesk();
    await openForm(desk, "n", "c");
    const paste = `${"five kilobytes\tof\r\n\u001B[31mtext\u001B[0m\u0007 ".repeat(200)}\r\r\r`;
    dispatch(desk, { paste });
    expect(desk.store.getState().mode.kind).toBe("form");
    expect(desk.ask.calls.some((call) => call.id === "checkpoint.write")).toBe(false);
    const [draft] = Object.values(desk.store.getState().drafts);
    expect(draft?.["body"]).toBe(`${"five kilobytes\tof\ntext ".repeat(200)}\n\n\n`);
    expect(screen(desk)).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
  });

  it("never stores at Enter, which a terminal without marked pastes sends for each line end", async () => {
    const desk = await openDesk();
    await openForm(desk, "n", "d");
    type(desk, "title\nwhy\nrejected\nevidence\nold\n\n\n\n");
    expect(desk.store.getState().mode.kind).toBe("form");
    expect(asked(desk, "decision.add")).toEqual([]);
    desk.press("ctrl-s");
    expect(screen(desk)).toContain("Record this decision?");
    desk.press("enter");
    await desk.settle();
    expect(asked(desk, "decision.add")).toEqual([
      { title: "title", why: "why", rejected: "rejected", evidence: "evidence", supersedes: "old" },
    ]);
  });

  it("opens the text in $EDITOR, and shows again what it left", async () => {
    const desk = await openDesk();
    const { shelf } = withEditor(desk, 'printf "%s, edited\\033[31m\\n" "$(cat "$1")" > "$1"');
    await openForm(desk, "n", "c");
    type(desk, "begun");
    desk.press("ctrl-e");
    expect(screen(desk)).toContain("begun, edited█");
    desk.press("ctrl-s", "e");
    expect(screen(desk)).toContain("Write this checkpoint?");
    expect(screen(desk)).toContain("begun, edited, edited");
    // On disk until the record stands, the last state alone.
    expect(shelf()).toEqual(["begun, edited, edited\u001b[31m\n"]);
    desk.press("enter");
    await desk.settle();
    expect(asked(desk, "checkpoint.write")).toHaveLength(1);
    expect(shelf()).toEqual([]);
  });

  it.each([
    [
      "when it is too long",
      "head -c 70000 /dev/zero | tr '\\0' x > \"$1\"",
      "not taken over: the text is too long; the text",
    ],
    [
      "when the editor fails",
      'echo mine > "$1"; exit 1',
      "the editor ended without success; the text is kept",
    ],
  ])("keeps what was typed in $EDITOR, and names it, %s", async (_, script, told) => {
    const desk = await openDesk();
    const { shelf } = withEditor(desk, script);
    await openForm(desk, "n", "c");
    desk.press("ctrl-e");
    expect(desk.store.getState().message?.text).toContain(told);
    expect(shelf()).toHaveLength(1);
  });

  it("keeps nothing of an editor that changed nothing", async () => {
    const desk = await openDesk();
    const { shelf } = withEditor(desk, "exit 1");
    await openForm(desk, "n", "c");
    desk.press("ctrl-e");
    expect(shelf()).toEqual([]);
  });

  it("is not opened by a key that waits for another one and gets none of its own", async () => {
    const desk = await openDesk();
    desk.press("8", "n");
    expect(screen(desk)).toContain("c checkpoint  h handover  q question  d decision");
    desk.press("z");
    expect(desk.store.getState().mode.kind).toBe("browse");
    expect(desk.left).toEqual([]);
    desk.press("1", "n", "q");
    expect(desk.left).toEqual([0]);
  });
});

describe("a new handover", () => {
  it("begins with the sections that the policy wants, and says which are empty", async () => {
    const desk = await openDesk();
    await openForm(desk, "n", "h");
    expect(screen(desk)).toContain("# Objective");
    type(desk, "Split it");
    desk.press("ctrl-s");
    expect(screen(desk)).toContain("still empty: # Next Action");
    desk.press("pagedown", "end");
    type(desk, "\nrun");
    desk.press("tab", "tab", "down", "ctrl-s");
    expect(screen(desk)).toContain("it becomes handed_over");
    desk.press("enter");
    await desk.settle();
    expect(asked(desk, "handover.write")).toEqual([
      {
        body: expect.stringMatching(/^# Objective\nSplit it\n\n# Next Action\n+run$/) as string,
        close: true,
      },
    ]);
  });
});

describe("answering a question", () => {
  it("asks about the one under the cursor, and shows it with its answer first", async () => {
    const desk = await openDesk();
    await openForm(desk, "A");
    const [open] = QUESTIONS.open;
    expect(screen(desk)).toContain(open?.question);
    type(desk, "latin-1");
    desk.press("ctrl-s");
    expect(screen(desk)).toContain("Store this answer?");
    desk.press("enter");
    await desk.settle();
    expect(asked(desk, "question.resolve")).toEqual([{ question: open?.question, answer: "latin-1" }]);
  });

  it("is offered for nothing that is answered", async () => {
    const desk = await openDesk();
    desk.press("8", "G", "A");
    expect(desk.store.getState().mode.kind).toBe("browse");
  });
});

describe("finishing", () => {
  it("shows the contract, then what it would do, then why it was refused, and keeps what was written", async () => {
    const refused = {
      schema: 1,
      state: "refused",
      task_id: "t-1",
      outcome: "completed",
      findings: [
        {
          level: "OK",
          category: "scope",
          subject: "t-1",
          message: "3 changed file(s), all inside the scope",
        },
        {
          level: "FAIL",
          category: "note",
          subject: "t-1",
          message: "missing or empty section(s): Next Action",
        },
      ],
      unmet: 1,
    };
    const desk = await openDesk({
      "finish.run": (input: { check?: boolean }) =>
        input.check === true ? { schema: 1, state: "checked", findings: [], unmet: 0 } : refused,
    });
    await openForm(desk, "f");
    expect(screen(desk)).toContain("scope_respected, note_present");
    expect(screen(desk)).toContain("● completed");
    desk.press("tab");
    type(desk, "npm test");
    desk.press("ctrl-s");
    expect(screen(desk)).toContain("runs        npm test");
    desk.press("enter");
    await desk.settle();
    await vi.waitFor(() => expect(screen(desk)).toContain("Not finished"));
    expect(screen(desk)).toContain("1 clause not met, and nothing was written.");
    expect(screen(desk)).toContain("note: missing or empty section(s): Next Action");
    const real = asked(desk, "finish.run").filter((input) => !JSON.stringify(input).includes("check"));
    expect(real).toEqual([{ outcome: "completed", verify_command: "npm test" }]);
    desk.press("escape");
    expect(screen(desk)).toContain("npm test");
  });

  it("says how it ended", async () => {
    const desk = await openDesk();
    await openForm(desk, "f", "down");
    desk.ask.answers["finish.run"] = {
      schema: 1,
      state: "finished",
      task_id: "t-1",
      outcome: "partial",
      findings: [],
      unmet: 0,
      note: ".ai/local/state/completed/t-1.md",
    };
    desk.press("ctrl-s", "enter");
    await desk.settle();
    await vi.waitFor(() =>
      expect(desk.store.getState().message?.text).toBe(
        "finished t-1 as partial; kept the note as .ai/local/state/completed/t-1.md",
      ),
    );
    expect(asked(desk, "finish.run").at(-2)).toEqual({ outcome: "partial" });
  });

  it("is not offered without a task", async () => {
    const desk = await openDesk({ "handover.resolve": { schema: 1, handover: HANDOVER, skipped: [] } });
    const { task: _, ...rest } = desk.ask.answers["continuity.state"] as Record<string, unknown>;
    desk.ask.answers["continuity.state"] = rest;
    desk.refresh("/home/mira/app");
    await desk.settle();
    desk.press("8", "f");
    expect(desk.store.getState().mode.kind).toBe("browse");
  });
});

describe("a new task", () => {
  it("is refused in words where one is active, else shown, and started", async () => {
    const desk = await openDesk();
    desk.press("8", "n", "t");
    expect(desk.store.getState().mode.kind).toBe("browse");
    expect(screen(desk)).toContain("not started: a task is active, finish it first: split the parser");
    const ended = await openDesk({
      "continuity.state": (() => {
        const state = structuredClone(sampleAnswers()["continuity.state"]) as { task: { outcome: string } };
        state.task.outcome = "completed";
        return state;
      })(),
    });
    await openForm(ended, "n", "t");
    ended.press("ctrl-s");
    expect(screen(ended)).toContain("say what is to be done");
    type(ended, "widen the reader\n");
    ended.press("ctrl-s");
    expect(screen(ended)).toContain("say where: at least one path");
    type(ended, "src, lib\n");
    ended.press("ctrl-s");
    const shown = screen(ended);
    expect(shown).toContain("Start this task?");
    expect(shown).toContain(".ai/local/state/current.yaml");
    expect(shown).toContain("split the parser, which is completed");
    expect(asked(ended, "task.start")).toEqual([]);
    ended.press("enter", "enter");
    await ended.settle();
    expect(asked(ended, "task.start")).toEqual([{ task: "widen the reader", scope: ["src", "lib"] }]);
    await vi.waitFor(() =>
      expect(ended.store.getState().message?.text).toMatch(
        /^started t-20260904180000-aaaa, implementation, in src, lib; the one before is /,
      ),
    );
  });
});
