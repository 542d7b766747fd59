import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { git, newRepository } from "../support/repository.ts";
import { runLine } from "../support/run-program.ts";
import type { ProgramRun } from "../support/run-program.ts";

const SESSION = "s-20260904153733-fc51";
const TASK = "t-20260904153800-0a1b";
const DECISION = `${SESSION}-a208cad35295`;
const QUESTION = `${SESSION}-3ae2c1449e23`;

let root = "";

async function run(line: string, stdin?: string): Promise<ProgramRun> {
  return runLine(line.split(" "), {
    directory: root,
    environment: { XDG_STATE_HOME: join(root, ".git", "state") },
    ...(stdin === undefined ? {} : { stdin }),
  });
}

async function json(line: string, stdin?: string): Promise<Record<string, unknown>> {
  return JSON.parse((await run(`${line} --json`, stdin)).stdout) as Record<string, unknown>;
}

function say(event: string, payload: object): void {
  const head = git(root, "rev-parse", "HEAD");
  const envelope = { ts: "2026-09-04T16:00:00Z", event, head, branch: "main", by: "majordomus/0.19.0" };
  const line = JSON.stringify({ ...envelope, session: SESSION, ...payload });
  appendFileSync(join(root, ".ai/local/state/ledger.jsonl"), `${line}\n`);
}

function shelf(name: "candidates" | "curated"): string[] {
  return readdirSync(join(root, ".ai/repo/knowledge", name)).filter((file) => file !== "README.md");
}

