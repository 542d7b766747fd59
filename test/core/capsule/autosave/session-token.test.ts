import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNamedFor, sessionToken, tokenHash } from "../../../../src/core/capsule/autosave/session-token.ts";
import { namesFor } from "../../../../src/core/capsule/autosave/names.ts";
import { NOW } from "../support/memory.ts";

const DAY = "2026-11-30-auto-";

describe("the names of a session's autosaves", () => {
  it("are known for its own, whatever its id", () => {
    const id = fc.oneof(fc.uuid(), fc.string(), fc.stringMatching(/^[a-z0-9]{1,4}-[0-9]{1,6}$/));
    fc.assert(
      fc.property(id, fc.nat(30), (session, skipped) => {
        const token = sessionToken(session);
        const names = [...namesFor(token, NOW, undefined)];
        expect(isNamedFor(names[skipped] ?? "", token)).toBe(true);
        const [first = ""] = names;
        const [next = ""] = [...namesFor(token, NOW, first)];
        expect(isNamedFor(next, token)).toBe(true);
      }),
    );
  });

  it("are no other's", () => {
    const token = sessionToken("two-1234");
    for (const name of [
      `${DAY}two.md`,
      `${DAY}two-12345.md`,
      `${DAY}two-1234-12345.md`,
      `${DAY}two-1234-${tokenHash("another")}.md`,
      `${DAY}other.md`,
      "two-1234.md",
      `auto-two-1234.md`,
    ]) {
      expect(isNamedFor(name, token), name).toBe(false);
    }
    expect(isNamedFor(`${DAY}TWO-1234-${tokenHash(token)}-7.MD`, token)).toBe(true);
  });
});
