import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Moment } from "../../../src/core/git/moment.ts";
import { watchCheckout } from "../../../src/core/health/watch.ts";
import { writeHandover } from "../../../src/core/task/handover.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";
import { faults, newWork, NOTE } from "./support/work.ts";
import type { Work } from "./support/work.ts";

async function watch(place: Place): Promise<string[]> {
  return faults(await watchCheckout(await place.checkout(), []));
}

function edit(work: Work, from: string | RegExp, to: string): void {
  const path = join(work.root, ".ai/local/state/current.yaml");
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

async function handOver(work: Work, body = NOTE): Promise<string> {
  const checkout = await work.checkout();
  const written = writeHandover(checkout, body, {}, {}, new Moment(checkout.repository, checkout.head));
  return written.path ?? "";
}

describe("watch", () => {
  it("finds nothing in a fresh layer, and nothing of a task at work", async () => {
    expect(await watch(await newPlace())).toEqual([]);
    expect(await watch(await newWork())).toEqual([]);
  });

  it("names a scope that was left, and a checkpoint that is due", async () => {
    const work = await newWork();
    work.write("outside.txt", "1\n");
    work.clock.forward(16);
    expect(await watch(work)).toEqual(["DRIFT scope outside.txt", `DRIFT checkpoint ${work.task.id}`]);
  });

  it("names a start that is no longer in the history", async () => {
    const work = await newWork();
    git(work.root, "commit", "-q", "--amend", "-m", "rewritten");
    expect(await watch(work)).toEqual([`DRIFT state ${work.task.id}`]);
  });

  it("names an outcome that the ledger contradicts, or knows nothing of", async () => {
    const work = await newWork();
    edit(work, "outcome: active", "outcome: completed");
    expect(await watch(work)).toEqual([`DRIFT verification ${work.task.id}`]);
    const line = `{"ts":"2026-09-04T12:00:00Z","event":"task.finished","task_id":"${work.task.id}","outcome":"failed","contract":{}}\n`;
    appendFileSync(join(work.root, ".ai/local/state/ledger.jsonl"), line);
    expect(await watch(work)).toEqual([`DRIFT state ${work.task.id}`]);
    edit(work, "outcome: completed", "outcome: failed");
    expect(await watch(work)).toEqual([]);
    edit(work, "outcome: failed", "outcome: active");
    expect(await watch(work)).toEqual([`DRIFT state ${work.task.id}`]);
  });

  it("names a task that was handed over without its handover", async () => {
    const work = await newWork();
    edit(work, "outcome: active", "outcome: handed_over");
    expect(await watch(work)).toEqual([`DRIFT handover ${work.task.id}`]);
    edit(work, "outcome: handed_over", "outcome: active");
    const path = await handOver(work);
    edit(work, "outcome: active", "outcome: handed_over");
    expect(await watch(work)).toEqual([]);
    const whole = join(work.root, path);
    writeFileSync(whole, readFileSync(whole, "utf8").replace("Nothing.", "<next>"));
    expect(await watch(work)).toEqual([`DRIFT handover ${path}`]);
  });

  it("names a stale record that is still offered, unless its task has ended", async () => {
    const work = await newWork();
    const path = await handOver(work);
    work.clock.forward(60 * 24 * 6);
    expect(await watch(work)).toEqual([`DRIFT checkpoint ${work.task.id}`, `DRIFT records ${path}`]);
    await work.finish({ outcome: "partial", note: NOTE });
    expect(await watch(work)).toEqual([]);
  });

  it("names mistyped questions, malformed lines, prompts and what exceeds its cap", async () => {
    const work = await newWork({ scope: ["."] });
    const state = join(work.root, ".ai/local/state");
    appendFileSync(join(state, "open-questions.md"), "- [unresolvd] t-1 — x (2026-09-04)\n");
    appendFileSync(join(state, "ledger.jsonl"), "junk\n");
    work.write(".ai/repo/prompts/odd.md", "---\nname: odd\n---\n{{TEA}}\n");
    const policy = join(work.root, ".ai/repo/policy.yaml");
    writeFileSync(
      policy,
      readFileSync(policy, "utf8").replace("retention_max_lines: 5000", "retention_max_lines: 1"),
    );
    expect(await watch(work)).toEqual([
      expect.stringMatching(/^DRIFT questions open-questions\.md:\d+$/u),
      "DRIFT ledger ledger.jsonl:2",
      "DRIFT retention ledger.jsonl",
      "DRIFT prompts .ai/repo/prompts/odd.md:4",
    ]);
  });

  it("names episodes that cannot end by themselves any more", async () => {
    const place = await newPlace();
    await place.fire("start", "abc");
    expect(await watch(place)).toEqual([]);
    const { sessionsOpen } = (await place.checkout()).layout;
    writeFileSync(
      join(sessionsOpen, "lost.yaml"),
      "session_id: s-20260904120000-dead\nstarted_at: 2026-09-04T12:00:00Z\nworktree: /nowhere/at/all\n",
    );
    expect(await watch(place)).toEqual(["DRIFT episodes lost"]);
  });
});