beforeEach(async () => {
  root = newRepository();
  await run("init");
  mkdirSync(join(root, ".ai/local/state"), { recursive: true });
  say("session.started", { owner: "dev" });
  say("decision.recorded", { task_id: TASK, decision: "One store, not two (public)" });
  say("question.resolved", { task_id: TASK, question: "Which port?", answer: "8741, else a free one" });
  say("decision.recorded", { decision: "transcript of it" });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("knowledge derive", () => {
  it("says what it wrote, left and skipped, and counts it in the last line", async () => {
    const path = (id: string): string => `.ai/repo/knowledge/candidates/${id}.md`;
    const skipped = /^skipped \.ai\/repo\/knowledge\/candidates\/s-.*\.md \(transcript\)$/m;
    const dry = await run(`knowledge derive --episode ${SESSION} --dry-run`);
    expect(dry).toMatchObject({ status: 0, stderr: "" });
    expect(dry.stdout).toContain(`would write ${path(DECISION)}\nwould write ${path(QUESTION)}\n`);
    expect(shelf("candidates")).toEqual([]);
    const first = await run(`knowledge derive --episode ${SESSION}`);
    expect(first.stdout).toContain(`written ${path(DECISION)}\nwritten ${path(QUESTION)}\n`);
    expect(first.stdout).toMatch(skipped);
    expect(first.stdout.trimEnd().split("\n").at(-1)).toBe(
      `knowledge derive: 2 written, 0 unchanged, 1 skipped for episode ${SESSION}`,
    );
    const second = await run(`knowledge derive --episode ${SESSION}`);
    expect(second.stdout).toContain(`unchanged ${path(DECISION)}\n`);
    expect(await json(`knowledge derive --episode ${SESSION}`)).toMatchObject({
      schema: 1,
      episode: SESSION,
      dry_run: false,
      written: [],
      unchanged: [path(DECISION), path(QUESTION)],
      skipped: [{ why: "transcript" }],
    });
  });

  it("has nothing to do without an episode, and refuses what is none", async () => {
    const none = await run("knowledge derive");
    expect(none).toMatchObject({ status: 0, stdout: expect.stringMatching(/^No episode to derive from;/) });
    expect((await run("knowledge derive --episode s-20000101000000-0000")).status).toBe(12);
    expect((await run(`knowledge derive --all --episode ${SESSION}`)).status).toBe(2);
    expect((await run("knowledge")).status).toBe(2);
    expect((await run("knowledge derive extra")).status).toBe(2);
  });

  it("takes all closed episodes in the pool", async () => {
    expect((await run("knowledge derive --all")).stdout).toBe(
      "knowledge derive: 0 written, 0 unchanged, 0 skipped for 0 closed episode(s)\n",
    );
    say("session.closed", { outcome: "closed", session_path: "x" });
    const all = await run("knowledge derive --all");
    expect(all.stdout).toContain(
      "knowledge derive: 2 written, 0 unchanged, 1 skipped for 1 closed episode(s)\n",
    );
    expect(await json("knowledge derive --all")).toMatchObject({ episode: null, episodes: 1, left: 0 });
  });
});

describe("the review", () => {
  beforeEach(async () => {
    await run(`knowledge derive --episode ${SESSION}`);
  });

  it("lists what awaits it, and ends with the count", async () => {
    const { status, stdout } = await run("knowledge candidates");
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.at(-1)).toBe("knowledge candidates: 2 awaiting review");
    expect(lines[0]).toMatch(/ 8741, else a free one \(answers: [^()]+\)$/);
    expect(lines[1]).not.toContain("answers:");
    expect(lines[1]).toMatch(
      new RegExp(`^${DECISION} +convention +resolved +2026-09-04 +main +One store, not two`),
    );
    expect(await json("knowledge candidates")).toMatchObject({
      schema: 1,
      candidates: [
        {
          id: QUESTION,
          class: "fact",
          status: "candidate",
          epistemics: "observed",
          date: "2026-09-04",
          episode: SESSION,
          branch: "main",
          path: `.ai/repo/knowledge/candidates/${QUESTION}.md`,
          title: "8741, else a free one",
          question: expect.stringMatching(/\S/),
        },
        { id: DECISION },
      ],
    });
    writeFileSync(join(root, ".ai/repo/knowledge/candidates/broken.md"), "\u001b[2J");
    const broken = await run("knowledge candidates");
    expect(broken.stderr).toMatch(
      /^warning: skipped \.ai\/repo\/knowledge\/candidates\/broken\.md: no front matter/,
    );
  });

  it("shows a record whole with its evidence", async () => {
    const { status, stdout } = await run(`knowledge show ${DECISION}`);
    expect(status).toBe(0);
    expect(stdout).toContain(`Episode:   ${SESSION} on main\n`);
    expect(stdout).toContain(`Evidence:  resolved session:${SESSION} — `);
    expect(stdout).toContain("Signature: is not signed\n");
    expect(stdout).toContain("\n# One store, not two (public)\n");
    expect((await run("knowledge show nothing")).status).toBe(12);
    const text = readFileSync(join(root, `.ai/repo/knowledge/candidates/${DECISION}.md`), "utf8");
    expect(await json(`knowledge show ${DECISION}`)).toMatchObject({ record: { text } });
  });

  it("promotes with evidence on standard input, signed when asked, and prints the path", async () => {
    expect((await run(`knowledge promote ${DECISION}`, "")).status).toBe(10);
    expect((await run(`knowledge promote ${DECISION} --class opinion`, "Seen.")).status).toBe(10);
    expect((await run("knowledge promote nothing", "Seen.")).status).toBe(12);
    expect((await run("knowledge promote", "Seen.")).status).toBe(2);
    expect(
      await run(`knowledge promote ${DECISION} --class constraint --sign`, "Seen in the tests.\n"),
    ).toEqual({
      status: 0,
      stdout: `.ai/repo/knowledge/curated/${DECISION}.md\n`,
      stderr: "",
    });
    expect(shelf("curated")).toEqual([`${DECISION}.md`, `${DECISION}.sig`]);
    expect(shelf("candidates")).toEqual([`${QUESTION}.md`]);
    expect((await run(`knowledge promote ${DECISION}`, "Other words.")).status).toBe(12);
    expect((await run(`knowledge derive --episode ${SESSION}`)).stdout).toContain("(promoted)");
    expect((await json(`knowledge show ${DECISION}`))["signature"]).toMatchObject({ state: "valid" });
  });

  it("rejects with a reason, and never lists or derives it again", async () => {
    expect((await run(`knowledge reject ${DECISION}`)).status).toBe(2);
    expect((await run(`knowledge reject ${DECISION} --reason no --by nothing`)).status).toBe(10);
    expect((await run("knowledge reject nothing --reason no")).status).toBe(12);
    expect(await run(`knowledge reject ${DECISION} --reason guess --by ${QUESTION}`)).toEqual({
      status: 0,
      stdout: `.ai/repo/knowledge/candidates/${DECISION}.md\n`,
      stderr: "",
    });
    expect((await run(`knowledge reject ${DECISION} --reason other`)).status).toBe(10);
    expect((await run("knowledge candidates")).stdout).toContain("knowledge candidates: 1 awaiting review\n");
    expect((await run("knowledge candidates --all")).stdout).toContain("[superseded]");
    expect((await run(`knowledge derive --episode ${SESSION}`)).stdout).toContain("(superseded)");
    expect((await run(`knowledge show ${QUESTION}`)).stdout).toContain(`Before:    ${DECISION}  One store`);
    expect((await run("history --event knowledge.rejected")).stdout).toContain("reason=guess");
  });

  it("checks, with one finding a line and a true exit status", async () => {
    expect(await run("knowledge check")).toEqual({
      status: 0,
      stdout: "knowledge check: 2 record(s), 0 finding(s)\n",
      stderr: "",
    });
    const path = join(root, `.ai/repo/knowledge/candidates/${DECISION}.md`);
    writeFileSync(path, readFileSync(path, "utf8").replace("class: convention", "class: 7"));
    const checked = await run("knowledge check");
    expect(checked.status).toBe(10);
    expect(checked.stdout).toContain(`FAIL knowledge   ${DECISION} — class: missing or not a word`);
    const { status, stdout } = await run("knowledge check --json");
    expect(status).toBe(10);
    expect(JSON.parse(stdout)).toMatchObject({ level: "FAIL", category: "knowledge", subject: DECISION });
  });

  it("shows nothing raw that a record holds", async () => {
    const path = join(root, `.ai/repo/knowledge/candidates/${DECISION}.md`);
    writeFileSync(path, readFileSync(path, "utf8").replaceAll("One store", "One \u001b[2J\u202e\u0007store"));
    for (const line of ["candidates", `show ${DECISION}`, "check"]) {
      const { stdout, stderr } = await run(`knowledge ${line}`);
      // oxlint-disable-next-line no-control-regex
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/u);
    }
    const { candidates } = (await json("knowledge candidates")) as { candidates: { title: string }[] };
    expect(candidates[1]?.title).toContain("One \u001b[2J\u202e\u0007store");
  });
});

describe("knowledge sources", () => {
  it("prints the closed table", async () => {
    const { status, stdout } = await run("knowledge sources");
    expect(status).toBe(0);
    expect(stdout).toContain(
      "decision.recorded, when the decision is not empty\n  convention, decided, tagged derived and decision\n",
    );
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("Anything else yields nothing.");
    expect(await json("knowledge sources")).toMatchObject({
      sources: [
        { event: "decision.recorded", canonical_lines: ["event", "task", "decision"] },
        { event: "question.resolved" },
        { event: "task.finished", class: "lesson" },
        { event: "task.finished", class: "fact" },
      ],
    });
  });
});
