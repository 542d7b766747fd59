import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { KnowledgeDraft } from "../../../src/core/records/knowledge.ts";
import { formatCandidate, parseKnowledge } from "../../../src/core/records/knowledge.ts";
import { rewriteKnowledge } from "../../../src/core/records/knowledge-rewrite.ts";
import {
  formatSignature,
  readSignature,
  signedMessage,
} from "../../../src/core/records/knowledge-signature.ts";
import { listKnowledge, signaturePath } from "../../../src/core/records/knowledge-store.ts";
import type { Layout } from "../../../src/core/checkout/layout.ts";
import type { Settings } from "../../../src/core/policy/settings.ts";
import { splitFrontMatter } from "../../../src/core/text/split-front-matter.ts";
import { ORIGINAL, edited, temporaryDirectory } from "./fixtures.ts";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";

const CANDIDATES = join(ORIGINAL, "repo/knowledge/candidates");
const QUESTION = readFileSync(join(CANDIDATES, "s-20260904153733-fc51-3ae2c1449e23.md"), "utf8");
const DECISION = readFileSync(join(CANDIDATES, "s-20260904153733-fc51-8aaaa6545fd6.md"), "utf8");
const CURATED = readFileSync(join(ORIGINAL, "repo/knowledge/curated/one-store.md"), "utf8");

const DRAFT: KnowledgeDraft = {
  id: "s-20260904153733-fc51-8aaaa6545fd6",
  class: "convention",
  title: 'Say "no" to a second cache',
  description: "Recorded as a decision under task t-20260904153800-0a1b in episode s-20260904153733-fc51.",
  epistemics: "decided",
  date: "2026-09-04",
  tag: "decision",
  derivedFrom: ["session:s-20260904153733-fc51", "decision:t-20260904153800-0a1b"],
  files: [],
};

function place(ai: string): { layout: Layout; settings: Settings } {
  return {
    layout: { ai } as Layout,
    settings: { manifest: { sections: { knowledge: "repo/knowledge" } } } as Settings,
  };
}

describe("a candidate's bytes", () => {
  it("are the original's", () => {
    expect(formatCandidate(DRAFT)).toBe(DECISION);
  });

  it("carry commits and files", () => {
    const text = formatCandidate({
      ...DRAFT,
      derivedFrom: [...DRAFT.derivedFrom, `commit:${"a".repeat(40)}`],
      files: [".ai/repo/rules/one.md", ".ai/repo/rules/a: b #c.md"],
    });
    expect(text).toContain(
      [
        `    - commit:${"a".repeat(40)}`,
        "relations:",
        "  - type: relates_to",
        "    target: file:.ai/repo/rules/one.md",
        "  - type: relates_to",
        '    target: "file:.ai/repo/rules/a: b #c.md"',
        "---",
      ].join("\n"),
    );
    expect(parseKnowledge(text)).toMatchObject({
      ok: true,
      value: {
        derivedFrom: [...DRAFT.derivedFrom, `commit:${"a".repeat(40)}`],
        relations: [
          { type: "relates_to", target: "file:.ai/repo/rules/one.md" },
          { type: "relates_to", target: "file:.ai/repo/rules/a: b #c.md" },
        ],
      },
    });
  });

  it("read back, and are real YAML, whatever the words are", () => {
    const words = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.constantFrom(
        '"',
        "\\",
        "---",
        "# x",
        "a: b",
        "{x}",
        "日本 ✓ 👩‍👩‍👧",
        "x".repeat(10_000),
        "\u0085\u2028",
      ),
    );
    fc.assert(
      fc.property(words, words, (first, second) => {
        const one = (text: string): string =>
          Buffer.from(text.replaceAll(/[\r\n]/g, " "))
            .toString("utf8")
            .replaceAll("\0", "");
        const [title, description] = [one(first), one(second)];
        const text = formatCandidate({ ...DRAFT, title, description });
        const record = parseKnowledge(text);
        expect(record).toMatchObject({ ok: true, value: { title, description, misshapen: [], unknown: [] } });
        const split = splitFrontMatter(text);
        expect(split.ok && parse(split.value.head)).toMatchObject({ title, description });
      }),
      { numRuns: 60 },
    );
  });
});

