import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { git, newRepository } from "../support/repository.ts";
import { runLine } from "../support/run-program.ts";
import type { ProgramRun } from "../support/run-program.ts";

let root = "";

async function run(words: readonly string[], options: { stdin?: string } = {}): Promise<ProgramRun> {
  return runLine(words, { directory: root, ...options });
}

function line(text: string): Promise<ProgramRun> {
  return run(text.split(" "));
}

function state(name: string): string {
  return join(root, ".ai/local/state", name);
}

async function start(): Promise<string> {
  await run(["start", "split the parser", "--scope", "lib"]);
  return /^id: (.*)$/mu.exec(readFileSync(state("current.yaml"), "utf8"))?.[1] ?? "";
}

const NOTE = "# Objective\na\n# Current State\nb\n# Next Action\nc\n";

beforeEach(async () => {
  root = newRepository();
  await line("init");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "Lay the layer");
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("check", () => {
  it("is 12 without a task, 0 when all is well, 10 when something fails", async () => {
    expect(await line("check")).toMatchObject({ status: 12, stdout: "" });
    const id = await start();
    const well = await line("check");
    expect(well).toMatchObject({ status: 0, stderr: "" });
    expect(well.stdout).toMatch(new RegExp(`^OK   state {7}${id} — exact: `, "u"));
    writeFileSync(join(root, "outside.txt"), "1\n");
    const failing = await line("check --json");
    expect(failing.status).toBe(10);
    const findings = failing.stdout
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as object);
    expect(findings).toContainEqual({
      level: "FAIL",
      category: "scope",
      subject: "outside.txt",
      message: "was changed and lies outside the scope, lib",
      reproduce: "git status",
    });
  });

  it("explains, compares and moves the checkpoint", async () => {
    await start();
    const { status, stdout } = await line("check --explain --overlap --checkpoint");
    expect(status).toBe(0);
    expect(stdout).toContain("profile implementation, chosen by the task\n");
    expect(stdout).toContain("  handover.required_sections: [Objective, Current State, Next Action]\n");
    expect(stdout).toMatch(/^OK {3}overlap /mu);
    expect(stdout).toMatch(/checkpoint moved to 2026-11-30T12:00:00Z\n$/u);
  });
});

describe("finish", () => {
  it("prints every clause and the verdict, and says what a failed command printed", async () => {
    const id = await start();
    const refused = await run(["finish", "--outcome", "completed", "--verify-command", "echo why; exit 3"]);
    expect(refused.status).toBe(10);
    expect(
      refused.stdout
        .trim()
        .split("\n")
        .map((text) => text.slice(0, 16).trimEnd()),
    ).toEqual([
      "OK   scope",
      "FAIL verificatio",
      "OK   state",
      "OK   blockers",
      "FAIL note",
      "OK   regression",
      "OK   decision",
      "finish: refused,",
    ]);
    expect(refused.stdout).toMatch(/finish: refused, 2 unmet\n$/u);
    expect(refused.stderr).toBe("majordomus: verify: why\n");
    const silent = await run(["finish", "--outcome", "completed", "--verify-command", "echo; exit 3"]);
    expect(silent.stderr).toBe("majordomus: verify: the command printed nothing\n");
    const path = join(root, ".ai/local/note.md");
    writeFileSync(path, NOTE);
    const done = await run(["finish", "--outcome", "completed", "--verify-command", "true", "--note", path]);
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toMatch(new RegExp(`finish: ${id} completed\n$`, "u"));
    expect(existsSync(state(`completed/${id}.md`))).toBe(true);
    expect(await run(["finish", "--outcome", "failed"])).toMatchObject({ status: 15, stdout: "" });
  });

  it("takes the note from standard input, and answers in JSON", async () => {
    const id = await start();
    const { status, stdout } = await run(["finish", "--outcome", "failed", "--note", "-", "--json"], {
      stdin: "# Reason\nIt could not be done.\n",
    });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 1, state: "finished", task_id: id, unmet: 0 });
  });

  it("has nothing to enforce without a task when it only checks", async () => {
    expect(await line("finish --check")).toMatchObject({ status: 0 });
    expect(await line("finish")).toMatchObject({ status: 2 });
    expect(await line("finish --outcome completed")).toMatchObject({ status: 12 });
    expect(await line("finish --outcome won")).toMatchObject({ status: 2 });
    await start();
    expect(await line("finish --outcome partial --note nowhere.md")).toMatchObject({ status: 12 });
    writeFileSync(join(root, "outside.txt"), "1\n");
    const { status, stdout } = await line("finish --check");
    expect(status).toBe(10);
    expect(stdout).toMatch(/finish: check, 1 unmet\n$/u);
  });
});

