import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { addDecision } from "../../../src/core/task/decisions.ts";
import { git } from "../../support/repository.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { commitBelow, newKnowledgePlace, recordsIn } from "./support.ts";
import type { KnowledgePlace } from "./support.ts";

const END = { reason: "prompt_input_exit", closes: true };
const TASK = "t-20260904153800-0a1b";

let place: KnowledgePlace;
let clone = "";
let id = "";

/** A clone has the tracked half alone: no ledger, no task, no decision log. */
beforeEach(async () => {
  place = await newKnowledgePlace();
  await place.fire("start", "one");
  const checkout = await place.checkout();
  const session = readRegistration(checkout.common, "claude-code", "one")?.registration.session_id ?? "";
  addDecision(checkout, { title: "One cache", why: "two clocks" }, { session });
  place.say("question.resolved", { task_id: TASK, question: "Which?", answer: "This" }, { session });
  commitBelow(place.root, ".ai/repo/rules/one.md");
  await place.fire("end", "one", END);
  const name = [...recordsIn(place.candidates).keys()].find((file) =>
    readFileSync(join(place.candidates, file), "utf8").includes('title: "This"'),
  );
  id = name?.replace(".md", "") ?? "";
  git(place.root, "add", "-A");
  git(place.root, "commit", "-q", "-m", "What was learned");
  clone = join(scratchDirectory(), "clone");
  execFileSync("git", ["clone", "-q", `file://${place.root}`, clone]);
});

describe("a clone with only the tracked half", () => {
  it("has no local half", () => {
    expect(existsSync(join(clone, ".ai/local"))).toBe(false);
  });

  it("has the queue, attributed to its branch by the closed records", async () => {
    const { candidates, awaiting } = await place.queue({}, clone);
    expect(awaiting).toBe(2);
    expect(candidates.map(({ branch }) => branch)).toEqual(["main", "main"]);
  });

  it("does not call dangling what only the other checkout can know", async () => {
    const shown = (await place.ask("knowledge.show", { id }, {}, clone)) as Awaited<
      ReturnType<KnowledgePlace["show"]>
    >;
    const states = Object.fromEntries(
      shown.evidence.map(({ reference, state }) => [reference.split(":")[0], state]),
    );
    expect(states).toEqual({ session: "resolved", task: "not-here", commit: "resolved", file: "resolved" });
    expect(shown.record.evidence).toBe("not-here");
    expect(await place.ask("knowledge.check", {}, {}, clone)).toMatchObject({ records: 2, findings: [] });
  });

  it("says of a candidate whose episode is unknown that it cannot be placed", async () => {
    git(clone, "rm", "-q", "-r", ".ai/repo/sessions");
    const { candidates } = await place.queue({}, clone);
    expect(candidates).toMatchObject([
      { branch: null, evidence: "not-here" },
      { branch: null, evidence: "not-here" },
    ]);
    expect(await place.ask("knowledge.check", {}, {}, clone)).toMatchObject({ findings: [] });
  });

  it("promotes and rejects as any checkout does", async () => {
    await place.ask("knowledge.promote", { id, evidence: "Seen there.", sign: true }, {}, clone);
    const [other = ""] = [...recordsIn(join(clone, ".ai/repo/knowledge/candidates")).keys()];
    await place.ask("knowledge.reject", { id: other.replace(".md", ""), reason: "Not so." }, {}, clone);
    expect(await place.queue({}, clone)).toMatchObject({ awaiting: 0 });
    expect(await place.ask("knowledge.check", {}, {}, clone)).toMatchObject({ records: 2, findings: [] });
  });

  it("knows in a shallow one what it cannot know", async () => {
    const shallow = join(scratchDirectory(), "shallow");
    execFileSync("git", ["clone", "-q", "--depth", "1", `file://${place.root}`, shallow]);
    const shown = (await place.ask("knowledge.show", { id }, {}, shallow)) as Awaited<
      ReturnType<KnowledgePlace["show"]>
    >;
    expect(shown.evidence.find(({ reference }) => reference.startsWith("commit:"))).toMatchObject({
      state: "unknown",
      reason: "the commit is not in this shallow clone",
    });
    const { findings } = (await place.ask("knowledge.check", {}, {}, shallow)) as {
      findings: { level: string }[];
    };
    expect(findings.map(({ level }) => level)).not.toContain("FAIL");
  });
});
