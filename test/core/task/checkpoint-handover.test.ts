import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { copiesDirectory } from "../../../src/core/journal/record-copies.ts";
import { scanLedger } from "../../../src/core/ledger/read.ts";
import type { LedgerLine } from "../../../src/core/ledger/line.ts";
import { readTask, rewriteTask } from "../../../src/core/records/task.ts";
import type { WrittenAnswer } from "../../../src/core/task/answers.ts";
import { writeCheckpoint } from "../../../src/core/task/checkpoint.ts";
import { writeHandover } from "../../../src/core/task/handover.ts";
import type { HandoverOptions } from "../../../src/core/task/handover.ts";
import { startTask } from "../../../src/core/task/start-task.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { runWorker } from "./support/run-worker.ts";

const BODY = "# Objective\nFix the callback.\n\n# Current State\nFixed.\n\n# Next Action\nDecide.\n";
const momentOf = (checkout: Checkout): Moment => new Moment(checkout.repository, checkout.head);

function start(checkout: Checkout) {
  const given = { task: "split", scope: ["lib"], profile: "debugging", owner: "dev" };
  return startTask(checkout, given, {}, momentOf(checkout)).task;
}

const checkpoint = (checkout: Checkout, body: string) =>
  writeCheckpoint(checkout, body, { session: "s-20260904120000-0001" }, momentOf(checkout));
const handover = (checkout: Checkout, body: string, options: HandoverOptions = {}) =>
  writeHandover(checkout, body, options, {}, momentOf(checkout));

function ledger({ layout }: Checkout): LedgerLine[] {
  const lines: LedgerLine[] = [];
  scanLedger(layout.ledger, (line) => lines.push(line));
  return lines;
}

const taskOf = ({ layout }: Checkout) => {
  const task = readTask(layout.task);
  return task.ok ? task.value : undefined;
};

async function placeWithTask(): Promise<Place & { id: string; here: Checkout }> {
  const place = await newPlace();
  const here = await place.checkout();
  const { id } = start(here);
  place.clock.forward(10);
  return { ...place, id, here };
}

describe("a checkpoint", () => {
  it("is the original's file: identity from git, the body as given, private, and copied", async () => {
    const { root, here, id } = await placeWithTask();
    writeFileSync(join(root, "new file.ts"), "x");
    const { path, moved } = checkpoint(here, "\ufeffReproduced.\r\nNext: the test.\r\n\r\n");
    expect(path).toMatch(
      new RegExp(
        String.raw`^\.ai/local/state/checkpoints/20260904T121000Z--main--${here.head?.slice(0, 7)}--[0-9a-f]{16}\.md$`,
      ),
    );
    const file = join(root, path ?? "");
    const text = [
      "---",
      "schema_version: 1",
      "created_at: 2026-09-04T12:10:00Z",
      `task_id: ${id}`,
      "profile: debugging",
      'owner: "dev"',
      `repository_id: ${root}/.git`,
      `worktree: ${root}`,
      "branch: main",
      `head: ${here.head}`,
      "working_tree: dirty",
      "changed_files:",
      "  - new file.ts",
      "---",
      "",
      "Reproduced.",
      "Next: the test.",
      "",
    ].join("\n");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const copies = copiesDirectory(here, here.worktreeIdentity, "checkpoints");
    expect(readdirSync(copies)).toEqual([path?.split("/").at(-1)]);
    expect(moved).toBe(true);
    expect(taskOf(here)?.checkpoint_at).toBe("2026-09-04T12:10:00Z");
    const line = ledger(here).at(-1);
    expect([...(line?.fields.keys() ?? [])]).toEqual([
      "ts",
      "event",
      "head",
      "branch",
      "by",
      "session",
      "task_id",
      "checkpoint_path",
    ]);
  });

  it("without a body writes no file and moves the time", async () => {
    const { here, id } = await placeWithTask();
    expect(checkpoint(here, " \n\n")).toMatchObject({ moved: true, task_id: id });
    expect(existsSync(here.layout.checkpoints) ? readdirSync(here.layout.checkpoints) : []).toEqual([]);
    const line = ledger(here).at(-1);
    expect(line?.event).toBe("task.checkpoint");
    expect(line?.fields.has("checkpoint_path")).toBe(false);
    expect(taskOf(here)?.checkpoint_at).toBe("2026-09-04T12:10:00Z");
  });

  it("needs no task", async () => {
    const here = await (await newPlace()).checkout();
    const { path, task_id } = checkpoint(here, "done");
    expect(task_id).toBeUndefined();
    expect(readFileSync(join(here.root, path ?? ""), "utf8")).toContain(
      'task_id: none\nprofile: none\nowner: "tester"',
    );
    expect(ledger(here).at(-1)?.fields.has("task_id")).toBe(false);
  });

  it.each([
    ["too long", Array.from({ length: 41 }, (_, index) => `line ${index}`).join("\n"), "majordomus handover"],
    ["an identity line", "fine\nhead: abc\n", "body"],
    ["an identity line after CR", "fine\rbranch: x\r", "body"],
    ["an identity line behind a sequence", "\u001b[0mworktree: x", "body"],
    ["an identity line at the start", "task_id: none", "body"],
  ])("that is %s is refused with 10 and nothing is written", async (_, body, word) => {
    const { here } = await placeWithTask();
    const before = ledger(here).length;
    expect(() => checkpoint(here, body)).toThrow(
      expect.objectContaining({ exit: 10, line: expect.stringContaining(word) }),
    );
    expect(existsSync(here.layout.checkpoints) ? readdirSync(here.layout.checkpoints) : []).toEqual([]);
    expect(ledger(here)).toHaveLength(before);
    expect(taskOf(here)?.checkpoint_at).toBe("2026-09-04T12:00:00Z");
  });

  it("of exactly the allowed length stands", async () => {
    const { here } = await placeWithTask();
    expect(checkpoint(here, `${"x\n".repeat(40)}\n\n`).path).toBeDefined();
  });
});

