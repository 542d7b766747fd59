import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanLedger, sessionLines, validateLedger, ledgerRanks } from "../../../src/core/ledger/read.ts";
import { decision, joined, line, makeLedger } from "./support/ledger.ts";

const GOLDEN = new URL("../../fixtures/golden/", import.meta.url);
const ORIGINAL = new URL("../../fixtures/original/local/state/ledger.jsonl", import.meta.url).pathname;

describe("the golden ledger", () => {
  it("validates as its expectation says", () => {
    const expected = JSON.parse(readFileSync(new URL("ledger.expected.json", GOLDEN), "utf8")) as {
      malformed_lines: number[];
      unregistered_lines: number[];
      torn_tail_bytes: number;
    };
    const validation = validateLedger(new URL("ledger.jsonl", GOLDEN).pathname);
    expect(validation.malformed.map(({ line: number }) => number)).toEqual(expected.malformed_lines);
    expect(validation.unregistered.map(({ line: number }) => number)).toEqual(expected.unregistered_lines);
    expect(validation.tornBytes).toBe(expected.torn_tail_bytes);
    const text = readFileSync(new URL("ledger.jsonl", GOLDEN));
    expect(validation.tornOffset).toBe(text.lastIndexOf(10) + 1);
    expect(validation.malformed[0]?.offset).toBe(text.indexOf("not json"));
  });
});

describe("scanning", () => {
  it("visits valid lines in file order and counts the others", () => {
    const target = makeLedger(`${joined([decision("a"), "torn in the middle", decision("b")])}{"ts":`);
    const seen: unknown[] = [];
    const end = scanLedger(target.ledger, ({ fields }, offset) =>
      seen.push([fields.get("decision"), offset]),
    );
    const second = joined([decision("a"), "torn in the middle"]).length;
    expect(seen).toEqual([
      ["a", 0],
      ["b", second],
    ]);
    expect(end).toMatchObject({ lines: 3, malformed: 1, tornBytes: 6 });
    const further: unknown[] = [];
    scanLedger(target.ledger, ({ fields }) => further.push(fields.get("decision")), second);
    expect(further).toEqual(["b"]);
  });

  it("of a ledger that does not exist finds nothing", () => {
    const { ledger } = makeLedger();
    expect(scanLedger(ledger, () => expect.unreachable())).toMatchObject({ lines: 0, consumed: 0 });
    expect(validateLedger(ledger)).toMatchObject({ lines: 0, malformed: [], tornBytes: 0 });
    expect(sessionLines(ledger, "s-1")).toEqual([]);
  });
});

describe("the lines of an episode", () => {
  it("are those whose first session it is", () => {
    const session = "s-20260904153733-fc51";
    const target = makeLedger(
      joined([
        line("session.started", { owner: "dev" }, { session }),
        line("session.recovered", { session_id: session, reason: "stranded", session_path: "p" }),
        decision(`about "${session}"`, { session: "s-20260904153733-0000" }),
        `{"ts":"t","event":"e","session":"other","session":"${session}"}`,
        `{"ts":"t","event":"e","session":"${session}","session":"other"}`,
        `{"ts":"t","event":"e","session":"${session}"`,
        decision("nobody's"),
      ]),
    );
    expect(sessionLines(target.ledger, session).map(({ event }) => event)).toEqual(["session.started", "e"]);
  });

  it("are found in the original's ledger", () => {
    const events = sessionLines(ORIGINAL, "s-20260905080000-0b0b").map(({ event }) => event);
    expect(events).toEqual(["session.started", "provider.event.received"]);
    expect(sessionLines(ORIGINAL, "s-20260904153733-fc51")).toHaveLength(10);
  });

  it("are gathered over several files in their order", () => {
    const [archive, live] = [makeLedger(), makeLedger()].map((target, index) => {
      const text = joined([
        decision(`${index}a`, { session: "s-1" }),
        decision(`${index}b`, { session: "s-1" }),
      ]);
      return makeLedger(text).ledger ?? target.ledger;
    });
    const found = sessionLines([archive ?? "", live ?? ""], "s-1");
    expect(found.map(({ fields }) => fields.get("decision"))).toEqual(["0a", "0b", "1a", "1b"]);
  });

  it("are what a full parse would find, whatever stands in the ledger", () => {
    const session = fc.constantFrom("s-1", "s-2", 's-"', "s-\\", "s-é");
    const text = fc.oneof(session, fc.string());
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.option(session, { nil: undefined }), text), { maxLength: 12 }),
        (entries) => {
          const target = makeLedger(joined(entries.map(([of, body]) => decision(body, { session: of }))));
          for (const wanted of ["s-1", "s-2", "s-é"]) {
            const all: unknown[] = [];
            scanLedger(target.ledger, (found) => {
              if (found.session === wanted) all.push(found.fields.get("decision"));
            });
            const filtered = sessionLines(target.ledger, wanted).map(({ fields }) => fields.get("decision"));
            expect(filtered).toEqual(all);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe("the rank of a record", () => {
  it("is the place of the last line that names it", () => {
    const [one, two, three] = ["one", "two", "three"].map(
      (stem) => `20260904T161122Z--main--4ba1099--${stem}.md`,
    );
    const target = makeLedger(
      joined([
        line("task.checkpoint", { checkpoint_path: `.ai/local/state/checkpoints/${one}` }),
        line("task.handed_over", { handover_path: `.ai/local/state/handovers/${two}`, closed: 1 }),
        decision(`see ${one}, and knowledge/${two}x`),
        line("knowledge.derived", {
          episode: "s",
          written: 1,
          unchanged: 0,
          skipped: 0,
          paths: `a.md b/${one}`,
        }),
      ]),
    );
    const ranks = ledgerRanks(target.ledger, [one ?? "", two ?? "", three ?? ""]);
    expect(ranks.get(one ?? "")).toBeGreaterThan(ranks.get(two ?? "") ?? 0);
    expect(ranks.get(two ?? "")).toBeGreaterThan(0);
    expect(ranks.get(three ?? "")).toBe(0);
  });
});
