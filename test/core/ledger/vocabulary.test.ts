import { describe, expect, it } from "vitest";
import { composeLine, isEnvelopeKey, parseLine, textField } from "../../../src/core/ledger/line.ts";
import { EVENTS, isRegistered } from "../../../src/core/ledger/vocabulary.ts";

const ENVELOPE = { ts: "2026-09-04T12:00:00Z", head: "NONE", branch: "main", by: "majordomus/1" };

/** Written out, so that the test does not share the table: readers elsewhere rest upon every word of it. */
const VOCABULARY = `
task.started task_id profile owner scope
task.checkpoint
task.handed_over handover_path closed
task.finished task_id outcome contract
task.evidence task covers kind inputs_hash
decision.recorded decision
question.opened task_id question
question.resolved task_id question answer
session.started owner
session.closed outcome session_path
session.recovered session_id reason session_path
provider.event.received provider provider_event
provider.event.failed provider provider_event reason
knowledge.derived episode written unchanged skipped paths
knowledge.promoted id path
knowledge.rejected id reason
prompts.pruned records pruned bytes_left
projections.updated policy_sha256 targets
ledger.rotated archived kept archive
plan_start issue
plan_verify issue
plan_done issue
plan_evidence issue covers type
layout.migrated from to
rules.vendored package
use_cases.ran ran failed
adr.proposed adr title
`
  .trim()
  .split("\n")
  .map((line) => line.split(" "));

describe("the vocabulary", () => {
  it("is closed", () => {
    expect([...EVENTS.keys()]).toEqual(VOCABULARY.map(([event]) => event));
    expect(isRegistered("task.started")).toBe(true);
    expect(isRegistered("task.paused")).toBe(false);
  });

  it.each(VOCABULARY)("%s is composed with its keys, and not without one of them", (event = "", ...keys) => {
    const payload = Object.fromEntries(keys.map((key) => [key, "x"]));
    const line = parseLine(composeLine({ ...ENVELOPE, event }, payload));
    expect(line?.event).toBe(event);
    expect([...(line?.fields.keys() ?? [])].slice(5)).toEqual(keys);
    for (const key of keys) {
      const { [key]: _, ...rest } = payload;
      expect(() => composeLine({ ...ENVELOPE, event }, rest), key).toThrow(
        expect.objectContaining({
          code: "ledger.incomplete",
          subject: `${event}.${key}`,
          message: expect.stringContaining("is required in this line"),
        }),
      );
    }
  });

  it("refuses other events, and payload keys of the envelope, by their names", () => {
    expect(() => composeLine({ ...ENVELOPE, event: "task.paused" }, {})).toThrow(
      expect.objectContaining({
        code: "ledger.unregistered",
        subject: "task.paused",
        message: expect.stringContaining("is not a registered ledger event"),
      }),
    );
    for (const key of ["ts", "event", "head", "branch", "by", "session"]) {
      expect(isEnvelopeKey(key)).toBe(true);
      expect(() => composeLine({ ...ENVELOPE, event: "task.checkpoint" }, { [key]: "x" })).toThrow(
        expect.objectContaining({
          code: "ledger.envelope_key",
          subject: key,
          message: expect.stringContaining("is an envelope key and cannot be in a payload"),
        }),
      );
    }
    expect(isEnvelopeKey("task_id")).toBe(false);
  });
});

describe("a field as text", () => {
  it("is one where it stands there as text that is not empty", () => {
    const line = parseLine('{"ts":"t","event":"e","a":"x","b":"","c":1,"d":null}');
    if (line === undefined) throw new Error("the test's own line does not parse");
    expect(["a", "b", "c", "d", "e"].map((key) => textField(line, key))).toEqual([
      "x",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
