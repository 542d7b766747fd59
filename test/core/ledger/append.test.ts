import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LockTimeout, withLock } from "../../../src/core/fs/lock.ts";
import { appendEvents, appendHeld, composeAndAppend, ledgerLock } from "../../../src/core/ledger/append.ts";
import { ENVELOPE, decision, joined, linesOf, makeLedger } from "./support/ledger.ts";

describe("appending", () => {
  it("makes the ledger and says where the lines stand", () => {
    const target = makeLedger();
    const first = appendEvents(target, [decision("one")], 1000);
    const second = appendEvents(target, [decision("two"), decision("three")], 1000);
    expect(linesOf(target.ledger)).toEqual(["one", "two", "three"].map((text) => decision(text)));
    expect(first.offset).toBe(0);
    expect(second.offset).toBe(first.size);
    expect(second.size).toBe(readFileSync(target.ledger).length);
  });

  it("composes and appends in one go", () => {
    const target = makeLedger();
    composeAndAppend(target, { ...ENVELOPE, event: "decision.recorded" }, { decision: "x" }, 1000);
    expect(linesOf(target.ledger)).toEqual([decision("x")]);
  });

  it("waits for the disk when asked", () => {
    const target = makeLedger();
    appendEvents({ ...target, durable: true }, [decision("one")], 1000);
    expect(linesOf(target.ledger)).toHaveLength(1);
  });

  it("keeps a torn last line aside, whole and under a free name, and reports it", () => {
    const torn = '{"ts":"2026-09-03T19:35:00Z","event":"task.che';
    const target = makeLedger(joined([decision("one")]) + torn);
    writeFileSync(join(target.state, "ledger.torn.20260904T153733Z.1"), "older");
    const result = appendEvents(target, [decision("two")], 1000);
    expect(linesOf(target.ledger)).toEqual([decision("one"), decision("two")]);
    const keptAt = join(target.state, "ledger.torn.20260904T153733Z.2");
    expect(result.torn).toEqual({ offset: joined([decision("one")]).length, bytes: torn.length, keptAt });
    expect(readFileSync(keptAt, "utf8")).toBe(torn);
  });

  it("writes nothing while another holds the lock", () => {
    const target = makeLedger();
    withLock(ledgerLock({ locks: join(target.state, "other") }), { waitMilliseconds: 0 }, () => {
      appendEvents(target, [decision("elsewhere")], 0);
    });
    mkdirSync(target.locks, { recursive: true });
    writeFileSync(ledgerLock(target), "a lock of something that we do not know");
    expect(() => appendEvents(target, [decision("x")], 20)).toThrow(LockTimeout);
    expect(linesOf(target.ledger)).toEqual([decision("elsewhere")]);
  });

  it("refuses to write under a lock that was lost", () => {
    const target = makeLedger();
    const attempt = () =>
      withLock(ledgerLock(target), { waitMilliseconds: 0 }, (lock) => {
        writeFileSync(ledgerLock(target), "somebody else");
        appendHeld(target, [decision("x")], lock);
      });
    expect(attempt).toThrow(/lost/);
    expect(existsSync(target.ledger)).toBe(false);
    expect(readdirSync(target.state)).toEqual(["locks"]);
  });
});
