import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { judgeIntegrity, judgeQueue, judgeWriter } from "../../../src/core/knowledge/judgements.ts";
import type { Finding } from "../../../src/core/labels/terms.ts";
import { commitBelow, newKnowledgePlace, SESSION, TASK } from "./support.ts";
import type { KnowledgePlace } from "./support.ts";

const ORIGINAL = join(import.meta.dirname, "../../fixtures/original");
let place: KnowledgePlace;

beforeEach(async () => {
  place = await newKnowledgePlace();
});

function setPolicy(from: string, to: string): void {
  const path = join(place.root, ".ai/repo/policy.yaml");
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

function close(number: number, derived: boolean, decides = true): string {
  const session = `s-20260904150000-${number.toString(16).padStart(4, "0")}`;
  place.say("session.started", { owner: "dev" }, { session });
  if (decides) place.say("decision.recorded", { decision: `Decision ${number}` }, { session });
  if (derived) {
    const counts = { written: 0, unchanged: 0, skipped: 0, paths: "" };
    place.say("knowledge.derived", { episode: session, ...counts }, { session });
  }
  place.say("session.closed", { outcome: "closed", session_path: "x" }, { session });
  return session;
}

describe("the stopped writer", () => {
  const writer = async (): Promise<Finding[]> => judgeWriter(await place.checkout());

  it("is not looked for where nothing was ever derived", async () => {
    expect(await writer()).toMatchObject([{ level: "INFO" }]);
    for (const number of [1, 2, 3]) close(number, false);
    expect(await writer()).toMatchObject([{ level: "INFO", message: "nothing was ever derived here" }]);
  });

  it("is found when episodes close and nothing is derived any more", async () => {
    close(1, true);
    expect(await writer()).toMatchObject([{ level: "OK" }]);
    close(2, false);
    const last = close(3, false);
    expect(await writer()).toMatchObject([
      {
        level: "FAIL",
        category: "knowledge",
        subject: "writer",
        message: expect.stringMatching(new RegExp(`^2 episode\\(s\\) closed since .*\\(${last}\\)`)),
        reproduce: "majordomus history --event knowledge.derived --limit 1",
      },
    ]);
    expect(await place.ask("watch.run")).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ level: "DRIFT", subject: "writer" })]),
    });
  });

  it("is proved by one close that lost something, or by two in a row that had nothing to lose", async () => {
    close(1, true);
    close(2, false, false);
    expect(await writer()).toMatchObject([{ level: "OK" }]);
    close(3, false, false);
    expect(await writer()).toMatchObject([{ level: "FAIL" }]);
  });

  it("is well again when the next close derives, or somebody makes good for what was missed", async () => {
    close(1, true);
    close(2, false);
    await place.derive({ all: true, episode: undefined });
    expect(await writer()).toMatchObject([{ level: "OK" }]);
    close(3, false);
    expect(await writer()).toMatchObject([{ level: "FAIL" }]);
    close(4, true);
    expect(await writer()).toMatchObject([{ level: "OK" }]);
  });

  it("is not blamed where the policy switched it off", async () => {
    close(1, true);
    close(2, false);
    setPolicy("knowledge_on_end: true", "knowledge_on_end: false");
    expect(await writer()).toMatchObject([{ level: "INFO" }]);
  });

  it("is found in archives too", async () => {
    close(1, true);
    const state = join(place.root, ".ai/local/state");
    cpSync(join(state, "ledger.jsonl"), join(state, "ledger.20260905T000000Z.jsonl.archived"));
    writeFileSync(join(state, "ledger.jsonl"), "");
    close(2, false);
    expect(await writer()).toMatchObject([{ level: "FAIL" }]);
  });
});

