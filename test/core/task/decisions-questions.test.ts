import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { scanLedger } from "../../../src/core/ledger/read.ts";
import { parseDecisions } from "../../../src/core/records/decisions.ts";
import { parseQuestions } from "../../../src/core/records/questions.ts";
import { addDecision, listDecisions, showDecision } from "../../../src/core/task/decisions.ts";
import { addQuestion, listQuestions, resolveQuestion } from "../../../src/core/task/questions.ts";
import { newPlace } from "../../support/checkout.ts";
import { ORIGINAL_STATE } from "../records/fixtures.ts";
import { runWorker } from "./support/run-worker.ts";

const AUTHOR = { session: "s-20260904120000-0001" };

function put(path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}

async function fresh(): Promise<Checkout> {
  return (await newPlace()).checkout();
}

async function withOriginal(): Promise<Checkout> {
  const here = await fresh();
  for (const name of ["decisions.md", "open-questions.md"]) {
    copyFileSync(join(ORIGINAL_STATE, name), join(here.layout.state, name));
  }
  return here;
}

function events({ layout }: Checkout): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  scanLedger(layout.ledger, ({ event, session, fields }) =>
    lines.push({ event, session, ...Object.fromEntries(fields) }),
  );
  return lines;
}

describe("a decision", () => {
  it("begins the log as the original does, and is noted in the ledger with its title as typed", async () => {
    const here = await fresh();
    writeFileSync(here.layout.decisions, "");
    const { heading } = addDecision(
      here,
      { title: ' Say "no" to\na second cache ', why: "two clocks", rejected: "-", evidence: "" },
      AUTHOR,
    );
    expect(heading).toBe('2026-09-04 — Say "no" to a second cache');
    expect(readFileSync(here.layout.decisions, "utf8")).toBe(
      [
        "# Decisions",
        "",
        "Append-only. One dated entry per decision. Newest at the bottom.",
        "",
        '## 2026-09-04 — Say "no" to a second cache',
        "Task: none",
        `Head: ${here.head}`,
        "Why: two clocks",
        "Rejected: -",
        "Evidence: -",
        "Supersedes: -",
        "",
      ].join("\n"),
    );
    expect(events(here).at(-1)).toMatchObject({
      event: "decision.recorded",
      session: AUTHOR.session,
      task_id: "none",
      decision: 'Say "no" to a second cache',
    });
  });

  it("keeps every byte that stood there, whatever it is", async () => {
    const here = await fresh();
    const standing = Buffer.concat([
      Buffer.from("\ufeff# Mine\r\n\r\n## 2020-01-01 — Old\r\nWhy: x\r\n"),
      Buffer.from([0xff, 0xfe, 0x00]),
    ]);
    put(here.layout.decisions, standing);
    addDecision(here, { title: "New", why: "y" }, {});
    const bytes = readFileSync(here.layout.decisions);
    expect(bytes.subarray(0, standing.length)).toEqual(standing);
    expect(bytes.subarray(standing.length).toString("utf8")).toMatch(/^\n\n## 2026-09-04 — New\n/);
  });

  it("supersedes exactly one entry", async () => {
    const here = await withOriginal();
    const before = readFileSync(here.layout.decisions);
    const add = (supersedes: string) => addDecision(here, { title: "One cache", why: "w", supersedes }, {});
    expect(() => add("no such")).toThrow(
      expect.objectContaining({ exit: 2, message: "matches no decision" }),
    );
    expect(() => add("2026-09-04")).toThrow(
      expect.objectContaining({
        exit: 2,
        message: expect.stringContaining("matches more than one decision"),
      }),
    );
    expect(readFileSync(here.layout.decisions)).toEqual(before);
    expect(existsSync(here.layout.ledger)).toBe(false);
    expect(add("second cache").supersedes).toBe('Say "no" to a second cache');
  });

  it.each([
    { title: " \n", why: "w" },
    { title: "t", why: "" },
    { title: "t <!-- x", why: "w" },
    { title: "t", why: "w", evidence: "<!-- hide the rest" },
  ])("is refused as %j and nothing is written", async (given) => {
    const here = await withOriginal();
    const before = readFileSync(here.layout.decisions);
    expect(() => addDecision(here, given, {})).toThrow(expect.objectContaining({ exit: 2 }));
    expect(readFileSync(here.layout.decisions)).toEqual(before);
  });

  it("that would close an open comment above, and vanish in it, is refused", async () => {
    const here = await fresh();
    put(here.layout.decisions, "# D\n\n<!-- never closed\n");
    const title = "hidden";
    expect(() => addDecision(here, { title, why: "x --> y" }, {})).toThrow(
      expect.objectContaining({ exit: 10, message: expect.stringContaining("comment") }),
    );
  });

  it("is not written through a link, nor into what cannot be read", async () => {
    const here = await fresh();
    const aside = join(here.root, "aside.md");
    put(aside, "theirs\n");
    mkdirSync(dirname(here.layout.decisions), { recursive: true });
    put(here.layout.decisions, "");
    const linked = { ...here, layout: { ...here.layout, decisions: join(here.layout.state, "link.md") } };
    symlinkSync(aside, linked.layout.decisions);
    expect(() => addDecision(linked, { title: "t", why: "w" }, {})).toThrow(
      expect.objectContaining({ exit: 10 }),
    );
    expect(readFileSync(aside, "utf8")).toBe("theirs\n");
  });

  it("is listed by task, and shown by its title or a part that no other has", async () => {
    const here = await withOriginal();
    expect(listDecisions(here).map(({ title }) => title)).toHaveLength(2);
    expect(listDecisions(here, "t-20260904153800-0a1b")).toHaveLength(1);
    expect(showDecision(here, "outside any").task).toBe("none");
    expect(() => showDecision(here, "2026")).toThrow(expect.objectContaining({ exit: 2 }));
    expect(() => showDecision(here, "nothing")).toThrow(expect.objectContaining({ exit: 12 }));
  });
});

describe("a question", () => {
  it("is one line of the original's form, after every byte that stood there", async () => {
    const here = await withOriginal();
    const before = readFileSync(here.layout.questions, "utf8");
    addQuestion(here, "Which\r\nport?", AUTHOR);
    expect(readFileSync(here.layout.questions, "utf8")).toBe(
      `${before}- [unresolved] none — Which port? (2026-09-04)\n`,
    );
    expect(events(here).at(-1)).toMatchObject({
      event: "question.opened",
      task_id: "none",
      question: "Which port?",
    });
  });

  it("begins an index where there is none", async () => {
    const here = await fresh();
    const empty = { ...here, layout: { ...here.layout, questions: join(here.layout.state, "q.md") } };
    addQuestion(empty, "Why?", {});
    expect(parseQuestions(readFileSync(empty.layout.questions, "utf8")).open).toHaveLength(1);
  });

  it.each([
    ["a — b", 2],
    [" ", 2],
    ["x <!-- y", 2],
    ["refresh window: 15 or 60 minutes?", 15],
  ])("%j is refused with %i and nothing is written", async (question, exit) => {
    const here = await withOriginal();
    const before = readFileSync(here.layout.questions);
    expect(() => addQuestion(here, question, {})).toThrow(expect.objectContaining({ exit }));
    expect(readFileSync(here.layout.questions)).toEqual(before);
    expect(existsSync(here.layout.ledger)).toBe(false);
  });

  it("is answered in its own line; the others, mistyped and CRLF ones too, stay", async () => {
    const here = await withOriginal();
    const text = `${readFileSync(here.layout.questions, "utf8")}- [ ] mistyped\n- [unresolved] none — last (2026-09-01)`;
    put(here.layout.questions, text.replaceAll("\n", "\r\n"));
    resolveQuestion(here, { substring: "15 or 60", answer: "15 — for now" }, AUTHOR);
    expect(readFileSync(here.layout.questions, "utf8")).toBe(
      text
        .replace(
          "- [unresolved] t-20260906120100-c0de — refresh window: 15 or 60 minutes? (2026-09-06)",
          "- [resolved 2026-09-04] t-20260906120100-c0de — refresh window: 15 or 60 minutes? — 15 — for now",
        )
        .replaceAll("\n", "\r\n"),
    );
    expect(events(here).at(-1)).toMatchObject({
      event: "question.resolved",
      task_id: "t-20260906120100-c0de",
      question: "refresh window: 15 or 60 minutes?",
      answer: "15 — for now",
    });
    resolveQuestion(here, { substring: "last", answer: "yes" }, {});
    expect(listQuestions(here)).toMatchObject({ open: [], malformed: [{ text: "- [ ] mistyped" }] });
    expect(readFileSync(here.layout.questions, "utf8")).toMatch(/none — last — yes$/);
  });

  it.each([
    ["minutes", "matches no open question"],
    ["e", "matches more than one question"],
  ])("is not answered by %j", async (substring, message) => {
    const here = await fresh();
    addQuestion(here, "One", {});
    addQuestion(here, "One more", {});
    const before = readFileSync(here.layout.questions);
    expect(() => resolveQuestion(here, { substring, answer: "a" }, {})).toThrow(
      expect.objectContaining({ exit: 2, message }),
    );
    expect(() => resolveQuestion(here, { substring: "more", answer: " " }, {})).toThrow(
      expect.objectContaining({ exit: 2 }),
    );
    expect(readFileSync(here.layout.questions)).toEqual(before);
    expect(resolveQuestion(here, { substring: "One", answer: "a" }, {}).question).toBe("One");
  });
});

describe("many writers at once", () => {
  it("lose nothing and double nothing", async () => {
    const place = await newPlace();
    const writers = 3;
    const each = 8;
    const names = Array.from({ length: writers }, (_, index) => `w${index}`);
    const runs = await Promise.all(
      names.flatMap((name) => [
        runWorker([place.root, "decision", name, String(each)]),
        runWorker([place.root, "question", name, String(each)]),
      ]),
    );
    for (const run of runs) expect(run, run.stderr).toMatchObject({ status: 0 });
    const { layout } = await place.checkout();
    const titles = parseDecisions(readFileSync(layout.decisions, "utf8")).map(({ title }) => title);
    const questions = parseQuestions(readFileSync(layout.questions, "utf8"));
    const wanted = names.flatMap((name) => Array.from({ length: each }, (_, index) => `${name} ${index}`));
    expect(titles.toSorted()).toEqual(wanted.toSorted());
    expect(questions.malformed).toEqual([]);
    expect(questions.open.map(({ question }) => question).toSorted()).toEqual(
      wanted.map((text) => `${text}?`).toSorted(),
    );
    const noted = events(await place.checkout()).map(({ decision, question }) =>
      String(decision ?? question),
    );
    expect(noted.toSorted()).toEqual([...wanted, ...wanted.map((text) => `${text}?`)].toSorted());
    for (const name of names) {
      const own = titles.filter((title) => title.startsWith(`${name} `));
      expect(own).toEqual(Array.from({ length: each }, (_, index) => `${name} ${index}`));
    }
  });

  it("that are killed before any operation on the disk leave whole entries, and the next one goes on", async () => {
    const place = await newPlace();
    const { layout } = await place.checkout();
    let killed = 0;
    for (let operation = 1; ; operation += 1) {
      // What killed holders leave of their locks is the lock's own matter, and judged there.
      rmSync(layout.locks, { recursive: true, force: true });
      const run = await runWorker([place.root, "decision", `k${operation}`], `kill@${operation}`);
      const entries = parseDecisions(readFileSync(layout.decisions, "utf8"));
      for (const entry of entries) expect(entry.supersedes).toBe("-");
      if (run.signal === null) {
        expect(run).toMatchObject({ status: 0, stderr: "" });
        break;
      }
      killed += 1;
      expect(operation).toBeLessThan(60);
    }
    expect(killed).toBeGreaterThan(5);
    expect(parseDecisions(readFileSync(layout.decisions, "utf8")).at(-1)?.title).toBe(`k${killed + 1} 0`);
  });

  it("that were killed before their ledger line are completed by the same command, and doubled by none", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const title = "Keep one cache";
    const again = { title, why: "two would differ" };
    const cutShort = (write: () => unknown): void => {
      // The store's own file is written; then the disk gives up, before the ledger's.
      injectFaults({
        before: (operation, path) => {
          if (operation === "write" || operation === "open") {
            if (path === checkout.layout.ledger) throw new Error("cut short");
          }
        },
      });
      try {
        expect(write).toThrow("cut short");
      } finally {
        injectFaults(undefined);
      }
    };
    cutShort(() => addDecision(checkout, again, {}));
    cutShort(() => addQuestion(checkout, "Which port?", {}));
    addDecision(checkout, again, {});
    addQuestion(checkout, "Which port?", {});
    cutShort(() => resolveQuestion(checkout, { substring: "port", answer: "8741" }, {}));
    resolveQuestion(checkout, { substring: "port", answer: "8741" }, {});
    expect(listDecisions(checkout).map((decision) => decision.title)).toEqual([title]);
    expect(listQuestions(checkout)).toMatchObject({ open: [], resolved: [{ question: "Which port?" }] });
    expect(events(checkout).map(({ event }) => event)).toEqual([
      "decision.recorded",
      "question.opened",
      "question.resolved",
    ]);
    // What is whole is written again when it is said again, or refused.
    addDecision(checkout, again, {});
    expect(listDecisions(checkout)).toHaveLength(2);
    expect(() => resolveQuestion(checkout, { substring: "port", answer: "8741" }, {})).toThrow(
      "matches no open question",
    );
  });
});
