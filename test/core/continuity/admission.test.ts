import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { admitRecord, recordPath } from "../../../src/core/continuity/admission.ts";
import type { SignedRecord } from "../../../src/core/continuity/record.ts";
import { RECORD_SCHEMA } from "../../../src/core/continuity/record.ts";
import {
  canonicalRecord,
  digestOf,
  formatSignedRecord,
  signRecord,
} from "../../../src/core/continuity/signed-record.ts";
import { nodeIdOf, publicKeyOf } from "../../../src/core/device/signing.ts";

const GOLDEN = join(import.meta.dirname, "../../fixtures/golden/continuity");
const golden = (name: string): Buffer => readFileSync(join(GOLDEN, name));
const facts = (name: string) =>
  JSON.parse(golden(`${name}.json`).toString()) as {
    secret_seed: string;
    public_key: string;
    node: string;
    id: string;
    signature: string;
    path: string;
  };
const OURS = "dfe8d422732d514e127b1569bea92115";

function deviceOf(seed: string) {
  const publicKey = publicKeyOf(seed);
  return { node: nodeIdOf(publicKey), publicKey, secretKey: seed, label: "test" };
}

function admit(bytes: Buffer | string, path: string) {
  return admitRecord(path, { state: "read", bytes: Buffer.from(bytes) }, OURS);
}

/** The first record with changes, signed again by its own device; its file and path. */
function altered(change: (record: Record<string, unknown>) => void): { bytes: Buffer; path: string } {
  const { record } = JSON.parse(golden("first.stored.json").toString()) as SignedRecord;
  change(record as unknown as Record<string, unknown>);
  const signed = signRecord(record, deviceOf(facts("first").secret_seed));
  return { bytes: Buffer.from(formatSignedRecord(signed)), path: recordPath(signed.id) };
}

describe.each(["first", "second"])("the %s record of an independent writer", (name) => {
  it("is admitted", () => {
    const { path, id } = facts(name);
    expect(admit(golden(`${name}.stored.json`), path)).toMatchObject({ ok: true, signed: { id } });
  });

  it("is made again from its seed, byte for byte", () => {
    const { secret_seed: seed, id, public_key: key, signature, node } = facts(name);
    const { record } = JSON.parse(golden(`${name}.stored.json`).toString()) as SignedRecord;
    expect(canonicalRecord(record)).toBe(golden(`${name}.canonical`).toString());
    expect(digestOf(golden(`${name}.canonical`))).toBe(id);
    const signed = signRecord(record, deviceOf(seed));
    expect(signed).toMatchObject({ id, public_key: key, signature });
    expect(signed.record.device.node).toBe(node);
    expect(Buffer.from(formatSignedRecord(signed))).toEqual(golden(`${name}.stored.json`));
  });
});

const BAD = JSON.parse(golden("bad.json").toString()) as Record<string, { code: string; path: string }>;

