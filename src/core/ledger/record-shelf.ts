import type { Checkout } from "../checkout/checkout.ts";
import type { RecordKind } from "../journal/record-copies.ts";
import type { SkippedFile } from "../records/record-file.ts";
import { readWorkRecords, resolveRecord } from "./work-records.ts";
import type { ResolvedRecord, WorkRecords } from "./work-records.ts";

/** The handovers and checkpoints of this checkout, read once for all who ask at one moment. */
export class RecordShelf {
  readonly #checkout: Checkout;
  readonly #read = new Map<RecordKind, WorkRecords>();

  constructor(checkout: Checkout) {
    this.#checkout = checkout;
  }

  /** The record that resolves here: one of this task before any other. */
  newest(kind: RecordKind, task?: string): ResolvedRecord | undefined {
    const records = this.#records(kind);
    const now = this.#checkout.clock.now();
    const ofTask = task === undefined ? undefined : resolveRecord(this.#checkout, records, now, task);
    return ofTask ?? resolveRecord(this.#checkout, records, now);
  }

  /** Files in a record's place that are none. */
  skipped(kind: RecordKind): readonly SkippedFile[] {
    return this.#records(kind).skipped;
  }

  /** Something was written: the next question reads again. */
  forget(): void {
    this.#read.clear();
  }

  #records(kind: RecordKind): WorkRecords {
    const known = this.#read.get(kind);
    if (known !== undefined) return known;
    const records = readWorkRecords(this.#checkout, kind);
    this.#read.set(kind, records);
    return records;
  }
}