describe("the integrity of the store", () => {
  const ID = `${SESSION}-a208cad35295`;
  const integrity = async (): Promise<Finding[]> => judgeIntegrity(await place.checkout());
  const messages = async (): Promise<string[]> =>
    (await integrity())
      .filter(({ level }) => level !== "OK")
      .map(({ level, message }) => `${level} ${message}`);

  function write(shelf: "candidates" | "curated", id: string, changes: Record<string, string> = {}): void {
    const text = [
      "---",
      "schema: knowledge/v1",
      `id: ${id}`,
      "kind: knowledge",
      "class: fact",
      "title: A title",
      "description: A description",
      `status: ${shelf === "curated" ? "verified" : "candidate"}`,
      "epistemics: observed",
      "date: 2026-09-04",
      "tags:",
      "  - auth",
      "provenance:",
      "  origin: authored",
      "---",
      "",
      "# A title",
      "",
    ].join("\n");
    const edited = Object.entries(changes).reduce((sum, [from, to]) => {
      expect(sum).toContain(from);
      return sum.replace(from, () => to);
    }, text);
    writeFileSync(join(place[shelf], `${id}.md`), edited);
  }

  beforeEach(() => {
    place.say("session.started", { owner: "dev" });
    place.say("decision.recorded", { task_id: TASK, decision: "One store, not two (public)" });
  });

  it("is well with derived, promoted, rejected and authored records", async () => {
    expect(await integrity()).toMatchObject([{ level: "OK", message: "no record" }]);
    place.say("decision.recorded", { decision: "Another" });
    const [, another = ""] = (await place.derive()).written.map((path) => path.replace(/.*\/|\.md$/g, ""));
    await place.ask("knowledge.promote", { id: ID, evidence: "Seen.", sign: true });
    await place.ask("knowledge.reject", { id: another, reason: "No." });
    write("curated", "by-hand");
    expect(await integrity()).toMatchObject([{ level: "OK", message: "3 record(s), all in order" }]);
  });

  it.each([
    ["curated", { "kind: knowledge": "kind: note" }, "FAIL kind: not knowledge"],
    ["curated", { "id: one": "id: two" }, "FAIL id: two is not the file's name"],
    ["curated", { "id: one\n": "" }, "FAIL id: missing"],
    ["curated", { "title: A title": 'title: " "' }, "FAIL title: missing"],
    ["curated", { "title: A title": "title: [a]" }, "FAIL title: not a single value"],
    ["curated", { "description: A description": "description:" }, "FAIL description: missing"],
    ["curated", { "class: fact": "class: Fact 1" }, "FAIL class: missing or not a word"],
    ["curated", { "epistemics: observed\n": "" }, "FAIL epistemics: missing or not a word"],
    ["curated", { "status: verified": "status: done" }, "FAIL status: not candidate, verified or superseded"],
    ["curated", { "status: verified": "status: candidate" }, "FAIL status: candidate, among the curated"],
    [
      "candidates",
      { "status: candidate": "status: verified" },
      "FAIL status: verified, among the candidates",
    ],
    ["curated", { "2026-09-04": "2026-13-04" }, "FAIL date: not a day, YYYY-MM-DD"],
    ["curated", { "tags:\n  - auth": "tags: auth" }, "FAIL tags: not a list"],
    ["curated", { "  origin: authored": "  origin:" }, "FAIL provenance: verified without an origin"],
    [
      "curated",
      { "origin: authored": "origin: extracted" },
      "FAIL provenance: extracted, and derived from nothing",
    ],
    [
      "curated",
      { "status: verified": "status: superseded" },
      "FAIL superseded_by: neither superseded by a record nor rejected",
    ],
    [
      "curated",
      { "status: verified": "status: verified\nsuperseded_by: two" },
      "FAIL superseded_by: stands in a record that is not superseded",
    ],
    [
      "curated",
      { "status: verified": "status: superseded\nsuperseded_by: two" },
      "FAIL superseded_by: two is not in the store",
    ],
    [
      "curated",
      { "status: verified": "status: superseded\nsuperseded_by: one" },
      "FAIL superseded_by: the chain leads back to itself",
    ],
    ["curated", { "title: A title": "title: 'messages: hi'" }, "FAIL title: of the shape of a transcript"],
    ["curated", { "# A title": "assistant: hi" }, "FAIL body: quotes a conversation (assistant: hi)"],
    ["curated", { "tags:": "novel: 1\ntags:" }, "WARN novel: a key that this version does not know"],
    [
      "curated",
      { "schema: knowledge/v1": "schema: knowledge/v2" },
      "FAIL schema: knowledge/v2 is not knowledge/v1, the one that this version reads",
    ],
  ] as ["candidates" | "curated", Record<string, string>, string][])(
    "names what is wrong in %s: %j",
    async (shelf, changes, message) => {
      write(shelf, "one", changes);
      expect(await messages()).toContain(message);
      const status = message.startsWith("FAIL") ? 10 : 0;
      const { findings } = (await place.ask("knowledge.check")) as { findings: Finding[] };
      expect(findings.some(({ level }) => level === "FAIL")).toBe(status === 10);
    },
  );

  it("takes a wrapped line of prose for what it is", async () => {
    write("curated", "one", {
      "# A title": "# A title\n\nEvery answer has a\nresponse code, and a\ncompletion date.",
    });
    expect(await messages()).toEqual([]);
  });

  it("finds an id on both shelves", async () => {
    write("candidates", "one");
    write("curated", "one");
    expect(await messages()).toEqual(["FAIL id: stands among the candidates and among the curated"]);
  });

  it("looks at what each reference names, as it is now", async () => {
    const commit = commitBelow(place.root, "lib/callback.ts");
    commitBelow(place.root, ".ai/repo/rules/project/tidy.md", "---\nid: project.tidy\n---\n");
    commitBelow(place.root, ".ai/repo/adrs/0017-an-episode.md");
    place.say("task.started", { task_id: TASK, profile: "debugging", owner: "dev", scope: ["lib"] });
    const good = [
      "file:lib/callback.ts",
      "test:lib/callback.ts::refreshes",
      `commit:${commit}`,
      `commit:${commit.slice(0, 7)}`,
      `session:${SESSION}`,
      `decision:${TASK}`,
      `task:${TASK}`,
      "knowledge:one",
      "rule:tidy",
      "rule:project.tidy",
      "adr:0017",
      "adr:0017-an-episode",
    ];
    const elsewhere = ["session:s-20260101000000-0000", "task:t-1", "decision:t-1", "issue:I0042"];
    const bad = [
      "file:lib/gone.ts",
      "file:../../etc/passwd",
      "file:/etc/passwd",
      `commit:${"d".repeat(40)}`,
      "commit:main",
      "knowledge:two",
      "rule:other",
      "adr:0018",
      "none",
      "task:none",
      "person:me",
      "words",
    ];
    const list = [...good, ...elsewhere, ...bad].map((reference) => `    - ${reference}`).join("\n");
    write("curated", "one", { "  origin: authored": `  origin: authored\n  derived_from:\n${list}` });
    const { evidence, record } = await place.show("one");
    const of = (state: string): string[] =>
      evidence.filter((one) => one.state === state).map(({ reference }) => reference);
    expect(of("resolved")).toEqual(good);
    expect(of("not-here")).toEqual(elsewhere);
    expect(of("dangling")).toEqual(bad);
    expect(record.evidence).toBe("dangling");
    expect((await integrity()).filter(({ level }) => level === "FAIL")).toHaveLength(bad.length);
    rmSync(join(place.root, "lib/callback.ts"));
    expect((await place.show("one")).evidence[0]).toMatchObject({
      state: "resolved",
      reason: "HEAD has the file, the working tree has not",
    });
  });

  it("says of the original's own layer what is true of it", async () => {
    const ai = join(place.root, ".ai");
    rmSync(ai, { recursive: true });
    mkdirSync(ai);
    for (const part of ["manifest.yaml", "repo", "local"]) {
      cpSync(join(ORIGINAL, part), join(ai, part), { recursive: true });
    }
    expect(await place.ask("knowledge.check")).toEqual({
      schema: 1,
      records: 3,
      findings: [
        {
          level: "FAIL",
          category: "knowledge",
          subject: "one-store",
          message: "evidence file:lib/callback.ts does not resolve: there is no such file any more",
          reproduce: "majordomus knowledge check",
        },
      ],
    });
    expect(await place.queue()).toMatchObject({
      awaiting: 2,
      candidates: [
        { id: `${SESSION}-3ae2c1449e23`, evidence: "resolved", episode: SESSION, branch: "main", faults: [] },
        { id: `${SESSION}-8aaaa6545fd6`, evidence: "resolved", recorded_at: "2026-09-04T00:00:00Z" },
      ],
    });
    place.clock.set("2026-11-30T12:00:00Z");
    expect(judgeQueue(await place.checkout())).toMatchObject([
      { level: "WARN", message: /2 of 2 await review/ },
    ]);
    expect(await place.derive()).toMatchObject({
      written: [],
      unchanged: [expect.anything(), expect.anything()],
    });
  });
});

