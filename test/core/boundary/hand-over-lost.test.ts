import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { recoverApply } from "../../../src/core/capabilities/recover.ts";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { writeCheckpoint } from "../../../src/core/task/checkpoint.ts";
import { addDecision } from "../../../src/core/task/decisions.ts";
import { addQuestion } from "../../../src/core/task/questions.ts";
import { resolveHandover } from "../../../src/core/task/resolve.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";

async function recover(checkout: Checkout) {
  const context = { checkout, signal: new AbortController().signal, progress: () => undefined };
  return recoverApply.run(context, { subject: "episodes" });
}

/** An episode in a linked worktree that did some work before the worktree was removed by force. */
async function lostEpisode(
  worked: boolean,
): Promise<{ place: Place; id: string; sibling: string; tip: string }> {
  const place = await newPlace();
  const sibling = `${place.root}-side`;
  onTestFinished(() => rmSync(sibling, { recursive: true, force: true }));
  git(place.root, "worktree", "add", "-q", "-b", "side", sibling);
  await place.fire("start", "one", { cwd: sibling });
  const theirs = await place.checkout(sibling);
  const id = readRegistration(theirs.common, "claude-code", "one")?.registration.session_id ?? "";
  let tip = theirs.head ?? "";
  if (worked) {
    const author = { session: id };
    writeCheckpoint(theirs, "Reproduced; next the test.", author, new Moment(theirs.repository, theirs.head));
    addDecision(theirs, { title: "One cache", why: "w" }, author);
    addQuestion(theirs, "Which port?", author);
    tip = commitFile(sibling, "a.txt", "a");
  }
  writeFileSync(join(sibling, "unsaved.txt"), "lost");
  git(place.root, "worktree", "remove", "--force", sibling);
  place.clock.forward(5);
  return { place, id, sibling, tip };
}

describe("recovering an episode whose worktree is gone", () => {
  it("hands over what its lines, its copies and git still know, to whoever works on its branch", async () => {
    const { place, id, sibling, tip } = await lostEpisode(true);
    const checkout = await place.checkout();
    const { performed, failed } = (await recover(checkout)) as {
      performed: { message: string }[];
      failed: unknown[];
    };
    expect(failed).toEqual([]);
    expect(performed[0]?.message).toContain("handed over in .ai/local/state/handovers/");
    const [name = ""] = readdirSync(checkout.layout.handovers);
    const text = readFileSync(join(checkout.layout.handovers, name), "utf8");
    expect(text).toContain(`worktree: ${sibling}\nbranch: side\nhead: ${tip}\n`);
    expect(text).not.toContain("working_tree:");
    expect(text).toContain("> Reproduced; next the test.");
    expect(text).toContain("Write a.txt");
    expect(text).toContain("- 2026-09-04 — One cache");
    expect(text).toContain("- Which port?");
    const [record = ""] = readdirSync(checkout.layout.sessions).filter((file) => file.includes(id));
    expect(readFileSync(join(checkout.layout.sessions, record), "utf8")).toContain(
      `handovers:\n  - ".ai/local/state/handovers/${name}"`,
    );
    const moment = new Moment(checkout.repository, checkout.head);
    expect(resolveHandover(checkout, moment).record).toBeUndefined();
    git(place.root, "worktree", "add", "-q", sibling, "side");
    const again = await place.checkout(sibling);
    const { record: found } = resolveHandover(again, new Moment(again.repository, again.head));
    expect(found).toMatchObject({ name, tier: "same_branch", divergence: "exact" });
    expect(await place.fire("start", "two", { cwd: sibling })).toContain(name);
  });

  it("writes none for an episode that did nothing", async () => {
    const { place } = await lostEpisode(false);
    const checkout = await place.checkout();
    const { performed } = (await recover(checkout)) as { performed: { message: string }[] };
    expect(performed).toHaveLength(1);
    expect(performed[0]?.message).not.toContain("handed over");
  });

  it("is done although no handover can be derived, and says so", async () => {
    const { place } = await lostEpisode(true);
    const policy = join(place.root, ".ai/repo/policy.yaml");
    writeFileSync(policy, readFileSync(policy, "utf8").replace("[Objective, ", "[Mood, "));
    const { performed, failed } = (await recover(await place.checkout())) as {
      performed: { message: string }[];
      failed: unknown[];
    };
    expect(failed).toEqual([]);
    expect(performed[0]?.message).toContain("no handover could be derived: Mood");
  });
});
