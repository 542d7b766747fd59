import { sha256Hex } from "../base/id.ts";
import type { Device } from "../device/device-key.ts";
import { signMessage } from "../device/signing.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import type { ContinuityRecord, SignedRecord } from "./record.ts";

const SIGNING_DOMAIN = "majordomus-continuity-record/v1\n";
const DIGEST_LENGTH = 32;

/** What records, bodies and repositories are named by: the first 16 bytes of SHA-256, as 32 hex. */
export function digestOf(data: string | Uint8Array): string {
  return sha256Hex(data).slice(0, DIGEST_LENGTH);
}

/** The bytes over which a record's id is made (records.md 14.4). */
export function canonicalRecord(record: ContinuityRecord): string {
  return canonicalJson(record);
}

/** What is signed: the domain, so that a signature holds for nothing else, and the canonical bytes. */
export function signedMessage(canonical: string): Buffer {
  return Buffer.from(SIGNING_DOMAIN + canonical);
}

/** Names and signs a record. */
export function signRecord(record: ContinuityRecord, device: Device): SignedRecord {
  const canonical = canonicalRecord(record);
  return {
    id: digestOf(canonical),
    public_key: device.publicKey,
    signature: signMessage(device.secretKey, signedMessage(canonical)),
    record,
  };
}

/** The file of a record that is made here: two blanks, and one newline at its end. */
export function formatSignedRecord(signed: SignedRecord): string {
  return `${JSON.stringify(signed, null, 2)}\n`;
}
