import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NEVER } from "../../../../src/core/base/cancellation.ts";
import { runCapability } from "../../../../src/core/capabilities/run.ts";
import { openMemory } from "../../../../src/core/capsule/memory-tree.ts";
import { SearchInput } from "../../../../src/core/health/search/answers.ts";
import type { SearchAnswer } from "../../../../src/core/health/search/answers.ts";
import { finderOf } from "../../../../src/core/health/search/find-text.ts";
import { searchRecords } from "../../../../src/core/health/search/search.ts";
import { newPlace } from "../../../support/checkout.ts";
import type { Place } from "../../../support/checkout.ts";

function inText(wanted: string, ...texts: string[]): [string, number, string][] {
  const buffers = texts.map((text) => Buffer.from(text));
  let at = 0;
  const files = buffers.map((buffer, index) => {
    const start = at;
    at += buffer.length;
    return { path: `${index}`, start, end: at };
  });
  return finderOf(wanted)
    .inBatch(Buffer.concat(buffers), files)
    .map(({ path, line, text }) => [path, line, text]);
}

describe("a text in files", () => {
  it("is found literally, whatever its case, once a line, with its place", () => {
    expect(inText("b.c", "a\nxB.Cy b.c\n", "bxc\n", "B.c")).toEqual([
      ["0", 2, "xB.Cy b.c"],
      ["2", 1, "B.c"],
    ]);
    expect(inText("é", "une ÉTÉ\r\nnul\n")).toEqual([["0", 1, "une ÉTÉ"]]);
    expect(inText("x", "é x\r\n")).toEqual([["0", 1, "é x"]]);
  });

  it("is never made of the end of one file and the beginning of the next", () => {
    expect(inText("ab", "a", "b")).toEqual([]);
    expect(inText("ab", "a", "bab")).toEqual([["1", 1, "bab"]]);
    expect(inText("aab", "a", "aab\n")).toEqual([["1", 1, "aab\n".trim()]]);
  });

  it("is found wherever a line by line look finds it", () => {
    const text = fc
      .array(fc.constantFrom("a", "B", "\n", "é", "İ", " "), { maxLength: 40 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.constantFrom("ab", "b", "aé", "a ", "İ"),
        (texts, wanted) => {
          const expected = texts.flatMap((file, index) =>
            file
              .split("\n")
              .flatMap((line, number): [string, number, string][] =>
                line.toLowerCase().includes(wanted.toLowerCase()) ? [[`${index}`, number + 1, line]] : [],
              ),
          );
          expect(inText(wanted, ...texts)).toEqual(expected);
        },
      ),
    );
  });
});

