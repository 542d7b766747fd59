import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { leaveOrder } from "../../../src/core/boundary/autosave-order.ts";
import { runAutosave } from "../../../src/core/boundary/autosave-run.ts";
import type { Site } from "../../../src/core/checkout/checkout.ts";
import { locateSite } from "../../../src/core/checkout/site.ts";
import { judgeSteps } from "../../../src/core/health/judge-steps.ts";
import { readJournalTail } from "../../../src/core/journal/event-journal.ts";
import { newPlace } from "../../support/checkout.ts";

let site: Site;
let transcript: string;

beforeEach(async () => {
  const place = await newPlace();
  const directory = mkdtempSync(join(tmpdir(), "mj-autosave-outcome-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  transcript = join(directory, "talk.jsonl");
  const row = { type: "user", message: { content: "Write the export of the monthly report" } };
  writeFileSync(transcript, `${JSON.stringify({ ...row, timestamp: "2026-11-30T11:00:00Z" })}\n`);
  const found = locateSite(place.root, place.surroundings);
  if (found === undefined) throw new Error("there is no site");
  site = found;
});

function save(): string {
  const order = { provider: "claude-code", session: "one", root: site.root, transcript };
  return runAutosave(leaveOrder(site.common, order), site, () => true);
}

const told = (): unknown[] =>
  readJournalTail(site).map(({ event, session, phase, steps }) => [
    event,
    session,
    phase,
    steps?.[0]?.result,
  ]);

describe("a turn that could not be saved", () => {
  it("is a line among the receipts and a finding, and so is the first one that is saved again", () => {
    const marker = join(site.root, ".aigent/state.json");
    writeFileSync(marker, '{"memory_root":"vault/memory"}');
    expect(save).toThrow(/MEMORY-ROOT/);
    expect(save).toThrow(/MEMORY-ROOT/);
    const failed = ["Stop", "one", "outcome", "failed"];
    expect(told()).toEqual([failed, failed]);
    expect(judgeSteps(readJournalTail(site))).toMatchObject([
      {
        level: "FAIL",
        message: expect.stringMatching(/failed 2 times in a row, .*MEMORY-ROOT: .*not exist/),
      },
    ]);
    mkdirSync(join(site.root, "vault/memory"), { recursive: true });
    expect(save()).toBe("flushed");
    expect(told()).toEqual([failed, failed, ["Stop", "one", "outcome", "done"]]);
    expect(judgeSteps(readJournalTail(site))).toEqual([]);
  });

  it("is told where only the writing fails", () => {
    const capsules = join(site.root, ".ai/local/memory/capsules");
    mkdirSync(join(capsules, ".."), { recursive: true });
    writeFileSync(capsules, "in the way");
    expect(save()).toMatch(/^error:/);
    expect(told()).toEqual([["Stop", "one", "outcome", "failed"]]);
  });

  it("is told of by nobody while all is well", () => {
    expect([save(), save()]).toEqual(["flushed", "noop:no-delta"]);
    expect(told()).toEqual([]);
  });
});
