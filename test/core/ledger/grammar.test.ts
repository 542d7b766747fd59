import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composeLine, parseLine, parseLineBytes } from "../../../src/core/ledger/line.ts";
import { LineProbe } from "../../../src/core/ledger/probe.ts";
import { readStamp, stampText } from "../../../src/core/ledger/stamp.ts";
import { TextMemo } from "../../../src/core/ledger/text-memo.ts";
import type { LedgerValue } from "../../../src/core/ledger/values.ts";
import { ENVELOPE, plain } from "./support/ledger.ts";

const IN_EPISODE = { ...ENVELOPE, event: "decision.recorded", session: "s-20260904153733-fc51" };

const anyText = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", ",", ":", "\t", "\u0000", "n", "u0041", "é") }),
);
const scalar = fc.oneof(anyText, fc.integer(), fc.constant(null), fc.boolean());
const payloadValue = fc.oneof(
  scalar,
  fc.array(anyText, { maxLength: 4 }),
  fc.dictionary(fc.string({ unit: "grapheme" }), scalar, { maxKeys: 4 }),
);

/** Text as UTF-8 can carry it: lone surrogates are replaced. */
function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}

/** What composing does to text: newlines go, and bytes are UTF-8. */
function written(text: string): string {
  return wellFormed(text.replaceAll("\n", ""));
}

describe("whatever the payload", () => {
  it("a composed line gives it back", () => {
    fc.assert(
      fc.property(anyText, anyText, fc.array(anyText), (decision, branch, list) => {
        const line = composeLine({ ...IN_EPISODE, branch }, { decision, list });
        expect(line).not.toContain("\n");
        const parsed = parseLine(line);
        expect(parsed?.fields.get("decision")).toBe(written(decision));
        expect(parsed?.branch).toBe(written(branch));
        expect(parsed?.fields.get("list")).toEqual(list.map(written));
        expect(parsed?.session).toBe(IN_EPISODE.session);
      }),
    );
  });

  it("a line without control characters is JSON that JSON.parse reads alike", () => {
    fc.assert(
      fc.property(payloadValue, (value) => {
        const line = composeLine(IN_EPISODE, { decision: "x", value });
        // oxlint-disable-next-line no-control-regex
        fc.pre(!/[\u0000-\u001f]/.test(line));
        const parsed = parseLine(line);
        expect(plain(Object.fromEntries(parsed?.fields ?? []))).toEqual(JSON.parse(wellFormed(line)));
      }),
    );
  });
});

describe("whatever JSON a foreign writer makes", () => {
  it("is read as JSON.parse reads it", () => {
    const key = fc.string({ minLength: 1 }).filter((text) => !/["\\]/.test(text));
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 4 })), (object) => {
        const text = JSON.stringify({ ts: "t", event: "e", ...object });
        const strict = JSON.parse(text) as Record<string, unknown>;
        fc.pre(typeof strict["ts"] === "string" && typeof strict["event"] === "string");
        expect(plain(Object.fromEntries(parseLine(text)?.fields ?? []))).toEqual(strict);
      }),
    );
  });
});

describe("whatever bytes a line holds", () => {
  const fragments = fc.array(
    fc.oneof(
      fc.constantFrom(
        '{"ts":"t","event":"e"',
        '"ts":"x"',
        '"event":"y"',
        '"session":"s"',
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        '"',
      ),
      fc.constantFrom("\\", "\\u00e", "null", "1e", " ", "\t", "{}", "[1]", '"a":1', '"t\\u0073":"z"'),
    ),
  );
  const anyBytes = fc.oneof(
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    fragments.map((parts) => Buffer.from(parts.join(""))),
    fragments.map((parts) => Buffer.from(`{"ts":"t","event":"e",${parts.join("")}}`)),
  );

  it("parsing ends, and the probe agrees with the parser", () => {
    const probe = new LineProbe(["session", "a"]);
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const line = parseLineBytes(bytes, 0, bytes.length);
        expect(probe.read(bytes, 0, bytes.length)).toBe(line !== undefined);
        if (line === undefined) return;
        const a: LedgerValue | undefined = line.fields.get("a");
        expect([probe.text(0), probe.text(1), probe.text(2), probe.text(3)]).toEqual([
          line.ts,
          line.event,
          line.session,
          typeof a === "string" ? a : undefined,
        ]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("whatever a buffer holds", () => {
  it("the memo gives the text that stands there, however often it is asked", () => {
    const memo = new TextMemo();
    const span = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom("", "a", "session.started", "s-1-abcd"),
    );
    fc.assert(
      fc.property(fc.array(span, { maxLength: 20 }), (texts) => {
        for (const text of [...texts, ...texts]) {
          const bytes = Buffer.from(`<${text}>`);
          expect(memo.text(bytes, 1, bytes.length - 1)).toBe(text);
        }
      }),
    );
  });

  it("a stamp orders like its timestamp and gives it back", () => {
    const instant = fc
      .date({ min: new Date(0), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
      .map((date) => `${date.toISOString().slice(0, 19)}Z`);
    const stampOf = (text: string) => readStamp(Buffer.from(text), 0, text.length);
    fc.assert(
      fc.property(instant, instant, (left, right) => {
        expect(stampText(stampOf(left))).toBe(left);
        expect(stampOf(left) < stampOf(right)).toBe(left < right);
      }),
    );
    for (const other of [
      "",
      "2026-09-04",
      "2026-09-04T15:37:33",
      "2026-09-04 15:37:33Z",
      "2026-0x-04T15:37:33Z",
    ]) {
      expect(stampOf(other)).toBe(-1);
    }
  });
});
