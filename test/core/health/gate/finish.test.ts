import { appendFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../../src/core/fs/fault.ts";
import { finishTask } from "../../../../src/core/health/gate/finish.ts";
import { Moment } from "../../../../src/core/git/moment.ts";
import { addQuestion, resolveQuestion } from "../../../../src/core/task/questions.ts";
import { writeHandover } from "../../../../src/core/task/handover.ts";
import { newPlace } from "../../../support/checkout.ts";
import { findingOf, newWork, NOTE } from "../support/work.ts";
import type { Work } from "../support/work.ts";

afterEach(() => injectFaults(undefined));

function state(work: { root: string }, name: string): string {
  return join(work.root, ".ai/local/state", name);
}

function finished(work: Work): string[] {
  return readFileSync(state(work, "ledger.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"event":"task.finished"'));
}

function picture(work: Work): string {
  const files = ["current.yaml", "ledger.jsonl"].map((name) => readFileSync(state(work, name), "utf8"));
  return [...files, ...readdirSync(state(work, "completed"))].join("\n");
}

const VERIFIED = { outcome: "completed", verify_command: "true", note: NOTE } as const;

describe("finish", () => {
  it("writes outcome, ledger line and note when the contract is kept", async () => {
    const work = await newWork();
    work.write("lib/a.ts", "1\n");
    const answer = await work.finish(VERIFIED);
    expect(answer).toMatchObject({
      state: "finished",
      task_id: work.task.id,
      outcome: "completed",
      unmet: 0,
      verify: { command: "true", exit: 0 },
      note: `.ai/local/state/completed/${work.task.id}.md`,
    });
    expect(readFileSync(state(work, "current.yaml"), "utf8")).toContain("outcome: completed\n");
    expect(readFileSync(join(work.root, answer.note ?? ""), "utf8")).toBe(NOTE);
    expect(finished(work)).toHaveLength(1);
    const line = JSON.parse(finished(work)[0] ?? "");
    expect(line).toMatchObject({
      task_id: work.task.id,
      outcome: "completed",
      contract: { scope_respected: "pass", verification_ran: "pass", regression_test: "skipped" },
      verify: { command: "true", exit: 0, seconds: 0 },
      checkpoints: 0,
    });
    expect(finished(work)[0]).toContain('"verify":{"command"');
  });

  it("leaves nothing written when it is refused, and prints every clause", async () => {
    const work = await newWork();
    work.write("outside.txt", "1\n");
    const before = picture(work);
    const answer = await work.finish({ outcome: "completed", verify_command: "echo told; exit 7" });
    expect(answer).toMatchObject({ state: "refused", unmet: 3, verify: { exit: 7, output: "told\n" } });
    expect(answer.findings.map(({ category }) => category)).toEqual([
      "scope",
      "verification",
      "state",
      "blockers",
      "note",
      "regression",
      "decision",
    ]);
    expect(picture(work)).toBe(before);
  });

  it("is refused by a question of any task for completed, and for completed alone", async () => {
    for (const outcome of ["partial", "blocked", "no_match", "failed"] as const) {
      const work = await newWork();
      appendFileSync(state(work, "open-questions.md"), "- [unresolved] t-2 — Which? (2026-09-04)\n");
      expect((await work.finish({ ...VERIFIED })).unmet, outcome).toBe(1);
      const note = `${NOTE}\n# Reason\nBecause.\n`;
      expect(await work.finish({ outcome, note }), outcome).toMatchObject({ state: "finished", outcome });
      expect(JSON.parse(finished(work)[0] ?? "")).toMatchObject({ outcome, verify: null });
    }
  });

  it("takes an index with a mistyped line for no evidence that nothing is open", async () => {
    const work = await newWork();
    appendFileSync(state(work, "open-questions.md"), "- [unresolvd] t-2 — Which? (2026-09-04)\n");
    const { findings, state: how } = await work.finish(VERIFIED);
    expect(how).toBe("refused");
    expect(findingOf(findings, "blockers", "FAIL")?.message).toContain("may hide one");
  });

  it("goes on once the question is answered, with the newest handover as its note", async () => {
    const work = await newWork();
    const checkout = await work.checkout();
    addQuestion(checkout, "Which port?", {});
    writeHandover(checkout, NOTE, {}, {}, new Moment(checkout.repository, checkout.head));
    expect((await work.finish({ outcome: "completed", verify_command: "true" })).unmet).toBe(1);
    resolveQuestion(checkout, { substring: "port", answer: "8741" }, {});
    const answer = await work.finish({ outcome: "completed", verify_command: "true" });
    expect(answer).toMatchObject({ state: "finished", unmet: 0 });
    expect(findingOf(answer.findings, "note", "OK")?.message).toContain(".ai/local/state/handovers/");
    expect(readFileSync(join(work.root, answer.note ?? ""), "utf8")).toContain("# Current State\n");
  });

  it("is refused where there is no task, another's, or one that ended", async () => {
    const place = await newPlace();
    const company = { session: undefined, signal: { aborted: false }, own: [] };
    const checkout = await place.checkout();
    await expect(finishTask(checkout, VERIFIED, company)).rejects.toMatchObject({ exit: 12 });
    const work = await newWork();
    await expect(work.finish({})).rejects.toMatchObject({ exit: 2 });
    const path = state(work, "current.yaml");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/^worktree: .*$/mu, "worktree: /srv/app"));
    await expect(work.finish(VERIFIED)).rejects.toMatchObject({ code: "task.foreign", exit: 15 });
    writeFileSync(path, text);
    await work.finish(VERIFIED);
    await expect(work.finish(VERIFIED)).rejects.toMatchObject({ code: "task.not_active", exit: 15 });
    expect(finished(work)).toHaveLength(1);
  });

  it("only judges scope and state when it is asked to, and has nothing to enforce without a task", async () => {
    const place = await newPlace();
    const company = { session: undefined, signal: { aborted: false }, own: [] };
    expect(await finishTask(await place.checkout(), { check: true }, company)).toMatchObject({
      state: "nothing",
      unmet: 0,
    });
    const work = await newWork();
    work.write("outside.txt", "1\n");
    const before = picture(work);
    const answer = await work.finish({ check: true });
    expect(answer).toMatchObject({ state: "checked", unmet: 1 });
    expect(answer.findings.map(({ category }) => category)).toEqual(["scope", "state"]);
    expect(picture(work)).toBe(before);
  });

  it("refuses a policy that asks for a clause nobody knows", async () => {
    const work = await newWork();
    const path = join(work.root, ".ai/repo/policy.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replace("- note_present", "- tea_drunk"));
    await expect(work.finish(VERIFIED)).rejects.toMatchObject({
      exit: 10,
      subject: expect.stringContaining("tea_drunk"),
    });
  });

  it("counts the checkpoints of the task", async () => {
    const work = await newWork();
    const path = state(work, "ledger.jsonl");
    const line = (task: string) =>
      `{"ts":"2026-09-04T12:00:00Z","event":"task.checkpoint","task_id":"${task}"}\n`;
    appendFileSync(path, line(work.task.id) + line("t-2") + line(work.task.id));
    await work.finish(VERIFIED);
    expect(JSON.parse(finished(work)[0] ?? "")).toMatchObject({ checkpoints: 2 });
  });
});

describe("a verification", () => {
  it("runs in the root, reads nothing, and leaves no process behind", async () => {
    const work = await newWork();
    const verify_command =
      "pwd > lib-root; cat; sleep 300 & echo $! > child; mkdir -p lib; mv lib-root child lib/";
    const answer = await work.finish({ ...VERIFIED, verify_command });
    expect(answer).toMatchObject({ state: "finished", verify: { exit: 0 } });
    expect(readFileSync(join(work.root, "lib/lib-root"), "utf8")).toBe(`${work.root}\n`);
    const child = Number(readFileSync(join(work.root, "lib/child"), "utf8"));
    const runs = (): boolean => {
      try {
        return !/^State:\s+Z/mu.test(readFileSync(`/proc/${child}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    await vi.waitFor(() => expect(runs()).toBe(false), { timeout: 10_000 });
  });

  it("ends with everything it started when it is cancelled", async () => {
    const work = await newWork();
    const signal = { aborted: false };
    const checkout = await work.checkout();
    const running = finishTask(
      checkout,
      { ...VERIFIED, verify_command: "echo begun > begun; sleep 300" },
      { session: undefined, signal, own: [".aigent"] },
    );
    await vi.waitFor(() => expect(existsSync(join(work.root, "begun"))).toBe(true), { timeout: 30_000 });
    signal.aborted = true;
    expect(await running).toMatchObject({ state: "refused", verify: { stopped: "was cancelled" } });
  });
});

describe("a finish that fails in the middle", () => {
  it("is completed by the next one without a second line, wherever the disk failed", async () => {
    // Every operation that only a write needs fails once, at each of its turns.
    for (const plan of ["write", "rename", "link"]) {
      for (let turn = 1, failed = true; failed && turn < 20; turn += 1) {
        const work = await newWork();
        injectFaults(parseFaultPlan(`EIO@${turn}:${plan}`));
        failed = await work.finish(VERIFIED).then(
          () => false,
          () => true,
        );
        injectFaults(undefined);
        const text = readFileSync(state(work, "current.yaml"), "utf8");
        expect(text, `${plan} ${turn}`).toContain(failed ? "outcome: active" : "outcome: completed");
        if (failed) expect(await work.finish(VERIFIED)).toMatchObject({ state: "finished" });
        expect(finished(work), `${plan} ${turn}`).toHaveLength(1);
        expect(readFileSync(state(work, `completed/${work.task.id}.md`), "utf8")).toBe(NOTE);
        expect(readFileSync(state(work, "current.yaml"), "utf8")).toContain("outcome: completed\n");
      }
    }
  });
});