describe("a handover", () => {
  it("is written, noted, and leaves the task active", async () => {
    const { here, id } = await placeWithTask();
    const { path, closed } = handover(here, BODY);
    expect(closed).toBe(false);
    expect(readFileSync(join(here.root, path), "utf8")).toContain(`changed_files:\n---\n\n${BODY}`);
    const line = ledger(here).at(-1);
    expect(Object.fromEntries(line?.fields ?? [])).toMatchObject({
      event: "task.handed_over",
      task_id: id,
      handover_path: path,
      closed: 0,
    });
    expect(taskOf(here)).toMatchObject({ outcome: "active", checkpoint_at: "2026-09-04T12:10:00Z" });
  });

  it("with --close hands the task over, and keeps every other byte of it", async () => {
    const { here } = await placeWithTask();
    const odd = `# mine\r\n${readFileSync(here.layout.task, "utf8").replaceAll("\n", "\r\n")}later: kept\r\n`;
    writeFileSync(here.layout.task, odd);
    expect(handover(here, BODY, { close: true }).closed).toBe(true);
    expect(readFileSync(here.layout.task, "utf8")).toBe(
      odd
        .replace("outcome: active", "outcome: handed_over")
        .replace("checkpoint_at: 2026-09-04T12:00:00Z", "checkpoint_at: 2026-09-04T12:10:00Z"),
    );
    expect(ledger(here).at(-1)?.fields.get("closed")).toBe(1);
  });

  it.each(["completed", "failed", "no_match", "blocked", "partial", "handed_over"] as const)(
    "is written after a task ended %s, and never changes that",
    async (outcome) => {
      const { here, id } = await placeWithTask();
      writeFileSync(here.layout.task, rewriteTask(readFileSync(here.layout.task, "utf8"), { outcome }));
      const { path, closed } = handover(here, BODY, { close: true });
      expect(readFileSync(join(here.root, path), "utf8")).toContain(`task_id: ${id}`);
      expect([closed, taskOf(here)?.outcome]).toEqual([false, outcome]);
      expect(checkpoint(here, "x").path).toBeDefined();
    },
  );

  it("without a task is refused with 12, unless that is said", async () => {
    const here = await (await newPlace()).checkout();
    expect(() => handover(here, BODY)).toThrow(expect.objectContaining({ exit: 12 }));
    const { path, task_id } = handover(here, BODY, { noTask: true, close: true });
    expect(task_id).toBeUndefined();
    expect(readFileSync(join(here.root, path), "utf8")).toContain("task_id: none");
  });

  it.each([
    ["nothing", " \n", "the body is empty"],
    ["a section less", "# Objective\na\n# Next Action\nb", "missing or empty section(s): Current State"],
    [
      "placeholders",
      "# Objective\n<a>\n# Current State\nb\n# Next Action\n<c>\n",
      "missing or empty section(s): Objective, Next Action",
    ],
    ["an identity line", `${BODY}\nrepository_id: x`, "computed from git"],
    ["far too much", `${BODY}${"x".repeat(1_100_000)}`, "larger than"],
  ])("with %s is refused with 10 and nothing is written", async (_, body, words) => {
    const { here } = await placeWithTask();
    expect(() => handover(here, body)).toThrow(
      expect.objectContaining({ exit: 10, message: expect.stringContaining(words) }),
    );
    expect(existsSync(here.layout.handovers) ? readdirSync(here.layout.handovers) : []).toEqual([]);
    expect(ledger(here).at(-1)?.event).toBe("task.started");
  });

  it("stands although no copy can be kept, and says so", async () => {
    const { here } = await placeWithTask();
    mkdirSync(here.common.root, { recursive: true });
    writeFileSync(here.common.records, "in the way");
    const { path, notes } = handover(here, BODY);
    expect(existsSync(join(here.root, path))).toBe(true);
    expect(notes.join()).toContain("no copy was kept");
  });
});

