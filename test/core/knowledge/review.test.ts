import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { parseKnowledge } from "../../../src/core/records/knowledge.ts";
import type { PromoteAnswer, RejectAnswer } from "../../../src/core/knowledge/answers.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { newKnowledgePlace, recordsIn, SESSION, TASK } from "./support.ts";
import type { KnowledgePlace } from "./support.ts";

const ID = `${SESSION}-a208cad35295`;
let place: KnowledgePlace;

beforeEach(async () => {
  place = await newKnowledgePlace();
  place.say("session.started", { owner: "dev" });
  place.say("decision.recorded", { task_id: TASK, decision: "One store, not two (public)" });
  await place.derive();
});

const promote = async (input: object = {}): Promise<PromoteAnswer> =>
  (await place.ask("knowledge.promote", {
    id: ID,
    evidence: "Reviewed with the tests.",
    ...input,
  })) as PromoteAnswer;
const reject = async (input: object = {}): Promise<RejectAnswer> =>
  (await place.ask("knowledge.reject", { id: ID, reason: "A guess.", ...input })) as RejectAnswer;

function ledgerEvents(name: string): unknown[] {
  return readFileSync(join(place.root, ".ai/local/state/ledger.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes(`"event":"${name}"`))
    .map((line): unknown => JSON.parse(line));
}

function candidateText(): string {
  return readFileSync(join(place.candidates, `${ID}.md`), "utf8");
}

function edit(from: string, to: string): void {
  const text = candidateText();
  expect(text).toContain(from);
  writeFileSync(
    join(place.candidates, `${ID}.md`),
    text.replace(from, () => to),
  );
}

function curatedRecord(id = ID): unknown {
  const parsed = parseKnowledge(readFileSync(join(place.curated, `${id}.md`), "utf8"));
  return parsed.ok ? parsed.value : parsed.error;
}

describe("promoting", () => {
  it("moves the record, says by what it was verified, and tells the ledger", async () => {
    const before = candidateText();
    const path = `.ai/repo/knowledge/curated/${ID}.md`;
    expect(await promote({ class: "constraint" })).toEqual({
      schema: 1,
      state: "promoted",
      id: ID,
      path,
      notes: [],
    });
    expect(readFileSync(join(place.root, path), "utf8")).toBe(
      `${before
        .replace("status: candidate", "status: verified")
        .replace("class: convention", "class: constraint")}\n# Evidence\n\nReviewed with the tests.\n`,
    );
    expect(recordsIn(place.candidates).size).toBe(0);
    expect(ledgerEvents("knowledge.promoted")).toMatchObject([{ id: ID, path }]);
  });

  it("names the episode of the person who promoted, and today", async () => {
    await place.fire("start", "cc-1");
    place.clock.set("2026-12-01T08:00:00Z");
    await promote();
    const session = (ledgerEvents("knowledge.promoted")[0] as { session: string }).session;
    expect(curatedRecord()).toMatchObject({
      date: "2026-12-01",
      derivedFrom: [`session:${SESSION}`, `decision:${TASK}`, `session:${session}`],
    });
  });

  it("shows first what it would write, and touches nothing that changed meanwhile", async () => {
    const [candidate] = (await place.queue()).candidates;
    const planned = await promote({ dry_run: true, expect: candidate?.digest });
    expect(planned).toMatchObject({ state: "planned", text: expect.stringContaining("# Evidence") });
    expect(recordsIn(place.curated).size).toBe(0);
    edit("One store, not two", "Another");
    expect(await promote({ expect: candidate?.digest })).toMatchObject({ state: "changed" });
    expect(recordsIn(place.curated).size).toBe(0);
    expect(await promote()).toMatchObject({ state: "promoted" });
  });

  it.each([
    [{ id: "s-20260904153733-fc51-000000000000" }, 12],
    [{ id: "../curated/x" }, 12],
    [{ evidence: "" }, 10],
    [{ evidence: " \n\t" }, 10],
    [{ evidence: "Looked.\nassistant: sure!" }, 10],
    [{ evidence: "response 200" }, 10],
    [{ class: "opinion" }, 10],
  ])("is refused: %j", async (input, exit) => {
    await expect(promote(input)).rejects.toMatchObject({ exit });
    expect(recordsIn(place.curated).size).toBe(0);
    expect(candidateText()).toContain("status: candidate");
    expect(ledgerEvents("knowledge.promoted")).toEqual([]);
  });

  it.each([
    ["status: candidate", "status: superseded"],
    ["status: candidate", "status: maybe"],
    ["status: candidate\n", ""],
    ["kind: knowledge", "kind: other"],
    [`id: ${ID}`, "id: another"],
    ["class: convention", "class: [a, b]"],
    ['title: "One store, not two (public)"', 'title: ""'],
    ["description:", "later:"],
    ["date: 2026-09-04", "date: 2026-02-30"],
    ["schema: knowledge/v1", "schema: knowledge/v9"],
    ["epistemics: decided", "epistemics: decided\n<<<<<<< ours"],
    ["# One store", "transcript: One store"],
    ["provenance:", "superseded_by: x\nprovenance:"],
  ])("is refused when a hand made the candidate invalid: %s -> %s", async (from, to) => {
    edit(from, to);
    await expect(promote()).rejects.toMatchObject({ exit: 10 });
    expect(recordsIn(place.curated).size).toBe(0);
    const { candidates, awaiting, skipped } = await place.queue({ all: true });
    expect(candidates.length + skipped.length).toBe(1);
    expect(awaiting).toBe(candidates.filter(({ status }) => status === "candidate").length);
  });

  it("is brought to its end by the next, wherever it was killed", async () => {
    const before = candidateText();
    for (let operation = 1; operation < 60; operation += 1) {
      injectFaults(parseFaultPlan(`EIO@${operation}`));
      const outcome = await promote().then(
        () => "done",
        () => "failed",
      );
      injectFaults(undefined);
      if (outcome === "done") break;
      const stands =
        [...recordsIn(place.candidates).values()].includes(before) || recordsIn(place.curated).size === 1;
      expect(stands).toBe(true);
    }
    await promote().catch(() => undefined);
    expect(recordsIn(place.candidates).size).toBe(0);
    expect([...recordsIn(place.curated).keys()]).toEqual([`${ID}.md`]);
    expect(ledgerEvents("knowledge.promoted")).toHaveLength(1);
  });

  it("is done once: again with the same words it is kept, with others there is no such candidate", async () => {
    await promote();
    expect(await promote()).toMatchObject({ state: "kept" });
    await expect(promote({ evidence: "Other words." })).rejects.toMatchObject({ exit: 12 });
    expect(ledgerEvents("knowledge.promoted")).toHaveLength(1);
  });

  it("never writes through a link", async () => {
    rmSync(place.curated, { recursive: true });
    const elsewhere = scratchDirectory();
    symlinkSync(elsewhere, place.curated);
    await expect(promote()).rejects.toMatchObject({ exit: 15 });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(candidateText()).toContain("status: candidate");
  });
});

describe("signing a promotion", () => {
  it("makes the key on first use, and a file that only our readers look at", async () => {
    const key = join(place.root, ".git/state/majordomus/node.json");
    expect(existsSync(key)).toBe(false);
    const answer = await promote({ sign: true });
    expect(answer.signature).toBe(`.ai/repo/knowledge/curated/${ID}.sig`);
    expect(existsSync(key)).toBe(true);
    expect((await place.show(ID)).signature).toMatchObject({
      state: "valid",
      this_device: true,
      node: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(await place.ask("knowledge.check")).toMatchObject({ records: 1, findings: [] });
  });

  it("holds for the very bytes, and for no other record", async () => {
    await promote({ sign: true });
    const path = join(place.curated, `${ID}.md`);
    writeFileSync(path, `${readFileSync(path, "utf8")} `);
    expect((await place.show(ID)).signature.state).toBe("invalid");
    expect(await place.ask("knowledge.check")).toMatchObject({
      findings: [{ level: "FAIL", subject: ID, message: "signature: the signature is not of this file" }],
    });
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace("status: verified", "status: superseded\nsuperseded_by: b"),
    );
    writeFileSync(join(place.curated, "b.md"), readFileSync(path, "utf8").replace(`id: ${ID}`, "id: b"));
    const { findings } = (await place.ask("knowledge.check")) as {
      findings: { level: string; message: string }[];
    };
    expect(findings.find(({ message }) => message.startsWith("signature"))?.level).toBe("WARN");
  });

  it("is told from another device's, and from a file that is none", async () => {
    await promote({ sign: true });
    rmSync(join(place.root, ".git/state/majordomus/node.json"));
    expect((await place.show(ID)).signature).toMatchObject({ state: "valid", this_device: false });
    writeFileSync(join(place.curated, `${ID}.sig`), "{}");
    expect((await place.show(ID)).signature).toMatchObject({ state: "invalid" });
    writeFileSync(join(place.curated, "nothing.sig"), "{}");
    expect(await place.ask("knowledge.check")).toMatchObject({
      findings: [{ level: "FAIL" }, { level: "WARN", message: "signs no record" }],
    });
  });

  it("never replaces a key that cannot be read, and leaves the record unsigned", async () => {
    const key = join(place.root, ".git/state/majordomus/node.json");
    mkdirSync(join(key, ".."), { recursive: true });
    writeFileSync(key, "garbage");
    await expect(promote({ sign: true })).rejects.toMatchObject({ exit: 13 });
    expect(readFileSync(key, "utf8")).toBe("garbage");
    rmSync(key);
    expect(await promote({ sign: true })).toMatchObject({ state: "kept", signature: expect.anything() });
    expect((await place.show(ID)).signature.state).toBe("valid");
  });
});

describe("rejecting", () => {
  it("says so in the candidate itself, and in the ledger", async () => {
    const before = candidateText();
    const path = `.ai/repo/knowledge/candidates/${ID}.md`;
    expect(await reject({ reason: "A guess.\nReally." })).toEqual({
      schema: 1,
      state: "rejected",
      id: ID,
      path,
    });
    expect(candidateText()).toBe(
      `${before.replace("status: candidate", "status: superseded")}\n# Rejected\n\nA guess.\nReally.\n`,
    );
    expect(ledgerEvents("knowledge.rejected")).toMatchObject([{ id: ID, reason: "A guess. Really." }]);
    expect(await place.queue()).toMatchObject({ candidates: [], awaiting: 0 });
    expect(await place.queue({ all: true })).toMatchObject({
      candidates: [{ id: ID, status: "superseded" }],
    });
    await expect(reject()).rejects.toMatchObject({ exit: 10 });
    await expect(promote()).rejects.toMatchObject({ exit: 10 });
    expect(ledgerEvents("knowledge.rejected")).toHaveLength(1);
  });

  it("names what took its place, walkable from either end", async () => {
    place.say("decision.recorded", { decision: "Better" });
    place.say("decision.recorded", { decision: "Best" });
    const ids = (await place.derive()).written.map((path) => path.replace(/.*\/|\.md$/g, ""));
    const [better = "", best = ""] = ids;
    await reject({ by: better });
    await place.ask("knowledge.reject", { id: better, reason: "Even better.", by: best });
    expect(ledgerEvents("knowledge.rejected")).toMatchObject([
      { superseded_by: better },
      { superseded_by: best },
    ]);
    const chain = async (id: string): Promise<unknown> => {
      const { supersedes, superseded_by: after, chain_fault: fault } = await place.show(id);
      return { before: supersedes.map((one) => one.id), after: after.map((one) => one.id), fault };
    };
    expect(await chain(ID)).toEqual({ before: [], after: [better, best], fault: null });
    expect(await chain(better)).toEqual({ before: [ID], after: [best], fault: null });
    expect(await chain(best)).toEqual({ before: [better, ID], after: [], fault: null });
    expect(await place.ask("knowledge.check")).toMatchObject({ records: 3, findings: [] });
    const path = join(place.candidates, `${best}.md`);
    const text = readFileSync(path, "utf8").replace(
      "status: candidate",
      `status: superseded\nsuperseded_by: ${ID}`,
    );
    writeFileSync(path, text);
    expect(await chain(ID)).toMatchObject({ fault: "superseded_by: the chain leads back to itself" });
    rmSync(path);
    expect(await chain(ID)).toMatchObject({
      after: [better],
      fault: `superseded_by: ${best} is not in the store`,
    });
  });

  it.each([
    [{ reason: "" }, 2],
    [{ reason: "  " }, 2],
    [{ id: "nothing" }, 12],
    [{ by: "nothing" }, 10],
    [{ by: "../x" }, 12],
    [{ by: ID }, 10],
    [{ reason: "assistant: no" }, 10],
  ])("is refused: %j", async (input, exit) => {
    const before = candidateText();
    await expect(reject(input)).rejects.toMatchObject({ exit });
    expect(candidateText()).toBe(before);
    expect(ledgerEvents("knowledge.rejected")).toEqual([]);
  });

  it("says what it would write, touches nothing that changed, and ends what was killed", async () => {
    expect(await reject({ dry_run: true })).toMatchObject({
      state: "planned",
      text: expect.stringContaining("# Rejected"),
    });
    expect(await reject({ expect: "another" })).toMatchObject({ state: "changed" });
    expect(candidateText()).toContain("status: candidate");
    for (let operation = 1; operation < 60; operation += 1) {
      injectFaults(parseFaultPlan(`EIO@${operation}`));
      const outcome = await reject().then(
        () => "done",
        () => "failed",
      );
      injectFaults(undefined);
      if (outcome === "done") break;
    }
    expect(candidateText().split("# Rejected")).toHaveLength(2);
    expect(ledgerEvents("knowledge.rejected")).toHaveLength(1);
  });
});
