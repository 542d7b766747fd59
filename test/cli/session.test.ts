import { readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { commitFile, git, newRepository } from "../support/repository.ts";
import { NOW, runLine } from "../support/run-program.ts";
import type { ProgramRun } from "../support/run-program.ts";

let root = "";
let head = "";

async function run(
  line: string,
  options: { stdin?: string; now?: number; directory?: string } = {},
): Promise<ProgramRun> {
  return runLine(line.split(" "), { directory: root, ...options });
}

async function opened(): Promise<string> {
  const { stdout } = await run("session start");
  return /^session (?<id>s-\d{14}-[0-9a-f]{4})/u.exec(stdout)?.groups?.["id"] ?? "";
}

beforeEach(async () => {
  root = newRepository();
  head = git(root, "rev-parse", "HEAD");
  await run("init");
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe("session start", () => {
  it("opens an episode, writes its working context, and says what comes next", async () => {
    const { status, stdout, stderr } = await run("session start --owner ana --worker w7");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const [first, second, third] = stdout.split("\n");
    expect(first).toMatch(
      /^session s-20261130120000-[0-9a-f]{4} opened at 2026-11-30T12:00:00Z \(head [0-9a-f]{7}\)$/u,
    );
    expect(first).toContain(head.slice(0, 7));
    expect(second).toMatch(/^working context: \.ai\/local\/session-contexts\/20261130T120000Z--s-/u);
    expect(third).toMatch(/^next: /u);
    const context = readFileSync(join(root, second?.slice("working context: ".length) ?? ""), "utf8");
    expect(context).toContain("opened_by: hand\n");
    expect(context).toContain('worker: "w7"\n');
  });

  it("refuses a second one, or keeps the first", async () => {
    const id = await opened();
    const refused = await run("session start");
    expect(refused).toMatchObject({ status: 15, stdout: "" });
    expect(refused.stderr).toContain(`${id}: is open here since 2026-11-30T12:00:00Z`);
    expect(await run("session start --if-open keep")).toEqual({
      status: 0,
      stdout: `session ${id} already open here since 2026-11-30T12:00:00Z; kept\n`,
      stderr: "",
    });
    const events = (await run("history --event session.started --json")).stdout;
    expect(JSON.parse(events).matched).toBe(1);
  });

  it("opens another one beside it for another provider session", async () => {
    const first = await opened();
    const { status, stdout } = await run("session start --provider codex --provider-session abc");
    expect(status).toBe(0);
    const second = /session (?<id>\S+)/u.exec(stdout)?.groups?.["id"];
    const own = await run("session status --provider-session abc");
    expect(own.stdout).toContain(`Session:    ${second}\n`);
    expect(own.stdout).toContain("Provider:   codex (session abc)\n");
    expect(own.stdout).toMatch(new RegExp(`^Also open:  ${first} \\(`, "mu"));
  });

  it("is refused by an open file that cannot be read", async () => {
    await opened();
    const directory = join(root, ".ai/local/state/sessions-open");
    const [name = ""] = readdirSync(directory);
    writeFileSync(join(directory, name), "garbage");
    for (const line of ["session start", "session status", "session close"]) {
      const refused = await run(line);
      expect(refused, line).toMatchObject({ status: 10, stdout: "" });
      expect(refused.stderr, line).toContain(name);
    }
  });
});

describe("session status", () => {
  it("shows the episode in fixed columns", async () => {
    const id = await opened();
    commitFile(root, "a.txt", "a");
    expect((await run("session status")).stdout).toBe(
      [
        `Session:    ${id}`,
        "Opened:     2026-11-30T12:00:00Z",
        "Owner:      tester",
        "Branch:     main",
        `Start head: ${head.slice(0, 7)} (advanced)`,
        "",
      ].join("\n"),
    );
  });

  it("answers in the original's JSON", async () => {
    expect(JSON.parse((await run("session status --json")).stdout)).toEqual({
      schema: 1,
      open: null,
      others: [],
    });
    const id = await opened();
    expect(JSON.parse((await run("--json session status")).stdout)).toEqual({
      schema: 1,
      open: {
        session_id: id,
        started_at: "2026-11-30T12:00:00Z",
        owner: "tester",
        worker: null,
        provider: null,
        provider_session: null,
        worktree: root,
        branch: "main",
        start_head: head,
        start_working_tree: "dirty",
        foreign: false,
        label: "exact",
      },
      others: [],
    });
  });

  it("says that nothing is open, and that is no failure", async () => {
    expect(await run("session status")).toEqual({
      status: 0,
      stdout: "No open session in this worktree.\n",
      stderr: "",
    });
  });

  it("changes nothing", async () => {
    await opened();
    const before = git(root, "status", "--porcelain", "--ignored");
    const ledger = readFileSync(join(root, ".ai/local/state/ledger.jsonl"));
    for (const line of [
      "session status",
      "session list",
      "session latest",
      "session context",
      "status",
      "recover",
      "history",
      "lifecycle recovery",
    ]) {
      await run(line);
    }
    expect(git(root, "status", "--porcelain", "--ignored")).toBe(before);
    expect(readFileSync(join(root, ".ai/local/state/ledger.jsonl"))).toEqual(ledger);
  });
});

describe("session close", () => {
  it("prints the record's path alone, and the authored body stands in it", async () => {
    const id = await opened();
    const { status, stdout, stderr } = await run("session close", {
      stdin: "# What Happened\nIt was done.\n",
      now: NOW + 60_000,
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^\.ai\/repo\/sessions\/20261130T120100Z--\S+\.md\n$/u);
    const record = readFileSync(join(root, stdout.trim()), "utf8");
    expect(record).toContain(`session_id: ${id}\n`);
    expect(record).toContain("outcome: closed\n");
    expect(record).toContain("It was done.");
    expect((await run("session status")).stdout).toBe("No open session in this worktree.\n");
    const context = readdirSync(join(root, ".ai/local/session-contexts")).map((name) =>
      readFileSync(join(root, ".ai/local/session-contexts", name), "utf8"),
    );
    expect(context[0]).toContain("## Close");
  });

  it("leaves the episode open when the summary claims what only git may say", async () => {
    const id = await opened();
    const refused = await run("session close", { stdin: "branch: other\n" });
    expect(refused).toMatchObject({ status: 10, stdout: "" });
    expect((await run("session status")).stdout).toContain(id);
  });

  it("with nothing open is refused, or ignored without a word", async () => {
    expect(await run("session close")).toMatchObject({ status: 12, stdout: "" });
    expect(await run("session close --if-none ignore")).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("leaves the episode of another worktree to that worktree", async () => {
    await opened();
    const sibling = `${root}-sibling`;
    git(root, "worktree", "add", "-q", "-b", "side", sibling);
    await run("init --extend", { directory: sibling });
    await run("session start --provider-session copied", { directory: sibling });
    const name = readdirSync(join(sibling, ".ai/local/state/sessions-open"))[0] ?? "";
    const copied = readFileSync(join(sibling, ".ai/local/state/sessions-open", name));
    writeFileSync(join(root, ".ai/local/state/sessions-open", name), copied);
    rmSync(join(root, ".ai/local/state/session-current.yaml"));
    symlinkSync(`sessions-open/${name}`, join(root, ".ai/local/state/session-current.yaml"));
    const refused = await run("session close");
    expect(refused).toMatchObject({ status: 15, stdout: "" });
    expect(refused.stderr).toContain(sibling);
    expect(readFileSync(join(root, ".ai/local/state/sessions-open", name))).toEqual(copied);
    rmSync(sibling, { recursive: true, force: true });
  });

  it("that was killed after its record keeps that record", async () => {
    await opened();
    const directory = join(root, ".ai/local/state/sessions-open");
    const [name = ""] = readdirSync(directory);
    const file = readFileSync(join(directory, name));
    const record = (await run("session close")).stdout;
    writeFileSync(join(directory, name), file);
    symlinkSync(`sessions-open/${name}`, join(root, ".ai/local/state/session-current.yaml"));
    const again = await run("session close");
    expect(again).toMatchObject({ status: 0, stdout: record });
    expect(again.stderr).toContain("record already; it stands");
    expect(JSON.parse((await run("history --event session.closed --json")).stdout).matched).toBe(1);
  });
});

describe("closed sessions", () => {
  async function closeOne(minute: number, outcome = "closed"): Promise<string> {
    await run("session start", { now: NOW + minute * 60_000 });
    return (
      await run(`session close --outcome ${outcome}`, { now: NOW + minute * 60_000 + 1000 })
    ).stdout.trim();
  }

  it("are listed newest first, in fixed columns, of this branch alone", async () => {
    const first = await closeOne(0);
    const second = await closeOne(1, "interrupted");
    git(root, "switch", "-q", "-c", "other");
    const other = await closeOne(2);
    git(root, "switch", "-q", "main");
    const { stdout, stderr } = await run("session list");
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^2026-11-30T12:01:01Z {2}s-\S{19} {4}interrupted {2}exact {14}\.ai\//u);
    expect(lines.map((line) => line.split(/ +/u).at(-1))).toEqual([second, first]);
    expect(stderr).toContain("1 more elsewhere");
    const all = await run("session list --all");
    expect(all.stdout).toContain(other);
    expect(all.stdout).toContain("different_context");
  });

  it("that are no records are skipped aloud", async () => {
    await closeOne(0);
    writeFileSync(join(root, ".ai/repo/sessions/odd.md"), "---\nschema: session/v9\n---\n");
    const { status, stdout, stderr } = await run("session list");
    expect(status).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/^warning: skipped \.ai\/repo\/sessions\/odd\.md: /);
    expect(stderr).toContain("1 file(s) skipped");
  });

  it("are shown whole, or by their facts", async () => {
    const path = await closeOne(0);
    const id = /--(?<id>s-[^-]+-[^-]+)--/u.exec(path)?.groups?.["id"] ?? "";
    const shown = await run(`session show ${id}`);
    expect(shown.stdout).toBe(`${readFileSync(join(root, path), "utf8").trimEnd()}\n`);
    const facts = {
      schema: 1,
      session: {
        session_id: id,
        started_at: "2026-11-30T12:00:00Z",
        closed_at: "2026-11-30T12:00:01Z",
        outcome: "closed",
        branch: "main",
        label: "exact",
        match: "same_worktree_same_branch",
        path,
      },
    };
    expect(JSON.parse((await run(`session show ${id} --json`)).stdout)).toEqual(facts);
    expect(JSON.parse((await run("session latest --json")).stdout)).toEqual(facts);
    expect((await run("session latest --path")).stdout).toBe(`${path}\n`);
    expect(await run("session show s-20200101000000-0000")).toMatchObject({ status: 12, stdout: "" });
    writeFileSync(join(root, path), "---\nschema: session/v9\n---\n");
    expect(await run(`session show ${id}`)).toMatchObject({ status: 10, stdout: "" });
  });

  it("may be none", async () => {
    expect(JSON.parse((await run("session latest --json")).stdout)).toEqual({ schema: 1, latest: null });
    expect(await run("session latest")).toMatchObject({ status: 0 });
    expect(await run("session latest --path")).toMatchObject({ status: 12, stdout: "" });
    expect(await run("session list")).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  it("show a hostile title without its escape sequences, and exactly in JSON", async () => {
    await run("session start --worker \u001B[2J\u202Eevil");
    expect((await run("session status")).stdout).not.toMatch(/[\u001B\u202E]/u);
    expect(JSON.parse((await run("session status --json")).stdout).open.worker).toBe("\u001B[2J\u202Eevil");
  });
});

describe("session context", () => {
  it("is the path of the document, with its label in JSON", async () => {
    const id = await opened();
    const { stdout } = await run("session context");
    expect(stdout).toMatch(/^\.ai\/local\/session-contexts\/\S+\.md\n$/u);
    expect((await run(`session context ${id}`)).stdout).toBe(stdout);
    commitFile(root, "a.txt", "a");
    commitFile(root, "b.txt", "b");
    expect(JSON.parse((await run("session context --json")).stdout)).toEqual({
      schema: 1,
      session_id: id,
      path: stdout.trim(),
      label: "advanced",
      recorded_head: head,
      commits_since: 2,
    });
    const path = join(root, stdout.trim());
    writeFileSync(path, readFileSync(path, "utf8").replace(/^head: .*\n/mu, ""));
    expect(JSON.parse((await run("session context --json")).stdout)).toMatchObject({
      label: "unknown",
      recorded_head: null,
      commits_since: null,
    });
    rmSync(path);
    expect(await run("session context")).toMatchObject({ status: 12, stdout: "" });
  });

  it("needs an episode", async () => {
    expect(await run("session context")).toMatchObject({ status: 12, stdout: "" });
  });
});
