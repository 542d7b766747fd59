import { isUtf8 } from "node:buffer";
import { nodeIdOf, verifyMessage } from "../device/signing.ts";
import type { Blob } from "../git/blobs.ts";
import { parseStrictJson } from "../text/strict-json.ts";
import type { AdmissionCode } from "./admission-codes.ts";
import { findUnportable } from "./portable.ts";
import { LIMITS, RECORD_SCHEMA, readSignedRecord } from "./record.ts";
import type { SignedRecord } from "./record.ts";
import { canonicalRecord, digestOf, signedMessage } from "./signed-record.ts";

/** Why a file is no record that may be believed. */
interface Refusal {
  ok: false;
  code: AdmissionCode;
  message: string;
}

/** A file of the store, judged: a record that may be believed, or why it is none. */
export type Admission = { ok: true; signed: SignedRecord } | Refusal;

export const MISSING_OBJECT = "its object is not in this repository";

/** Where a record's file stands. */
export function recordPath(id: string): string {
  return `records/${id}.json`;
}

function refuse(code: AdmissionCode, message: string): Refusal {
  return { ok: false, code, message };
}

function schemaOf(value: unknown): unknown {
  const record =
    typeof value === "object" && value !== null ? (value as { record?: unknown }).record : undefined;
  return typeof record === "object" && record !== null ? (record as { schema?: unknown }).schema : undefined;
}

function judgeSchema(schema: unknown): Refusal | undefined {
  if (schema === RECORD_SCHEMA) return undefined;
  const version =
    typeof schema === "string" ? /^majordomus-continuity\/v([1-9]\d{0,8})$/.exec(schema)?.[1] : undefined;
  if (version !== undefined && Number(version) > 1) {
    return refuse("continuity.schema_too_new", `is of version ${version}, which a later program reads`);
  }
  return refuse("continuity.schema_unknown", "is of a schema that is not known");
}

/** A file that holds so far: what is left is its signature, whose it is, and what it carries. */
export interface Examined {
  signed: SignedRecord;
  /** What the signature is over. */
  message: Buffer;
}

/** The first half of the judgement, up to the signature. */
export function examineRecord(path: string, blob: Blob): Examined | Refusal {
  if (blob.state === "missing") return refuse("continuity.record_malformed", MISSING_OBJECT);
  const size = blob.state === "too_large" ? blob.size : blob.bytes.length;
  if (blob.state === "too_large" || size > LIMITS.file) {
    return refuse("continuity.record_too_large", `has ${size} bytes of at most ${LIMITS.file}`);
  }
  if (!isUtf8(blob.bytes)) return refuse("continuity.record_malformed", "is not UTF-8");
  const value = parseStrictJson(blob.bytes.toString("utf8"));
  if (!value.ok) return refuse("continuity.record_malformed", value.error);
  const unreadable = judgeSchema(schemaOf(value.value));
  if (unreadable !== undefined) return unreadable;
  const shape = readSignedRecord(value.value);
  if (!shape.ok) {
    return refuse("continuity.record_malformed", `${shape.error.pointer} ${shape.error.message}`.trim());
  }
  return examineSigned(path, shape.value);
}

function examineSigned(path: string, signed: SignedRecord): Examined | Refusal {
  const { id, record } = signed;
  const canonical = canonicalRecord(record);
  const digest = digestOf(canonical);
  if (id !== digest) return refuse("continuity.id_mismatch", `its content is ${digest}`);
  if (path !== recordPath(digest)) {
    return refuse("continuity.id_mismatch", `it belongs at ${recordPath(digest)}`);
  }
  if (record.handover.id !== digestOf(record.handover.body)) {
    return refuse("continuity.id_mismatch", "/record/handover/id is not the digest of the body");
  }
  if (nodeIdOf(signed.public_key) !== record.device.node) {
    return refuse("continuity.bad_signature", "its key is not its device's");
  }
  return { signed, message: signedMessage(canonical) };
}

/** The second half, when it is known whether the signature holds. */
export function concludeRecord({ signed }: Examined, holds: boolean, repositoryId: string): Admission {
  const { record } = signed;
  if (!holds) return refuse("continuity.bad_signature", "its signature does not hold");
  if (record.repository !== repositoryId) {
    return refuse("continuity.foreign_repository", `is of repository ${record.repository}`);
  }
  const finding = findUnportable(record);
  if (finding === undefined) return { ok: true, signed };
  const code = finding.kind === "secret" ? "continuity.secret" : "continuity.nonportable_field";
  return refuse(code, `${finding.pointer} has ${finding.shape}`);
}

/**
 * Judges one file of the store in the format's order (records.md 14.5). Everything that reads a record reads
 * it through here; trust is another question.
 *
 * @param path as it stands in the tree.
 * @param repositoryId 32 hex, of this repository.
 */
export function admitRecord(path: string, blob: Blob, repositoryId: string): Admission {
  const examined = examineRecord(path, blob);
  if ("ok" in examined) return examined;
  const { public_key: publicKey, signature } = examined.signed;
  return concludeRecord(examined, verifyMessage(publicKey, examined.message, signature), repositoryId);
}
