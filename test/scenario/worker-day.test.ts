import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { addWorktree, command, commitFile, git, makePlace } from "./support/place.ts";
import { expectReadableByTheOriginal } from "./support/original-reader.ts";
import { readAll } from "./support/stores.ts";
import { Worker } from "./support/worker.ts";

const NEXT_ACTION = "Let the writer stream too, then measure both.";
const NOTE = "# Objective\nSplit it.\n# Current State\nReader done.\n# Next Action\nThe writer.\n";
const HANDOVER = `# Objective\nSplit the parser.\n\n# Current State\nThe reader streams.\n\n# Next Action\n${NEXT_ACTION}\n`;

/** What a context document says of its own length, and what it has. */
function lengths(document: string): { said: number; counted: number } {
  const lines = document.trimEnd().split("\n");
  return { said: Number(/^(\d+) of 300 lines/.exec(lines.at(-1) ?? "")?.[1]), counted: lines.length };
}

test("a worker's whole day: what it leaves is what the next one is told, and six days later it is history", async () => {
  const place = await makePlace();
  const worker = new Worker(place, "2026-09-04T08:00:00Z");
  const state = (...parts: string[]): string => join(place.root, ".ai/local/state", ...parts);
  const ledger = (): string => readFileSync(state("ledger.jsonl"), "utf8");
  const filesOf = (kind: string): string[] => readdirSync(state(kind)).filter((name) => name.endsWith(".md"));

  expect(await worker.hook("SessionStart")).toContain("No active task in this checkout.");
  await worker.does(["start", "Split the parser", "--scope", "src"]);
  const begun = await worker.does(["context"]);
  expect(begun).toContain("task         Split the parser\n");
  expect(lengths(begun)).toEqual({ said: lengths(begun).counted, counted: lengths(begun).counted });

  worker.at("2026-09-04T08:10:00Z");
  mkdirSync(join(place.root, "src"));
  writeFileSync(join(place.root, "src/reader.ts"), "export {};\n");
  await worker.does(["checkpoint"], "The reader streams.\n");
  await worker.does([
    ..."decision add".split(" "),
    "Stream, do not slurp",
    ..."--why memory --rejected mmap --evidence src/reader.ts".split(" "),
  ]);
  await worker.does(["question", "add", "Which encoding does the export use?"]);
  commitFile(place.root, "src/reader.ts", "export const streams = true;\n");

  expect(await worker.hook("PreCompact.auto")).toBe("");
  expect(filesOf("checkpoints")).toHaveLength(2);
  expect(await worker.hook("SessionStart.compact")).toMatch(/BLOCKED: 1 open question\(s\)/);
  // The announcement came, so there was nothing to make up for.
  expect(filesOf("checkpoints")).toHaveLength(2);

  const checked = await worker.run(["check"]);
  expect(checked.status).toBe(10);
  expect(checked.stdout).toMatch(/^FAIL blockers /m);
  const note = join(place.directory, "note.md");
  writeFileSync(note, NOTE);
  const finish = ["finish", "--outcome", "completed", "--verify-command", "true", "--note", note];
  const before = [ledger(), readFileSync(state("current.yaml"), "utf8")];
  const refused = await worker.run(finish);
  expect(refused.status).toBe(10);
  expect(refused.stdout.trimEnd().split("\n").at(-1)).toBe("finish: refused, 1 unmet");
  expect([ledger(), readFileSync(state("current.yaml"), "utf8")]).toEqual(before);
  await worker.does(["question", "resolve", "encoding", "--answer", "UTF-8"]);
  expect(await worker.does(finish)).toMatch(/\nfinish: t-20260904080000-[0-9a-f]{4} completed\n$/);

  worker.at("2026-09-04T09:00:00Z");
  const handed = await worker.does(["handover"], HANDOVER);
  expect(await worker.hook("SessionEnd.prompt_input_exit")).toBe("");
  // What somebody wrote is not covered by what nobody did.
  expect(filesOf("handovers")).toEqual([handed.trim().split("/").at(-1)]);

  const [record] = readAll(place.root).records;
  expect(record?.fields).toMatchObject({ outcome: "closed", title: expect.stringContaining("Session s-") });
  expect(record?.lists).toMatchObject({
    tasks: [expect.stringMatching(/^t-20260904080000-/)],
    checkpoints: [expect.any(String), expect.any(String), expect.any(String)],
    handovers: [handed.trim()],
    decisions: ["Stream, do not slurp"],
    questions: ["Which encoding does the export use?"],
  });
  const told = readAll(place.root).ledger.filter(({ event }) => !event.startsWith("provider."));
  expect(told.map(({ event }) => event)).toEqual([
    "session.started",
    "task.started",
    "task.checkpoint",
    "decision.recorded",
    "question.opened",
    "task.checkpoint",
    "knowledge.derived",
    "question.resolved",
    "task.finished",
    "task.handed_over",
    "task.checkpoint",
    "knowledge.derived",
    "session.closed",
  ]);
  expect(new Set(told.map(({ session }) => session)).size).toBe(1);

  worker.at("2026-09-04T10:00:00Z");
  const next = await worker.hook("SessionStart", "next-day");
  expect(next).toMatch(/Handover \.ai\/\S+ \(same_worktree_same_branch, exact, fresh, 60m ago\)\./);
  expect(next).toContain(`Its Next Action:\n  ${NEXT_ACTION}\n`);
  await worker.hook("SessionEnd.other", "next-day");

  worker.at("2026-09-10T10:00:00Z");
  const late = await worker.hook("SessionStart", "next-week");
  expect(late).toMatch(/Historical handover \S+ \(same_worktree_same_branch, exact\)\./);
  expect(late).toMatch(/It is stale: 6d old/);
  expect(late).not.toContain(NEXT_ACTION);
  expect(late).not.toContain("Its Next Action");
  expect(expectReadableByTheOriginal(place.root)).toBeGreaterThan(12);
});

test("two checkouts and two branches never get each other's records, and one second is ordered by the ledger", async () => {
  const place = await makePlace();
  const lane = addWorktree(place, "lane");
  const environment = { MAJORDOMUS_NOW: "2026-09-04T12:00:00Z" };
  const write = async (directory: string, text: string): Promise<string> => {
    const body = `# Objective\no\n# Current State\nc\n# Next Action\n${text}\n`;
    const run = await command(place, ["handover", "--no-task"], { directory, environment, input: body });
    expect(run.status).toBe(0);
    return run.stdout;
  };
  const offered = async (directory: string): Promise<string> =>
    (await command(place, ["handover", "--resolve", "--path"], { directory, environment })).stdout;
  // Enough of one second that names, which end in chance, would put the last one last only by luck.
  for (const number of [1, 2, 3]) await write(place.root, `main ${number}`);
  const main = await write(place.root, "main last");
  const side = await write(lane, "lane");
  expect(await offered(place.root)).toBe(main);
  expect(await offered(lane)).toBe(side);
  git(place.root, "switch", "-q", "-c", "other");
  const run = await command(place, ["handover", "--resolve", "--path"], { environment });
  expect(run).toMatchObject({ status: 12, stdout: "" });
  expect(await offered(lane)).toBe(side);
  git(place.root, "switch", "-q", "main");
  expect(await offered(place.root)).toBe(main);
});
