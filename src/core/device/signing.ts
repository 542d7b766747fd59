import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { sha256Hex } from "../base/id.ts";

/** What stands before a bare Ed25519 key in the forms that the crypto library takes (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/**
 * Points of small order: whoever names one as his key has signatures that hold for messages that he never
 * signed. The last byte's top bit is the sign of x and says nothing about that.
 */
const WEAK_KEYS: ReadonlySet<string> = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]);

const KEY = /^[0-9a-f]{64}$/;
const SIGNATURE = /^[0-9a-f]{128}$/;
const NODE_LENGTH = 32;

function privateKey(seed: string): KeyObject {
  const der = Buffer.concat([PRIVATE_PREFIX, Buffer.from(seed, "hex")]);
  return createPrivateKey({ key: der, format: "der", type: "pkcs8" });
}

/** The public key of a seed; both are 64 lowercase hex. */
export function publicKeyOf(seed: string): string {
  const der = createPublicKey(privateKey(seed)).export({ format: "der", type: "spki" });
  return der.subarray(PUBLIC_PREFIX.length).toString("hex");
}

/** The id of the device that has a public key: 32 hex of SHA-256 over its 32 bytes (records.md 2). */
export function nodeIdOf(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, "hex")).slice(0, NODE_LENGTH);
}

function isWeak(publicKey: string): boolean {
  const bytes = Buffer.from(publicKey, "hex");
  bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) & 0x7f;
  return WEAK_KEYS.has(bytes.toString("hex"));
}

/** Whether text is a key, public or secret, in the form that records carry. */
export function isKeyText(text: string): boolean {
  return KEY.test(text);
}

/** Signs a message with plain Ed25519; 128 lowercase hex. */
export function signMessage(seed: string, message: Uint8Array): string {
  return sign(null, message, privateKey(seed)).toString("hex");
}

/** A few devices sign everything in a repository, and making a key of its bytes costs as much as verifying. */
const known = new Map<string, KeyObject>();
const KNOWN_KEYS = 64;

/** The key of 64 hex; undefined for 32 bytes that are no point of the curve, or under which anything could be signed. */
function publicKeyObject(publicKey: string): KeyObject | undefined {
  const remembered = known.get(publicKey);
  if (remembered !== undefined) return remembered;
  if (!KEY.test(publicKey) || isWeak(publicKey)) return undefined;
  try {
    const der = Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKey, "hex")]);
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    if (known.size >= KNOWN_KEYS) known.clear();
    known.set(publicKey, key);
    return key;
  } catch {
    return undefined;
  }
}

/**
 * Whether a signature is this key's over this message. Keys and signatures of another form never are, nor
 * are keys under which anything could be signed.
 */
export function verifyMessage(publicKey: string, message: Uint8Array, signature: string): boolean {
  const key = SIGNATURE.test(signature) ? publicKeyObject(publicKey) : undefined;
  return key !== undefined && verify(null, message, key, Buffer.from(signature, "hex"));
}

/** The same, worked out beside this thread: for many signatures at once. */
export function verifyMessageAside(
  publicKey: string,
  message: Uint8Array,
  signature: string,
): Promise<boolean> {
  const key = SIGNATURE.test(signature) ? publicKeyObject(publicKey) : undefined;
  if (key === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    verify(null, message, key, Buffer.from(signature, "hex"), (error, holds) =>
      resolve(error === null && holds),
    );
  });
}