describe("reading a record", () => {
  it("takes the original's, derived and authored", () => {
    expect(parseKnowledge(QUESTION)).toEqual({
      ok: true,
      value: {
        id: "s-20260904153733-fc51-3ae2c1449e23",
        kind: "knowledge",
        class: "fact",
        title: "8741, else a free one",
        description:
          'Answers the question "Which port?" resolved under task t-20260904153800-0a1b in episode s-20260904153733-fc51.',
        status: "candidate",
        epistemics: "observed",
        date: "2026-09-04",
        tags: ["derived", "question"],
        origin: "extracted",
        derivedFrom: ["session:s-20260904153733-fc51", "task:t-20260904153800-0a1b"],
        relations: [],
        supersededBy: "",
        body: QUESTION.slice(QUESTION.indexOf("# 8741")),
        misshapen: [],
        unknown: [],
      },
    });
    expect(parseKnowledge(CURATED)).toMatchObject({
      ok: true,
      value: {
        id: "one-store",
        status: "verified",
        origin: "authored",
        derivedFrom: ["file:lib/callback.ts"],
      },
    });
    expect(parseKnowledge(CURATED.replaceAll("\n", "\r\n"))).toMatchObject({
      ok: true,
      value: { id: "one-store" },
    });
  });

  it.each([
    ["", "no front matter: line 1 is not ---"],
    ["---\nschema: knowledge/v1\n", "no front matter: no closing ---"],
    ["---\nid: x\n---\n", "schema: missing"],
    [
      "---\nschema: knowledge/v2\n---\n",
      "schema: knowledge/v2 is not knowledge/v1, the one that this version reads",
    ],
    ["---\nschema: knowledge/v1\n<<<<<<< HEAD\n---\n", "line 3: neither `key: value` nor a list item"],
    [
      "---\nschema: knowledge/v1\nid: {a: b}\n---\n",
      "line 3 (id): not a plain value, a quoted value or a list",
    ],
    ["---\nschema: knowledge/v1\ntitle: >\n  x\n---\n", "line 3 (title): has a value and lines below it"],
  ])("refuses %j", (text, reason) => {
    expect(parseKnowledge(text)).toEqual({ ok: false, error: reason });
  });

  it("names fields of another shape and unknown keys, and takes the rest", () => {
    const text = [
      "---",
      "schema: knowledge/v1",
      "title: [a]",
      "tags: one",
      "provenance: two",
      "relations:",
      "  - file:x",
      "later: 3",
      "---",
      "",
    ].join("\n");
    expect(parseKnowledge(text)).toMatchObject({
      ok: true,
      value: {
        title: "",
        misshapen: [
          "provenance: not a map",
          "relations: not a list of maps",
          "title: not a single value",
          "tags: not a list",
        ],
        unknown: ["later"],
      },
    });
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (noise, at) => {
        const cut = at % DECISION.length;
        expect(() => parseKnowledge(DECISION.slice(0, cut) + noise + DECISION.slice(cut))).not.toThrow();
      }),
    );
  });
});

describe("a person's judgement", () => {
  const promote = {
    status: "verified",
    date: "2026-11-30",
    class: "constraint",
    derivedFrom: "session:s-20261130120000-0001",
    section: { name: "Evidence", text: "Reviewed with the tests.\n" },
  } as const;

  it("changes what it must, and no other byte", () => {
    const expected = `${edited(
      edited(
        edited(
          edited(DECISION, "status: candidate", "status: verified"),
          "class: convention",
          "class: constraint",
        ),
        "date: 2026-09-04",
        "date: 2026-11-30",
      ),
      "    - decision:t-20260904153800-0a1b\n",
      "    - decision:t-20260904153800-0a1b\n    - session:s-20261130120000-0001\n",
    )}\n# Evidence\n\nReviewed with the tests.\n`;
    expect(rewriteKnowledge(DECISION, promote)).toEqual({ ok: true, value: expected });
    const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
    expect(rewriteKnowledge(crlf(DECISION), promote)).toEqual({ ok: true, value: crlf(expected) });
  });

  it("keeps comments and keys that nobody knows", () => {
    const text = edited(DECISION, "status: candidate\n", "# kept\nstatus: candidate\nlater: [a, b]\n");
    const rewritten = rewriteKnowledge(text, promote);
    expect(rewritten.ok && rewritten.value).toContain("# kept\nstatus: verified\nlater: [a, b]\n");
  });

  it("adds a source where there is no list of them, and none twice", () => {
    const session = "session:s-20261130120000-0001";
    for (const list of ["  derived_from: []\n", "  derived_from:\n", ""]) {
      const text = DECISION.replace(/ {2}derived_from:\n(?: {4}- .*\n)+/, list);
      const rewritten = rewriteKnowledge(text, promote);
      expect(rewritten.ok && parseKnowledge(rewritten.value)).toMatchObject({
        value: { origin: "extracted", derivedFrom: [session] },
      });
    }
    const without = rewriteKnowledge(DECISION.replace(/provenance:\n(?: {2,}.*\n)+/, ""), promote);
    expect(without.ok && parseKnowledge(without.value)).toMatchObject({ value: { derivedFrom: [session] } });
    const again = rewriteKnowledge(DECISION, { ...promote, derivedFrom: "session:s-20260904153733-fc51" });
    expect(again.ok && again.value.split("session:s-20260904153733-fc51")).toHaveLength(2);
  });

  it("rejects with or without a successor", () => {
    const section = { name: "Rejected", text: "A guess." } as const;
    const rejected = rewriteKnowledge(DECISION, { status: "superseded", section });
    expect(rejected).toEqual({
      ok: true,
      value: `${edited(DECISION, "status: candidate", "status: superseded")}\n# Rejected\n\nA guess.\n`,
    });
    const by = rewriteKnowledge(DECISION, { status: "superseded", superseded_by: "one-store", section });
    expect(by.ok && by.value).toContain(
      "status: superseded\nsuperseded_by: one-store\nepistemics: decided\n",
    );
  });

  it("fails rather than write what would not read back", () => {
    const folded = edited(DECISION, "status: candidate", "status: candidate\nstatus: candidate");
    expect(rewriteKnowledge(folded, promote)).toMatchObject({ ok: false });
    const large = { name: "Evidence", text: "x".repeat(1024 * 1024) } as const;
    expect(rewriteKnowledge(DECISION, { ...promote, section: large })).toMatchObject({
      ok: false,
      error: "the record would be larger than 1048576 bytes",
    });
  });
});