describe("a record that is only asked for", () => {
  it("is told as it would be written, and nothing is written", async () => {
    const place = await placeWithTask();
    const checkout = await place.checkout();
    const before = [ledger(checkout), readFileSync(checkout.layout.task, "utf8")];
    const texts: Record<string, unknown> = {};
    for (const id of ["checkpoint.write", "handover.write"] as const) {
      const asked = { derive: true, dry_run: true };
      texts[id] = ((await runCapability(checkout, id, asked)) as WrittenAnswer).text;
    }
    const given = { body: `${BODY}\n\n`, dry_run: true };
    expect(await runCapability(checkout, "handover.write", given)).toMatchObject({ text: BODY });
    await expect(
      runCapability(checkout, "checkpoint.write", { body: "head: x", dry_run: true }),
    ).rejects.toThrow("computed from git");
    expect([ledger(checkout), readFileSync(checkout.layout.task, "utf8")]).toEqual(before);
    for (const [id, text] of Object.entries(texts)) {
      const { path = "" } = (await runCapability(checkout, id, { derive: true })) as WrittenAnswer;
      const record = readFileSync(join(checkout.root, path), "utf8");
      // The handover quotes the checkpoint that was written between.
      if (id === "checkpoint.write") expect(record.endsWith(`---\n\n${String(text)}`)).toBe(true);
      else expect(record).toContain(String(text).split("\n\n# Current State")[0]);
    }
  });
});

describe("a handover that is to close a task and to leave it out", () => {
  it("is refused however it is asked for, and the task stays as it is", async () => {
    const place = await placeWithTask();
    const checkout = await place.checkout();
    const before = [ledger(checkout), readFileSync(checkout.layout.task, "utf8")];
    for (const asked of [{ body: BODY }, { derive: true }, { derive: true, dry_run: true }]) {
      const both = { ...asked, close: true, no_task: true };
      await expect(runCapability(checkout, "handover.write", both)).rejects.toMatchObject({ exit: 2 });
    }
    expect([ledger(checkout), readFileSync(checkout.layout.task, "utf8")]).toEqual(before);
    const closed = { derive: true, close: true, no_task: false };
    expect(await runCapability(checkout, "handover.write", closed)).toMatchObject({ closed: true });
  });
});

describe("a handover that is killed before any operation on the disk", () => {
  it("leaves whole records only, never a task that is closed without its record", async () => {
    const { root, here } = await placeWithTask();
    const task = readFileSync(here.layout.task, "utf8");
    for (let operation = 1; ; operation += 3) {
      writeFileSync(here.layout.task, task);
      rmSync(here.layout.locks, { recursive: true, force: true });
      const run = await runWorker([root, "handover", "killed"], `kill@${operation}`);
      const names = readdirSync(here.layout.handovers).filter((name) => name.endsWith(".md"));
      for (const name of names) {
        expect(readFileSync(join(here.layout.handovers, name), "utf8")).toMatch(/# Next Action\nc\n$/);
      }
      const named = ledger(here).filter(({ event }) => event === "task.handed_over");
      expect(named.length).toBeLessThanOrEqual(names.length);
      if (taskOf(here)?.outcome === "handed_over") expect(named.length).toBeGreaterThan(0);
      if (run.signal === null) {
        expect(run).toMatchObject({ status: 0, stderr: "" });
        break;
      }
      expect(operation).toBeLessThan(120);
    }
    expect(taskOf(here)?.outcome).toBe("handed_over");
  });
});
