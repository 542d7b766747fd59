import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  isKeyText,
  nodeIdOf,
  publicKeyOf,
  signMessage,
  verifyMessage,
} from "../../../src/core/device/signing.ts";

const GOLDEN = join(import.meta.dirname, "..", "..", "fixtures", "golden", "continuity");

interface Vector {
  secret_seed: string;
  public_key: string;
  node: string;
  signature: string;
}

describe.each(["first", "second"])("the %s golden record", (name) => {
  const vector = JSON.parse(readFileSync(join(GOLDEN, `${name}.json`), "utf8")) as Vector;
  const message = Buffer.concat([
    Buffer.from("majordomus-continuity-record/v1\n"),
    readFileSync(join(GOLDEN, `${name}.canonical`)),
  ]);

  it("has the key, the device and the signature of its seed", () => {
    expect(publicKeyOf(vector.secret_seed)).toBe(vector.public_key);
    expect(nodeIdOf(vector.public_key)).toBe(vector.node);
    expect(signMessage(vector.secret_seed, message)).toBe(vector.signature);
  });

  it("verifies as it stands, and in no other form", () => {
    const { public_key: key, signature } = vector;
    expect(verifyMessage(key, message, signature)).toBe(true);
    expect(verifyMessage(key, Buffer.concat([message, Buffer.from(" ")]), signature)).toBe(false);
    expect(verifyMessage(key, message, signature.toUpperCase())).toBe(false);
    expect(verifyMessage(key, message, signature.slice(2))).toBe(false);
    expect(verifyMessage(key.slice(2), message, signature)).toBe(false);
    expect(verifyMessage("f".repeat(64), message, signature)).toBe(false);
  });
});

describe("a key of small order", () => {
  it("signs nothing, although its zero signature would hold for some messages", () => {
    const keys = ["00", "01", "ec", "ed", "ee"].map((first) =>
      ["00", "01"].includes(first) ? first + "00".repeat(31) : `${first}${"ff".repeat(30)}7f`,
    );
    for (const key of [...keys, `${"00".repeat(31)}80`, `ec${"ff".repeat(31)}`]) {
      for (let number = 0; number < 16; number += 1) {
        expect(verifyMessage(key, Buffer.from(`message ${number}`), "0".repeat(128))).toBe(false);
        expect(verifyMessage(key, Buffer.from(`message ${number}`), `01${"0".repeat(126)}`)).toBe(false);
      }
    }
  });
});

describe("the form of a key", () => {
  it("is 64 lowercase hex", () => {
    expect(isKeyText("a".repeat(64))).toBe(true);
    for (const text of ["", "a".repeat(63), "A".repeat(64), `${"a".repeat(64)}\n`]) {
      expect(isKeyText(text)).toBe(false);
    }
  });
});