describe("bad records", () => {
  it.each(Object.entries(BAD))("%s gets its code", (name, { code, path }) => {
    expect(admit(golden(`bad-${name}.json`), path)).toMatchObject({ ok: false, code });
  });

  it("every single changed character of a record's file is found out", () => {
    const { path } = facts("first");
    const bytes = golden("first.stored.json");
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = Buffer.from(bytes);
      changed[at] = changed[at] === 0x61 ? 0x62 : 0x61;
      expect(admit(changed, path).ok, `byte ${at}`).toBe(false);
    }
  });

  it("a record without its signature, or with somebody's key that anything verifies under, is refused", () => {
    const { path } = facts("first");
    const signed = JSON.parse(golden("first.stored.json").toString()) as Record<string, unknown>;
    const { signature, ...unsigned } = signed;
    expect(admit(JSON.stringify(unsigned), path)).toMatchObject({ code: "continuity.record_malformed" });
    expect(admit(JSON.stringify({ ...signed, signature: "0".repeat(128) }), path)).toMatchObject({
      code: "continuity.bad_signature",
    });
    expect(admit(JSON.stringify({ ...signed, signature, note: 1 }), path)).toMatchObject({
      code: "continuity.record_malformed",
    });
  });

  it("size is judged first, whatever stands in the file", () => {
    const path = recordPath("0".repeat(32));
    expect(admit(Buffer.alloc(163_841, 97), path)).toMatchObject({ code: "continuity.record_too_large" });
    expect(admit(Buffer.alloc(163_840, 97), path)).toMatchObject({ code: "continuity.record_malformed" });
    expect(admitRecord(path, { state: "too_large", size: 1e9 }, OURS)).toMatchObject({
      code: "continuity.record_too_large",
    });
    expect(admitRecord(path, { state: "missing" }, OURS)).toMatchObject({
      code: "continuity.record_malformed",
    });
  });

  it.each([
    ["majordomus-continuity/v2", "continuity.schema_too_new"],
    ["majordomus-continuity/v999", "continuity.schema_too_new"],
    ["majordomus-continuity/v0", "continuity.schema_unknown"],
    ["majordomus-continuity/v01", "continuity.schema_unknown"],
    ["majordomus-continuity", "continuity.schema_unknown"],
    [undefined, "continuity.schema_unknown"],
    [7, "continuity.schema_unknown"],
  ])("schema %j is %s, also in a shape that nobody knows", (schema, code) => {
    expect(
      admit(JSON.stringify({ record: { schema, anything: [1] } }), recordPath("0".repeat(32))),
    ).toMatchObject({
      code,
    });
  });

  it.each([["null"], ["[]"], ["1"], ['""'], ["{}"], ['{"record":null}']])(
    "%s has no known schema",
    (text) => {
      expect(admit(text, recordPath("0".repeat(32)))).toMatchObject({ code: "continuity.schema_unknown" });
    },
  );

  it.each<[string, string, (record: Record<string, unknown>) => void]>([
    ["/record/session", "two lines", (record) => (record["session"] = "a\nb")],
    ["/record/published_at", "a control", (record) => (record["published_at"] = "now\u009b")],
    ["/record/producer", "257 bytes", (record) => (record["producer"] = "ü".repeat(129))],
    ["/record/episode", "another word", (record) => (record["episode"] = "closed")],
    ["/record", "a line without a parent", (record) => (record["line"] = "a".repeat(32))],
    [
      "/record/source",
      "a fingerprint of a clean tree",
      (record) => {
        record["source"] = { working_tree: "clean", changed_total: 0, fingerprint: "a".repeat(32) };
      },
    ],
    [
      "/record/source/changed",
      "unsorted paths",
      (record) => {
        record["source"] = { working_tree: "dirty", changed: ["b", "a"], changed_total: 2 };
      },
    ],
    [
      "/record/source/changed",
      "201 paths",
      (record) => {
        const changed = Array.from({ length: 201 }, (_, index) => `a${String(index).padStart(3, "0")}`);
        record["source"] = { working_tree: "dirty", changed, changed_total: 201 };
      },
    ],
    [
      "/record/source/changed_total",
      "a count in words",
      (record) => {
        record["source"] = { working_tree: "dirty", changed_total: "three" };
      },
    ],
    [
      "/record/decisions",
      "33 decisions",
      (record) => {
        record["decisions"] = Array.from({ length: 33 }, () => ({ title: "a", text: "b" }));
      },
    ],
    [
      "/record/decisions/0/text",
      "4097 bytes of decision",
      (record) => {
        record["decisions"] = [{ title: "a", text: "b".repeat(4097) }];
      },
    ],
    [
      "/record/handover/body",
      "a blank body",
      (record) => {
        record["handover"] = { id: digestOf(" \n"), body: " \n" };
      },
    ],
    [
      "/record/handover/body",
      "32769 bytes of body",
      (record) => {
        const body = "a".repeat(32_769);
        record["handover"] = { id: digestOf(body), body };
      },
    ],
    [
      "/record/handover/issue",
      "65 bytes of issue",
      (record) => {
        record["handover"] = { id: digestOf("a"), body: "a", issue: "i".repeat(65) };
      },
    ],
    ["/record/extra", "a field that nobody knows", (record) => (record["extra"] = "x")],
  ])("malformed: %s, %s", (pointer, _, change) => {
    const { bytes, path } = altered(change);
    const admission = admit(bytes, path);
    expect(admission).toMatchObject({ ok: false, code: "continuity.record_malformed" });
    expect(admission).toHaveProperty("message", expect.stringContaining(pointer));
  });

  it("what inner objects do not know is not signed: it changes the digest", () => {
    const { bytes, path } = altered((record) => {
      record["handover"] = { id: digestOf("a"), body: "a", mood: "fine" };
    });
    expect(admit(bytes, path)).toMatchObject({ code: "continuity.id_mismatch" });
  });

  it("a body under another body's id is a mismatch too", () => {
    const { bytes, path } = altered((record) => {
      record["handover"] = { id: "a".repeat(32), body: "# Objective\n" };
    });
    expect(admit(bytes, path)).toMatchObject({ code: "continuity.id_mismatch" });
  });

  it("what says nothing is as good as absent", () => {
    const signed = JSON.parse(golden("first.stored.json").toString()) as { record: Record<string, unknown> };
    signed.record["task"] = null;
    signed.record["decisions"] = [];
    expect(admit(JSON.stringify(signed), facts("first").path)).toMatchObject({ ok: true });
  });

  it("a key that stands twice is ambiguous, and refused", () => {
    const text = golden("first.stored.json")
      .toString()
      .replace('"session"', '"session": "x",\n    "session"');
    expect(admit(text, facts("first").path)).toMatchObject({ code: "continuity.record_malformed" });
  });

  it.each<[string, string, (record: Record<string, unknown>) => void]>([
    [
      "/task/title",
      "continuity.secret",
      (record) => (record["task"] = { id: "t", title: `ghp_${"a".repeat(36)}` }),
    ],
    [
      "/source/branch",
      "continuity.nonportable_field",
      (record) => {
        record["source"] = { branch: "x:/home/wren/y", working_tree: "clean", changed_total: 0 };
      },
    ],
    [
      "/source/changed/1",
      "continuity.nonportable_field",
      (record) => {
        record["source"] = { working_tree: "dirty", changed: ["a", "b/../../c"], changed_total: 2 };
      },
    ],
    [
      "/task/scope/0",
      "continuity.nonportable_field",
      (record) => {
        record["task"] = { id: "t", title: "t", scope: ["C:/x"] };
      },
    ],
    [
      "/decisions/0/text",
      "continuity.secret",
      (record) => {
        record["decisions"] = [{ title: "/home/wren/x", text: `Why: AKIA${"A1".repeat(8)}\n` }];
      },
    ],
  ])("%s is %s, whoever signed it", (pointer, code, change) => {
    const { bytes, path } = altered(change);
    expect(admit(bytes, path)).toMatchObject({ code, message: expect.stringContaining(pointer) });
  });

  it("the schema that is written is the one that is read", () => {
    expect((JSON.parse(golden("first.stored.json").toString()) as SignedRecord).record.schema).toBe(
      RECORD_SCHEMA,
    );
  });
});
