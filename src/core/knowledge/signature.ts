import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { ensureDevice, readDevice } from "../device/device-key.ts";
import { nodeIdOf, signMessage, verifyMessage } from "../device/signing.ts";
import { readRegularFile } from "../fs/read.ts";
import { writeAtomic } from "../fs/write.ts";
import { formatSignature, readSignature, signedMessage } from "../records/knowledge-signature.ts";
import { signaturePath } from "../records/knowledge-store.ts";
import { RECORD_MAXIMUM_BYTES } from "../records/record-file.ts";
import type { SignatureView } from "./answers.ts";

/**
 * Signs a record's bytes as they lie on the disk with this device's key, in a file beside it.
 *
 * @returns the signature's path.
 * @throws MajordomusError 13 where the record, or the key, cannot be read.
 */
export function signRecord(checkout: Checkout, path: string): string {
  const bytes = readRegularFile(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
  if (!bytes.ok) {
    throw new MajordomusError({
      code: "knowledge.unreadable",
      exit: EXIT.internal,
      subject: path,
      message: bytes.error.message,
    });
  }
  const device = ensureDevice(checkout);
  const signature = signMessage(device.secretKey, signedMessage(bytes.value));
  const target = signaturePath(path);
  writeAtomic(target, formatSignature({ public_key: device.publicKey, signature }), { durable: true });
  return target;
}

function ownKey(checkout: Pick<Checkout, "environment">): string | undefined {
  try {
    return readDevice(checkout.environment)?.publicKey;
  } catch {
    // A key file that cannot be read says nothing about somebody's signature.
    return undefined;
  }
}

/** Whether a record is signed, and whether the signature is of the very bytes that lie there. */
export function verifyRecord(checkout: Pick<Checkout, "environment">, path: string): SignatureView {
  const read = readSignature(signaturePath(path));
  if (!read.ok) return { state: "invalid", reason: `the signature's file ${read.error}` };
  if (read.value === undefined) return { state: "none", reason: "is not signed" };
  const { public_key: key, signature } = read.value;
  const signer = { node: nodeIdOf(key), this_device: key === ownKey(checkout) };
  const bytes = readRegularFile(path, { maximumBytes: RECORD_MAXIMUM_BYTES });
  if (bytes.ok && verifyMessage(key, signedMessage(bytes.value), signature)) {
    return { state: "valid", reason: `signed by device ${signer.node}`, ...signer };
  }
  return { state: "invalid", reason: "the signature is not of this file", ...signer };
}