function put(place: Place, path: string, text: string): void {
  const whole = join(place.root, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
}

const STATE = ".ai/local/state";
const record = (task: string, body: string): string =>
  `---\nschema_version: 1\ncreated_at: 2026-09-04T12:00:00Z\ntask_id: ${task}\nhead: NONE\n---\n\n${body}\n`;

async function filled(): Promise<Place> {
  const place = await newPlace();
  put(place, `${STATE}/handovers/b.md`, record("t-1", "The Needle here."));
  put(place, `${STATE}/handovers/a.md`, record("t-2", "A needle there."));
  put(place, `${STATE}/checkpoints/c.md`, record("t-1", "needle"));
  appendFileSync(
    join(place.root, STATE, "decisions.md"),
    "\n## 2026-09-04 — Keep the needle\nTask: t-1\nWhy: x\n\n## 2026-09-04 — Other\nTask: t-2\nWhy: a needle\n",
  );
  appendFileSync(
    join(place.root, STATE, "open-questions.md"),
    "- [unresolved] t-2 — Which needle? (2026-09-04)\n",
  );
  put(place, ".ai/repo/prompts/sew.md", "---\nname: sew\n---\nWith a needle.\n");
  put(
    place,
    ".ai/repo/sessions/s.md",
    `---\nschema: session/v1\nkind: session\nsession_id: s-1\nstarted_at: 2026-09-04T12:00:00Z\nclosed_at: 2026-09-04T12:00:00Z\noutcome: closed\ntasks:\n  - "t-1"\n---\n\nneedle\n`,
  );
  put(
    place,
    ".ai/repo/knowledge/curated/k.md",
    "---\nid: k\nprovenance:\n  derived_from:\n    - task:t-1\n---\n\nneedle\n",
  );
  put(
    place,
    `${STATE}/ledger.20260901T000000Z.jsonl.archived`,
    '{"ts":"2026-09-01T00:00:00Z","event":"question.opened","task_id":"t-1","question":"needle"}\n',
  );
  put(
    place,
    `${STATE}/ledger.jsonl`,
    '{"ts":"2026-09-04T00:00:00Z","event":"task.checkpoint"}\n{"ts":"2026-09-04T00:00:00Z","event":"decision.recorded","task_id":"t-2","decision":"NEEDLE"}\n',
  );
  return place;
}

async function search(
  place: Place,
  input: Omit<SearchInput, "text"> & { text?: string } = {},
): Promise<SearchAnswer> {
  return searchRecords(await place.checkout(), { text: "needle", ...input }, NEVER);
}

describe("search", () => {
  it("passes over HTML comments of the logs, a template's and a person's, and keeps lines and numbers", async () => {
    const place = await newPlace();
    for (const text of ["reason", "unresolved"]) {
      const { total } = await search(place, { text, kinds: ["decision", "question"] });
      expect(total, text).toBe(0);
    }
    const log =
      "a\n<!-- needle\nneedle --> tail\n\n## One <!-- why --> needle\r\nWhy: une needlé, aiguille ÉE\n<!-- never closed needle\n";
    put(place, `${STATE}/decisions.md`, log);
    const found = await search(place, { kinds: ["decision"] });
    expect(found.matches.map(({ line, text }) => [line, text])).toEqual([
      [5, "## One <!-- why --> needle"],
      [7, "<!-- never closed needle"],
    ]);
    const wide = await search(place, { text: "ée", kinds: ["decision"] });
    expect(wide.matches.map(({ line }) => line)).toEqual([6]);
    // In a record's text a comment is text like any other.
    put(place, `${STATE}/handovers/a.md`, record("t-2", "<!-- needle -->"));
    expect((await search(place, { kinds: ["handover"] })).total).toBe(1);
  });

  it("looks in the order in which things are to be believed", async () => {
    const { matches, total, cut } = await search(await filled());
    expect(matches.map(({ kind, path, line }) => `${kind} ${path.split("/").at(-1) ?? ""}:${line}`)).toEqual([
      "handover a.md:8",
      "handover b.md:8",
      "checkpoint c.md:8",
      expect.stringMatching(/^decision decisions\.md:\d+$/u),
      expect.stringMatching(/^decision decisions\.md:\d+$/u),
      expect.stringMatching(/^question open-questions\.md:\d+$/u),
      "prompt sew.md:4",
      "session s.md:12",
      "knowledge k.md:8",
      "ledger ledger.20260901T000000Z.jsonl.archived:1",
      "ledger ledger.jsonl:2",
    ]);
    expect({ total, cut }).toEqual({ total: 11, cut: 0 });
    expect(matches[1]?.text).toBe("The Needle here.");
  });

  it("keeps to kinds, and to a limit that says what it cut", async () => {
    const place = await filled();
    const { matches, total, cut } = await search(place, { kinds: ["ledger", "handover"], limit: 3 });
    expect(matches.map(({ kind }) => kind)).toEqual(["handover", "handover", "ledger"]);
    expect({ total, cut }).toEqual({ total: 4, cut: 1 });
  });

  it("keeps to a task, by what each kind says of it", async () => {
    const { matches } = await search(await filled(), { task: "t-1" });
    expect(matches.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      "handover: The Needle here.",
      "checkpoint: needle",
      "decision: ## 2026-09-04 — Keep the needle",
      "session: needle",
      "knowledge: needle",
      expect.stringMatching(/^ledger: .*question\.opened/u),
    ]);
  });

  it("passes over what documents a directory, and names what it could not look through", async () => {
    const place = await newPlace();
    put(place, ".ai/repo/sessions/README.md", "needle\n");
    mkdirSync(join(place.root, STATE, "handovers"), { recursive: true });
    symlinkSync("/etc/passwd", join(place.root, STATE, "handovers", "x.md"));
    put(place, `${STATE}/checkpoints/large.md`, "needle".repeat(200_000));
    const { matches, skipped } = await search(place);
    expect(matches).toEqual([]);
    expect(skipped.map(({ path }) => path)).toEqual([
      `${STATE}/handovers/x.md`,
      `${STATE}/checkpoints/large.md`,
    ]);
  });

  it("looks through capsules where memory lies", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    const directory = relative(place.root, openMemory(checkout).capsules);
    put(place, `${directory}/2026-09-04-sewing.md`, "---\nid: sewing\n---\na needle\n");
    const answer = await runCapability(checkout, "search.run", { text: "NEEDLE" });
    expect((answer as SearchAnswer).matches).toEqual([
      { kind: "capsule", path: `${directory}/2026-09-04-sewing.md`, line: 4, text: "a needle" },
    ]);
  });

  it("gives the text as it stands", async () => {
    const place = await newPlace();
    put(place, `${STATE}/handovers/x.md`, "\u001b]52;c;aGk=\u0007 needle \u202e\n");
    expect((await search(place)).matches[0]?.text).toBe("\u001b]52;c;aGk=\u0007 needle \u202e");
  });

  it.each(["", "two\nlines", "x".repeat(1001)])("does not take %j", (text) => {
    expect(SearchInput.safeParse({ text }).success).toBe(false);
  });
});
