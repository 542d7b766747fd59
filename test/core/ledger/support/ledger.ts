import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixedClock } from "../../../../src/core/base/clock.ts";
import type { LedgerTarget } from "../../../../src/core/ledger/append.ts";
import { composeLine } from "../../../../src/core/ledger/line.ts";
import type { Envelope, Payload } from "../../../../src/core/ledger/line.ts";
import { scratchDirectory } from "../../../support/scratch.ts";

/** A ledger of a test's own, in a state directory of its own. */
export interface TestLedger extends LedgerTarget {
  state: string;
}

/** 2026-09-04T15:37:33Z. */
export const INSTANT = Date.UTC(2026, 8, 4, 15, 37, 33);

export const ENVELOPE: Omit<Envelope, "event"> = {
  ts: "2026-09-04T15:37:33Z",
  head: "dbb001d76c26603a289c5e3969241c36d1550ef2",
  branch: "main",
  by: "majordomus/0.19.0",
};

export function ledgerIn(state: string): TestLedger {
  return {
    state,
    ledger: join(state, "ledger.jsonl"),
    locks: join(state, "locks"),
    clock: fixedClock(INSTANT),
  };
}

/** @param content what the ledger holds; undefined: there is no file yet. */
export function makeLedger(content?: string): TestLedger {
  const state = join(scratchDirectory(), "state");
  mkdirSync(state);
  const target = ledgerIn(state);
  if (content !== undefined) writeFileSync(target.ledger, content);
  return target;
}

export function line(event: string, payload: Payload, envelope: Partial<Envelope> = {}): string {
  return composeLine({ ...ENVELOPE, ...envelope, event }, payload);
}

export function decision(text: string, envelope: Partial<Envelope> = {}): string {
  return line("decision.recorded", { decision: text }, envelope);
}

export function joined(lines: readonly string[]): string {
  return lines.map((text) => `${text}\n`).join("");
}

export function linesOf(path: string): string[] {
  const text = readFileSync(path, "utf8");
  return text === "" ? [] : text.slice(0, -1).split("\n");
}

/** Objects that a line gives back have no prototype: the same data, as JSON makes it. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
