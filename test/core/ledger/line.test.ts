import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MajordomusError } from "../../../src/core/base/error.ts";
import { composeLine, parseLine } from "../../../src/core/ledger/line.ts";
import type { Envelope } from "../../../src/core/ledger/line.ts";
import { LineProbe } from "../../../src/core/ledger/probe.ts";
import { EVENTS, isRegistered } from "../../../src/core/ledger/vocabulary.ts";
import { plain } from "./support/ledger.ts";

const ENVELOPE: Envelope = {
  ts: "2026-09-04T15:37:33Z",
  event: "decision.recorded",
  head: "dbb001d76c26603a289c5e3969241c36d1550ef2",
  branch: "main",
  by: "majordomus/0.19.0",
  session: "s-20260904153733-fc51",
};

function golden(name: string): string {
  return readFileSync(new URL(`../../fixtures/golden/${name}`, import.meta.url), "utf8");
}

function deep(depth: number): string {
  return `{"ts":"t","event":"e","x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
}

describe("a composed line", () => {
  it("is byte for byte what the original writes", () => {
    expect(
      composeLine(ENVELOPE, { task_id: "t-20260904153800-0a1b", decision: 'Say "no" to a second cache' }),
    ).toBe(
      String.raw`{"ts":"2026-09-04T15:37:33Z","event":"decision.recorded","head":"dbb001d76c26603a289c5e3969241c36d1550ef2","branch":"main","by":"majordomus/0.19.0","session":"s-20260904153733-fc51","task_id":"t-20260904153800-0a1b","decision":"Say \"no\" to a second cache"}`,
    );
  });

  it("escapes quote and backslash alone, deletes newlines and keeps everything else raw", () => {
    const line = composeLine(ENVELOPE, { decision: 'a\tb\r\u0001 \\ " ü ✓\u2028 \n\nend' });
    expect(line).toContain('"decision":"a\tb\r\u0001 \\\\ \\" ü ✓\u2028 end"}');
  });

  it("has no session where there is no episode, and no member that is undefined", () => {
    const { session: _, ...envelope } = ENVELOPE;
    const line = composeLine(
      { ...envelope, event: "task.checkpoint" },
      { task_id: undefined, checkpoint_path: "p" },
    );
    expect(line.endsWith('"by":"majordomus/0.19.0","checkpoint_path":"p"}')).toBe(true);
  });

  it("writes numbers, null, lists and maps as JSON does", () => {
    const line = composeLine(
      { ...ENVELOPE, event: "task.finished" },
      {
        task_id: "t",
        outcome: "completed",
        contract: { scope: "pass", 'q"': "skipped" },
        verify: null,
        checkpoints: 3,
        paths: ["a", 'b"'],
      },
    );
    expect(line).toContain(
      String.raw`"contract":{"scope":"pass","q\"":"skipped"},"verify":null,"checkpoints":3,"paths":["a","b\""]}`,
    );
  });

  it("writes yes and no as JSON does, and leaves out of a map what is undefined", () => {
    const line = composeLine(ENVELOPE, {
      decision: "x",
      first: true,
      second: false,
      endless: Number.POSITIVE_INFINITY,
      map: { before: undefined, kept: true, after: undefined },
      empty: { only: undefined },
    });
    expect(
      line.endsWith(
        '"decision":"x","first":true,"second":false,"endless":null,"map":{"kept":true},"empty":{}}',
      ),
    ).toBe(true);
  });

  it.each(["ts", "event", "head", "branch", "by", "session"])("is refused with %s in its payload", (key) => {
    const attempt = () => composeLine(ENVELOPE, { decision: "x", [key]: "y" });
    expect(attempt).toThrow(MajordomusError);
    expect(attempt).toThrow(expect.objectContaining({ exit: 13, subject: key }));
    expect(attempt).toThrow(/envelope key/);
  });

  it("may have keys that only end like one of the envelope", () => {
    const payload = { session_id: "s", reason: "stranded", session_path: "p" };
    expect(composeLine({ ...ENVELOPE, event: "session.recovered" }, payload)).toContain('"session_id":"s"');
  });

  it("is refused for an event outside the vocabulary, and without a key that its event needs", () => {
    expect(() => composeLine({ ...ENVELOPE, event: "observation.recorded" }, {})).toThrow(/not a registered/);
    expect(() => composeLine({ ...ENVELOPE, event: "session.closed" }, { outcome: "closed" })).toThrow(
      /required/,
    );
  });
});

describe("a line that is read", () => {
  it("gives the first of two keys", () => {
    const lines = golden("ledger.jsonl").split("\n");
    const expected = JSON.parse(golden("ledger.expected.json")) as {
      events: (string | null)[];
      sessions: (string | null)[];
      decision: string;
      malformed_lines: number[];
      unregistered_lines: number[];
    };
    const parsed = lines.slice(0, -1).map((line) => parseLine(line));
    expect(parsed.map((line) => line?.event ?? null)).toEqual(expected.events);
    expect(parsed.map((line) => line?.session ?? null)).toEqual(expected.sessions);
    expect(parsed[2]?.fields.get("decision")).toBe(expected.decision);
    const numbers = (wanted: (index: number) => boolean) =>
      parsed.flatMap((_, index) => (wanted(index) ? [index + 1] : []));
    expect(numbers((index) => parsed[index] === undefined)).toEqual(expected.malformed_lines);
    expect(numbers((index) => parsed[index] !== undefined && !isRegistered(parsed[index].event))).toEqual(
      expected.unregistered_lines,
    );
    expect(parseLine(lines.at(-1) ?? "")).toBeUndefined();
  });

  it("has nothing in its envelope that is no text, and keeps it as a field", () => {
    const line = parseLine('{"ts":"t","event":"e","head":5,"branch":null,"by":["x"],"session":{"id":"s"}}');
    expect(line).toMatchObject({ ts: "t", event: "e" });
    for (const key of ["head", "branch", "by", "session"]) expect(line).not.toHaveProperty(key);
    expect([...(line?.fields.keys() ?? [])]).toEqual(["ts", "event", "head", "branch", "by", "session"]);
  });

  it("has its escapes read as the original reads them", () => {
    const line = parseLine(String.raw`{"ts":"t","event":"e","v":"a\nb\tc\rd\"\\\/é\q\u00e9"}`);
    expect(line?.fields.get("v")).toBe('a b c d"\\/éqé');
  });

  it("keeps every kind of value", () => {
    const line = parseLine(
      '{"ts":"t","event":"e","n":-1.5e2,"z":null,"b":true,"a":[1,["x"],{}],"o":{"k":{"k":[]}}}',
    );
    expect(plain(Object.fromEntries(line?.fields ?? []))).toEqual({
      ts: "t",
      event: "e",
      n: -150,
      z: null,
      b: true,
      a: [1, ["x"], {}],
      o: { k: { k: [] } },
    });
  });

  it("cannot reach a prototype", () => {
    const line = parseLine('{"ts":"t","event":"e","__proto__":"x","o":{"__proto__":{"polluted":1}}}');
    expect(line?.fields.get("__proto__")).toBe("x");
    expect(Object.getPrototypeOf(line?.fields.get("o"))).toBeNull();
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    "",
    "{}",
    "null",
    "not json at all",
    '{"ts":"t"}',
    '{"event":"e"}',
    '{"ts":1,"event":"e"}',
    '{"ts":null,"event":"e"}',
    '{"ts": "t","event":"e"}',
    '{"ts":"t","event" :"e"}',
    '{"ts":"t","event":"e"',
    '{"ts":"t","event":"e"} ',
    '{"ts":"t","event":"e"}}',
    '{"ts":"t","event":"e",}',
    '{"ts":"t","event":"e" "x":1}',
    '{"ts":"t","event":"e","x"}',
    '{"ts":"t","event":"e","x":[1}',
    '{"ts":"t","event":"e","x":[1,]}',
    '{"ts":"t","event":"e","x":}',
    '{"ts":"t","event":"e","x":word}',
    '{"ts":"t","event":"e","x":1-2}',
    String.raw`{"ts":"t","event":"e\"}`,
    '{"ts":"t","event":"task.che{"ts":"t","event":"session.closed"}',
    '[{"ts":"t","event":"e"}]',
  ])("is malformed: %j", (text) => {
    expect(parseLine(text)).toBeUndefined();
    const bytes = Buffer.from(text);
    expect(new LineProbe().read(bytes, 0, bytes.length)).toBe(false);
  });

  it("is malformed when it nests deeper than any writer does", () => {
    expect(parseLine(deep(60))?.event).toBe("e");
    expect(parseLine(deep(100_000))).toBeUndefined();
  });
});

describe("the vocabulary", () => {
  it("never lets a payload need an envelope key", () => {
    for (const keys of EVENTS.values()) {
      for (const key of keys) expect(["ts", "event", "head", "branch", "by", "session"]).not.toContain(key);
    }
  });

  it("knows the underscore names and no inherited ones", () => {
    expect(isRegistered("plan_start")).toBe(true);
    expect(isRegistered("constructor")).toBe(false);
    expect(isRegistered("observation.recorded")).toBe(false);
  });
});