describe("a signature", () => {
  it("is a file of its own, under a name that is no record's", () => {
    const directory = temporaryDirectory();
    const path = signaturePath(join(directory, "one-store.md"));
    expect(path).toBe(join(directory, "one-store.sig"));
    const facts = { public_key: "a".repeat(64), signature: "b".repeat(128) };
    writeFileSync(path, formatSignature(facts));
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      schema: "majordomus-knowledge-signature/v1",
      ...facts,
    });
    expect(readSignature(path)).toMatchObject({ ok: true, value: facts });
    expect(readSignature(join(directory, "none.sig"))).toEqual({ ok: true, value: undefined });
    writeFileSync(path, "{");
    expect(readSignature(path)).toEqual({ ok: false, error: "is not JSON" });
    writeFileSync(path, formatSignature({ ...facts, public_key: "A".repeat(64) }));
    expect(readSignature(path)).toMatchObject({ ok: false });
  });

  it("covers its domain and every byte", () => {
    expect(Buffer.from(signedMessage(Buffer.from("x\r\n"))).toString()).toBe(
      "majordomus-knowledge/v1\nx\r\n",
    );
  });
});

describe("the store", () => {
  it("lists both halves, and accounts for every other file", () => {
    const { files, skipped } = listKnowledge(place(ORIGINAL));
    expect(files.map(({ shelf, stem }) => `${shelf}/${stem}`)).toEqual([
      "candidates/s-20260904153733-fc51-3ae2c1449e23",
      "candidates/s-20260904153733-fc51-8aaaa6545fd6",
      "curated/one-store",
    ]);
    expect(files.map(({ text }) => text)).toEqual([QUESTION, DECISION, CURATED]);
    expect(skipped).toEqual([]);
  });

  it("opens nothing that is no regular file, and names it", () => {
    const ai = temporaryDirectory();
    const directory = join(ai, "repo/knowledge/candidates");
    mkdirSync(directory, { recursive: true });
    symlinkSync(join(CANDIDATES, "README.md"), join(directory, "link.md"));
    mkdirSync(join(directory, "folder.md"));
    writeFileSync(join(directory, "empty.md"), "");
    writeFileSync(join(directory, "binary.md"), Buffer.from([0xff, 0xfe, 0x00]));
    writeFileSync(join(directory, "README.md"), readFileSync(join(CANDIDATES, "README.md")));
    writeFileSync(join(directory, ".tmp.0a1b2c"), DECISION);
    writeFileSync(join(directory, "a.sig"), "{}");
    const { files, skipped } = listKnowledge(place(ai));
    expect(files).toEqual([]);
    expect(skipped.map(({ path, reason }) => `${path.slice(directory.length + 1)}: ${reason}`)).toEqual([
      "binary.md: is not valid UTF-8",
      "empty.md: no front matter: line 1 is not ---",
      "folder.md: is a directory, not a regular file",
      "link.md: is a symbolic link, not a regular file",
    ]);
  });
});