describe("the queue", () => {
  it("is advice: its size and its age against the policy", async () => {
    place.say("decision.recorded", { decision: "One" });
    place.say("decision.recorded", { decision: "Two" });
    await place.derive();
    const queue = async (): Promise<Finding[]> => judgeQueue(await place.checkout());
    expect(await queue()).toMatchObject([{ level: "OK", message: "2 await review" }]);
    setPolicy("candidates_max_files: 40", "candidates_max_files: 1");
    expect(await queue()).toMatchObject([
      { level: "WARN", message: expect.stringContaining("candidates_max_files is 1") },
    ]);
    place.clock.set("2026-09-18T00:00:00Z");
    expect(await queue()).toMatchObject([
      { level: "WARN" },
      { level: "WARN", message: "2 of 2 await review for 14d or longer, the oldest for 14d" },
    ]);
  });

  it("takes no part in a failure of the doctor", async () => {
    place.say("decision.recorded", { decision: "One" });
    await place.derive();
    place.clock.set("2027-09-18T00:00:00Z");
    const { findings } = (await place.ask("doctor.knowledge")) as { findings: Finding[] };
    expect(findings.map(({ subject, level }) => `${subject} ${level}`)).toEqual([
      "writer OK",
      "store OK",
      "candidates WARN",
    ]);
  });
});
