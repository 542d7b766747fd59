import { cpSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { sharedPatience, steadyPatience } from "../../../src/core/base/patience.ts";
import { commonPaths } from "../../../src/core/checkout/common.ts";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { withLock } from "../../../src/core/fs/lock.ts";
import { drainSpool, spoolLines } from "../../../src/core/journal/spool.ts";
import type { AppendOnce } from "../../../src/core/journal/spool.ts";
import { spoolIsEmpty } from "../../../src/core/journal/spool-file.ts";
import { appendEvents } from "../../../src/core/ledger/append.ts";
import type { LedgerTarget } from "../../../src/core/ledger/append.ts";
import { appendDeferred } from "../../../src/core/ledger/deferred.ts";
import { isPending } from "../../../src/core/ledger/pending.ts";
import { rotateLedger } from "../../../src/core/ledger/rotate.ts";
import { FULL } from "../../support/full.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const CLOCK = fixedClock(Date.UTC(2026, 8, 4, 10));

function newStore() {
  const directory = scratchDirectory();
  const common = commonPaths(directory);
  const ledger = join(directory, "ledger.jsonl");
  const locks = join(directory, "locks");
  mkdirSync(locks);
  const target: LedgerTarget = { ledger, locks, clock: CLOCK };
  const append: AppendOnce = (path, waiting, held, forget) => {
    appendDeferred({ ledger: path, locks: dirname(held.path), clock: CLOCK }, waiting, held, forget);
  };
  return {
    directory,
    common,
    target,
    spool: (line: string) => spoolLines(common, ledger, join(locks, "ledger"), [line]),
    drain: (patience = steadyPatience(1000)) => drainSpool(common, patience, append),
    text: () => readFileSync(ledger, "utf8"),
  };
}

type Store = ReturnType<typeof newStore>;

afterEach(() => injectFaults(undefined));

function errno(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * Drains on a disk of which nothing more is reached from its nth operation on, as by a process that is killed.
 *
 * @returns whether it came so far.
 */
function drainKilledAt(store: Store, point: number): boolean {
  const plan = parseFaultPlan(`EIO@${point}x100000`);
  let seen = 0;
  injectFaults({
    before(operation, path) {
      seen += 1;
      plan.before(operation, path);
    },
  });
  try {
    store.drain();
  } catch {
    // Whatever it says, what it left is judged.
  } finally {
    injectFaults(undefined);
  }
  return seen >= point;
}

describe("the spool", () => {
  it("drains what waits in the order in which it was put aside", () => {
    const store = newStore();
    for (const line of ["one", "two", "three"]) store.spool(line);
    expect(store.drain()).toMatchObject({ applied: 3, left: 0 });
    expect(store.text()).toBe("one\ntwo\nthree\n");
    expect(spoolIsEmpty(store.common)).toBe(true);
  });

  it("appends a line that stands already: equal lines are not the same line", () => {
    const store = newStore();
    writeFileSync(store.target.ledger, "one\n");
    store.spool("one");
    appendEvents(store.target, ["one"], 1000);
    store.spool("one");
    store.drain();
    expect(store.text()).toBe("one\none\none\none\n");
  });

  it("keeps everything, in its order, while the target stays locked", () => {
    const store = newStore();
    store.spool("one");
    store.spool("two");
    // Held by this process, and so by nobody that could be waited for.
    withLock(join(store.target.locks, "ledger"), { waitMilliseconds: 100 }, () => {
      expect(store.drain(sharedPatience(50))).toMatchObject({ applied: 0, left: 2 });
    });
    store.drain();
    expect(store.text()).toBe("one\ntwo\n");
  });

  it("puts aside what has no target any more or is a copy, and never throws it away", () => {
    const store = newStore();
    store.spool("here");
    spoolLines(store.common, join(store.directory, "gone", "ledger.jsonl"), "lock", ["one"]);
    writeFileSync(join(store.common.spool, "00000003.json"), "not json");
    const entry = readFileSync(join(store.common.spool, "00000001.json"));
    writeFileSync(join(store.common.spool, "00000004.json"), entry);
    expect(store.drain()).toMatchObject({ applied: 1, unusable: 3 });
    expect(readdirSync(join(store.common.spool, "unusable"))).toHaveLength(3);
    expect(store.text()).toBe("here\n");
  });

  it("is not drained by a copy of the repository, into the original's ledger", () => {
    const store = newStore();
    store.spool("one");
    const copy = join(scratchDirectory(), "copy");
    cpSync(store.directory, copy, { recursive: true });
    const append: AppendOnce = () => expect.unreachable();
    expect(drainSpool(commonPaths(copy), steadyPatience(1000), append)).toMatchObject({ unusable: 1 });
    expect(store.drain()).toMatchObject({ applied: 1, unusable: 0 });
    expect(store.text()).toBe("one\n");
  });

  it("puts nothing aside that the disk does not give now: it is drained when it does", () => {
    const store = newStore();
    store.spool("one");
    store.spool("two");
    injectFaults({
      before: (operation, path) => {
        if (operation === "read" && path.endsWith("00000001.json")) throw errno("EIO");
      },
    });
    expect(store.drain()).toMatchObject({ applied: 1, left: 1, unusable: 0 });
    injectFaults(undefined);
    expect(store.drain()).toMatchObject({ applied: 1, left: 0 });
    expect(store.text()).toBe("two\none\n");
  });

  it("keeps an entry of any size, and what is no file, when it puts them aside", () => {
    const store = newStore();
    store.spool("one");
    const large = Buffer.alloc(9 * 1024 * 1024, "x");
    writeFileSync(join(store.common.spool, "00000002.json"), large);
    symlinkSync("nowhere", join(store.common.spool, "00000003.json"));
    expect(store.drain()).toMatchObject({ applied: 1, unusable: 2 });
    const aside = join(store.common.spool, "unusable");
    expect(readFileSync(join(aside, "2-0.json")).equals(large)).toBe(true);
    expect(lstatSync(join(aside, "3-0.json")).isSymbolicLink()).toBe(true);
  });

  it("does not overrule a note that the disk does not give", () => {
    const store = newStore();
    store.spool("same");
    for (let point = 1; !isPending(store.target.ledger) || store.text() === ""; point += 1) {
      drainKilledAt(store, point);
    }
    injectFaults({
      before: (operation, path) => {
        if (operation === "read" && path.endsWith("ledger.pending.json")) throw errno("EIO");
      },
    });
    expect(() => appendEvents(store.target, ["same"], 1000)).toThrow("EIO");
    injectFaults(undefined);
    appendEvents(store.target, ["same"], 1000);
    store.drain();
    expect(store.text()).toBe("same\nsame\n");
  });

  it("drains more than one batch, and one line that is larger than any", () => {
    const store = newStore();
    const lines = Array.from({ length: 9 }, (_, index) => `${index}-${"x".repeat(index === 4 ? 3e6 : 3e5)}`);
    for (const line of lines) store.spool(line);
    expect(store.drain()).toMatchObject({ applied: 9, left: 0 });
    expect(store.text() === `${lines.join("\n")}\n`).toBe(true);
  });
});

/** What happens between a drain that was killed and the next. */
const MEANWHILE: Record<string, (store: Store) => string[]> = {
  nothing: () => [],
  "an equal line": (store) => {
    appendEvents(store.target, ["same"], 1000);
    return ["same"];
  },
  "many equal lines": (store) => {
    for (let count = 0; count < 5; count += 1) appendEvents(store.target, ["same"], 1000);
    return Array.from({ length: 5 }, () => "same");
  },
  "another equal line that waits": (store) => {
    store.spool("same");
    return ["same"];
  },
  "a second killed drain": (store) => {
    drainKilledAt(store, 14);
    return [];
  },
};

/** Each of them at every point in a full run, and else in turn. */
const TURNS = FULL ? Object.keys(MEANWHILE).length : 1;

describe("a drain that is killed at any of its disk operations", () => {
  it("has appended equal lines exactly once after the next, whatever happens between the two", () => {
    const deferred = ["same", "same", "other", "same"];
    const happenings = Object.entries(MEANWHILE);
    let reached = true;
    for (let turn = 0; reached; turn += 1) {
      const point = 1 + Math.floor(turn / TURNS);
      const [name, happen] = happenings[turn % happenings.length] ?? ["", () => []];
      const at = `${name} at ${point}`;
      const store = newStore();
      appendEvents(store.target, ["same"], 1000);
      for (const line of deferred) store.spool(line);
      reached = drainKilledAt(store, point);
      const added = happen(store);
      expect(store.drain(), at).toMatchObject({ left: 0, unusable: 0 });
      const expected = ["same", ...deferred, ...added].toSorted();
      expect(store.text().trimEnd().split("\n").toSorted(), at).toEqual(expected);
      expect(spoolIsEmpty(store.common), at).toBe(true);
      // A note whose lines all stand may outlive the last entry: the next drain takes it away.
      store.spool("last");
      store.drain();
      expect(store.text().endsWith("\nlast\n"), at).toBe(true);
      expect(isPending(store.target.ledger), at).toBe(false);
    }
  });

  it("loses and doubles nothing to a rotation between the two", () => {
    let reached = true;
    for (let point = 1; reached; point += FULL ? 1 : 3) {
      const store = newStore();
      appendEvents(store.target, ["before", "same"], 1000);
      for (const line of ["same", "same"]) store.spool(line);
      reached = drainKilledAt(store, point);
      const envelope = { ts: "2026-09-04T10:00:00Z", head: "none", branch: "main", by: "test" };
      rotateLedger(store.target, { keep: 1, waitMilliseconds: 1000, envelope });
      store.drain();
      const archives = readdirSync(store.directory).filter((name) => name.endsWith(".archived"));
      const archived = archives.map((name) => readFileSync(join(store.directory, name), "utf8"));
      const lines = [...archived, store.text()].flatMap((text) => text.trimEnd().split("\n"));
      const told = lines.filter((line) => !line.includes("ledger.rotated"));
      expect(told.toSorted(), String(point)).toEqual(["before", "same", "same", "same"]);
    }
  });

  it("completes a write that stopped at any of its bytes, before anything else is written", () => {
    const lines = ["same", "same", "ünlike"];
    const whole = Buffer.from(`${lines.join("\n")}\n`);
    for (let written = 0; written <= whole.length; written += FULL ? 1 : 3) {
      const store = newStore();
      writeFileSync(store.target.ledger, "same\n");
      for (const line of lines) store.spool(line);
      // Stopped where its lines stand and nothing else was done: the system had taken so many bytes of them.
      for (let point = 1; !isPending(store.target.ledger) || store.text() === "same\n"; point += 1) {
        drainKilledAt(store, point);
      }
      writeFileSync(store.target.ledger, Buffer.concat([Buffer.from("same\n"), whole.subarray(0, written)]));
      appendEvents(store.target, ["same"], 1000);
      store.drain();
      const expected = written === 0 ? ["same", "same", ...lines] : ["same", ...lines, "same"];
      expect(store.text(), String(written)).toBe(`${expected.join("\n")}\n`);
      expect(readdirSync(store.directory).filter((name) => name.includes("torn"))).toEqual([]);
    }
  });

  it("is exactly once for any lines, any number of kills and any writers between", () => {
    const line = fc.constantFrom("a", "b");
    const step = fc.oneof(
      fc.record({ spool: line }),
      fc.record({ append: line }),
      fc.record({ killedAt: fc.integer({ min: 1, max: 45 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), (steps) => {
        const store = newStore();
        const expected: string[] = [];
        writeFileSync(store.target.ledger, "");
        for (const each of steps) {
          if ("killedAt" in each) drainKilledAt(store, each.killedAt);
          else if ("spool" in each) store.spool(each.spool);
          else appendEvents(store.target, [each.append], 1000);
          if ("spool" in each) expected.push(each.spool);
          if ("append" in each) expected.push(each.append);
        }
        store.drain();
        const lines = store.text().split("\n").slice(0, -1);
        expect(lines.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: FULL ? 2000 : 25 },
    );
  });
});
