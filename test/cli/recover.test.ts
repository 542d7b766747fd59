import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { git, newRepository } from "../support/repository.ts";
import { NOW, runLine } from "../support/run-program.ts";
import type { ProgramRun } from "../support/run-program.ts";

let root = "";

async function run(line: string, directory: string = root): Promise<ProgramRun> {
  return runLine(line.split(" "), { directory, now: NOW + 3_600_000 });
}

/** An episode whose worktree was removed under it; gives its id. */
async function strand(): Promise<string> {
  const lost = `${root}-lost`;
  git(root, "worktree", "add", "-q", "-b", "lost", lost);
  const opened = await runLine(["session", "start", "--provider", "codex", "--provider-session", "lost-1"], {
    directory: lost,
  });
  git(root, "worktree", "remove", "--force", lost);
  return /session (?<id>\S+)/u.exec(opened.stdout)?.groups?.["id"] ?? "";
}

beforeEach(async () => {
  root = newRepository();
  const made = root;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  await run("init");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "Lay the layer");
});

describe("recover", () => {
  it("shows what it would do by default, and changes nothing", async () => {
    const id = await strand();
    const shown = await run("recover");
    expect(shown).toMatchObject({ status: 0, stderr: "" });
    expect(shown.stdout).toContain(`episode: ${id} — worktree gone\n`);
    expect(shown.stdout).toMatch(new RegExp(`^ {2}${id} {2}key=lost-1 {2}last seen `, "mu"));
    expect(shown.stdout).toMatch(/^check: 1 action\(s\) would be taken$/mu);
    expect(await run("recover")).toEqual(shown);
  });

  it.each(["--check", "--dry-run"])("with %s ends with 10 when there is something to do", async (flag) => {
    await strand();
    const checked = await run(`recover episodes ${flag}`);
    expect(checked.status).toBe(10);
    expect(checked.stdout).toMatch(/^check: 1 action\(s\) would be taken$/mu);
    expect(await run(`recover orphans ${flag}`)).toMatchObject({ status: 0 });
    const answer = JSON.parse((await run(`recover episodes ${flag} --json`)).stdout);
    expect(answer.actions).toHaveLength(1);
  });

  it("closes the stranded episode once, and says where its record is", async () => {
    const id = await strand();
    const done = await run("recover all");
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toMatch(/^recovered: 1 action\(s\)$/mu);
    const path = /(?<path>\.ai\/repo\/sessions\/\S+\.md)/u.exec(done.stdout)?.groups?.["path"] ?? "";
    expect(readFileSync(join(root, path), "utf8")).toContain(`session_id: ${id}\n`);
    const again = await run("recover all");
    expect(again).toMatchObject({ status: 0 });
    expect(again.stdout).toMatch(/^nothing to recover; /mu);
    expect((await run("lifecycle recovery")).stdout).toContain("recovered 1");
  });

  it("says in lifecycle's JSON what is stranded", async () => {
    const id = await strand();
    const { episodes } = JSON.parse((await run("lifecycle episodes --json")).stdout);
    expect(episodes).toMatchObject([
      { session_id: id, standing: "stranded", here: false, recoverable: "worktree_gone" },
    ]);
    const shown = await run("lifecycle episodes");
    expect(shown.stdout).toContain(`${id.padEnd(24)} stranded `);
    expect((await run("status")).stdout).toContain("Episodes:   1 open, 1 to recover\n");
  });
});

describe("history", () => {
  it("filters, and says what the limit left out", async () => {
    await run("session start --provider codex --provider-session a");
    await run("session start --provider codex --provider-session b");
    const all = await run("history");
    expect(all.stdout.trimEnd().split("\n")).toHaveLength(2);
    expect(all.stdout).toMatch(/^2026-11-30T13:00:00Z {2}session\.started {10}s-\S{19} /mu);
    const cut = await run("history --limit 1");
    expect(cut.stdout).toMatch(/^… 1 older line\(s\) left out/u);
    for (const [filter, matched] of [
      ["--event session.started", 2],
      ["--event session.closed", 0],
      ["--branch main", 2],
      ["--branch other", 0],
      ["--since 2026-11-30", 2],
      ["--since 2026-12-01", 0],
      ["--until 2026-11-29", 0],
      ["--text TESTER", 2],
      ["--session s-20200101000000-0000", 0],
      ["--task t-none", 0],
    ] as const) {
      expect(JSON.parse((await run(`history ${filter} --json`)).stdout).matched, filter).toBe(matched);
    }
  });

  it("is validated, and told as findings", async () => {
    expect((await run("history --validate")).stdout).toMatch(
      /^OK {3}ledger {6}\.ai\/local\/state\/ledger\.jsonl — /u,
    );
    await run("session start");
    const ledger = join(root, ".ai/local/state/ledger.jsonl");
    appendFileSync(ledger, "garbage\n");
    const bad = await run("history --validate");
    expect(bad.status).toBe(10);
    expect(bad.stdout).toMatch(/^FAIL ledger {6}\.ai\/local\/state\/ledger\.jsonl:2 — /u);
    const lines = (await run("history --validate --json")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(["FAIL"]);
    expect((await run("history")).stderr).toContain("1 malformed line(s)");
  });
});