describe("a mistyped question line", () => {
  it("fails check, doctor and watch", async () => {
    await start();
    appendFileSync(state("open-questions.md"), "- [unresolvd] t-1 — Which? (2026-11-30)\n");
    for (const [command, status, level] of [
      ["check", 10, "FAIL"],
      ["doctor", 10, "FAIL"],
      ["watch", 11, "DRIFT"],
    ] as const) {
      const told = await line(command);
      expect(told.status, command).toBe(status);
      expect(told.stdout, command).toMatch(
        new RegExp(`^${level.padEnd(4)} questions {3}open-questions\\.md:\\d+ — `, "mu"),
      );
    }
  });
});

describe("watch and doctor", () => {
  it("are 12 without a layer and 2 outside a repository", async () => {
    rmSync(join(root, ".ai"), { recursive: true });
    for (const command of ["doctor", "watch"]) expect((await line(command)).status, command).toBe(12);
    rmSync(join(root, ".git"), { recursive: true });
    for (const command of ["doctor", "watch"]) expect((await line(command)).status, command).toBe(2);
  });

  it("say once that the policy cannot be followed, with its unknown key", async () => {
    appendFileSync(join(root, ".ai/repo/policy.yaml"), "colour: red\n");
    const { status, stdout, stderr } = await line("doctor");
    expect({ status, stderr }).toEqual({ status: 10, stderr: "" });
    expect(stdout.trim().split("\n")).toHaveLength(1);
    expect(stdout).toMatch(/^FAIL policy .*unknown key colour/u);
  });

  it("keep the findings when asked, and answer one object a line", async () => {
    const { stdout } = await line("doctor --attest");
    const evidence = /evidence: (.*)\n$/u.exec(stdout)?.[1] ?? "";
    expect(JSON.parse(readFileSync(join(root, evidence), "utf8"))).toMatchObject({
      schema: "majordomus-doctor/v1",
    });
    const lines = (await line("doctor --json")).stdout.trim().split("\n");
    expect(lines.length).toBeGreaterThan(10);
    for (const text of lines) expect(JSON.parse(text)).toHaveProperty("level");
  });
});

describe("search and prompt", () => {
  it("print one inert line a match; 12 when nothing holds the text", async () => {
    await run(["decision", "add", "Keep one store", "--why", "two clocks"]);
    appendFileSync(
      state("open-questions.md"),
      "- [unresolved] t-1 — \u001b]0;title\u0007store? (2026-11-30)\n",
    );
    const { status, stdout } = await run(["search", "STORE", "--kind", "decision", "--kind", "question"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^decision {3}\.ai\/local\/state\/decisions\.md:\d+: ## \d{4}-\d\d-\d\d — Keep one store$/mu,
    );
    expect(stdout).toMatch(/^question {3}.*␛\]0;title␇store\?/mu);
    expect(await line("search nothing-of-that-kind")).toMatchObject({ status: 12, stdout: "", stderr: "" });
    expect(await line("search x --kind tea")).toMatchObject({ status: 2 });
    expect(await run(["search", ""])).toMatchObject({ status: 2 });
    expect(await run(["search", "a\nb"])).toEqual({
      status: 2,
      stdout: "",
      stderr: "majordomus: text: must be one line of text\n",
    });
    expect(await line("search reason --kind decision")).toMatchObject({ status: 12, stdout: "" });
  });

  it("list, show and render prompts; 12 for an unknown name, 10 for a token that nothing fills", async () => {
    expect((await line("prompt list")).stdout).toContain("continue  go on with the active task");
    expect((await line("prompt show continue")).stdout).toContain("{{CONTEXT}}");
    const rendered = await line("prompt render continue");
    expect(rendered.status).toBe(0);
    expect(rendered.stdout).toContain("# Majordomus context — ");
    expect(rendered.stdout).not.toContain("{{");
    expect((await line("prompt render nobody")).status).toBe(12);
    writeFileSync(join(root, ".ai/repo/prompts/odd.md"), "---\nname: odd\n---\n{{TEA}}\n");
    expect(await line("prompt render odd")).toMatchObject({ status: 10, stdout: "" });
    expect((await line("prompt list")).stdout).toContain(
      "cannot be rendered: line 4: {{TEA}} is not a token",
    );
  });
});
