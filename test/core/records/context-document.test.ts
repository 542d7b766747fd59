import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatContextDocument, isContextDocument } from "../../../src/core/records/context-document.ts";
import { ORIGINAL_SESSIONS, textsOf } from "./fixtures.ts";

describe("a context document", () => {
  test("is written as the original writes it", () => {
    const facts = { id: "ai.repo.sessions", title: "Closed sessions", description: "What lies here." };
    const original = readFileSync(join(ORIGINAL_SESSIONS, "README.md"), "utf8");
    expect(formatContextDocument(facts)).toBe(original);
    expect(isContextDocument(original)).toBe(true);
  });

  test("is told by its front matter, whatever its version, and no record is one", () => {
    expect(isContextDocument("---\nschema: context/v2\nkind: context\n---\n")).toBe(true);
    expect(isContextDocument("---\nschema: context/v1\nkind: session\n---\n")).toBe(false);
    expect(isContextDocument("# Readme\n")).toBe(false);
    for (const [, text] of textsOf(ORIGINAL_SESSIONS, ".md")) expect(isContextDocument(text)).toBe(false);
  });
});
