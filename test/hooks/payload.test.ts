import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePayload } from "../../src/hooks/payload.ts";
import { malformedInputs } from "./support/fixtures.ts";

describe("decoding a payload", () => {
  it("takes an object with a mark, in UTF-16, and between blanks", () => {
    const object = { session_id: "å日本", n: 1 };
    const text = JSON.stringify(object);
    const little = Buffer.from(text, "utf16le");
    for (const bytes of [
      Buffer.from(text),
      Buffer.from(`\uFEFF ${text}\r\n`),
      little,
      Buffer.from(`\uFEFF${text}`, "utf16le"),
      Buffer.from(little).swap16(),
      Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
    ]) {
      expect(decodePayload(bytes)).toEqual({ ok: true, value: object });
    }
  });

  it("replaces what is not UTF-8", () => {
    const bytes = Buffer.concat([Buffer.from('{"cwd":"a'), Buffer.from([0x93, 0xfa]), Buffer.from('"}')]);
    expect(decodePayload(bytes)).toEqual({ ok: true, value: { cwd: "a\uFFFD\uFFFD" } });
  });

  it("keeps a key named __proto__ harmless", () => {
    const answer = decodePayload(Buffer.from('{"__proto__":{"session_id":"x"}}'));
    expect(answer.ok && Object.hasOwn(answer.value, "session_id")).toBe(false);
    expect(({} as Record<string, unknown>)["session_id"]).toBeUndefined();
  });

  it.each([
    ["", "payload is empty"],
    [" \n", "payload is empty"],
    ["null", "payload is null, not an object"],
    ["[1]", "payload is an array, not an object"],
    ["7", "payload is a number, not an object"],
    ['"x"', "payload is a string, not an object"],
    ["{'a':1}", "payload is not JSON (7 bytes)"],
  ])("refuses %j: %s", (text, error) => {
    expect(decodePayload(Buffer.from(text))).toEqual({ ok: false, error });
  });

  it("judges every malformed sample", () => {
    const judged = malformedInputs().map(({ file, bytes }) => {
      const answer = decodePayload(bytes);
      return [file, answer.ok ? Object.keys(answer.value).length : answer.error];
    });
    expect(judged).toEqual([
      ["array.txt", "payload is an array, not an object"],
      ["bom.txt", 5],
      ["empty.txt", "payload is empty"],
      ["huge-message.txt", 6],
      ["no-session-id.txt", 3],
      ["null.txt", "payload is null, not an object"],
      ["session-id-traversal.txt", 5],
      ["truncated.txt", "payload is not JSON (120 bytes)"],
      ["unknown-event.txt", 5],
      ["whitespace.txt", "payload is empty"],
    ]);
  });

  it("never throws, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(typeof decodePayload(bytes).ok).toBe("boolean");
      }),
    );
  });
});
