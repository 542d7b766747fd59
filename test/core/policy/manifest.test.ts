import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { REQUIRED_SECTIONS, defaultManifestText, parseManifest } from "../../../src/core/policy/manifest.ts";
import { fieldsOf, refusalOf } from "./settings-yaml.ts";

const FIXTURE = readFileSync(new URL("../../fixtures/original/manifest.yaml", import.meta.url), "utf8");

function refused(text: string) {
  return refusalOf(() => parseManifest(fieldsOf(text), ".ai/manifest.yaml"));
}

describe("a manifest of the original", () => {
  it("is accepted with its defaults", () => {
    const manifest = parseManifest(fieldsOf(FIXTURE), ".ai/manifest.yaml");
    expect(manifest.sections.sessions).toBe("repo/sessions");
    expect(manifest.context.documents).toEqual(["README.md"]);
    expect(manifest.local).toEqual({ path: "local", tracked: false, implicit_context: false });
  });

  it("may name sections that we do not read, and leave out that of closed records", () => {
    const text = FIXTURE.replace("  sessions: repo/sessions", "  use-cases: repo/use-cases");
    const manifest = parseManifest(fieldsOf(text), ".ai/manifest.yaml");
    expect(manifest.sections.sessions).toBeUndefined();
    expect(manifest.sections["use-cases"]).toBe("repo/use-cases");
  });
});

describe("a manifest is refused", () => {
  it("for another schema, by name", () => {
    const refusal = refused(FIXTURE.replace("ai-repository/v1", "ai-repository/v2"));
    expect(refusal).toMatchObject({ exit: 10, code: "manifest.schema", subject: ".ai/manifest.yaml" });
    expect(refusal.message).toContain("ai-repository/v2");
  });

  it.each([
    [FIXTURE.replace("schema: ai-repository/v1\n", ""), "missing key schema"],
    [`${FIXTURE}\nextra: 1\n`, "unknown key extra"],
    [FIXTURE.replace("  tracked: false", "  tracked: false\n  shared: true"), "unknown key local.shared"],
    [FIXTURE.replace("local:\n  path: local\n", "local:\n"), "missing key local.path"],
    [FIXTURE.replace("rules: repo/rules", "rules: 7"), "sections.rules must be text"],
  ])("for its keys (%#)", (text, message) => {
    expect(refused(text)).toMatchObject({ exit: 10, message });
  });

  it.each(REQUIRED_SECTIONS)("without the section %s", (section) => {
    const text = FIXTURE.replace(new RegExp(`^  ${section}: .*\\n`, "m"), "");
    expect(refused(text).message).toBe(`missing key sections.${section}`);
  });

  it.each(["/etc", "../x", "repo/../../x", "..", '"a\\\\b"', "C:/x", '""', '"a\\0b"'])(
    "for a path that leads out of .ai: %s",
    (path) => {
      for (const [from, to] of [
        ["  policy: repo/policy.yaml", `  policy: ${path}`],
        ["  path: local", `  path: ${path}`],
        ["  sessions: repo/sessions", `  why: ${path}`],
      ] as const) {
        expect(refused(FIXTURE.replace(from, to)).message).toContain("must be a path inside .ai");
      }
    },
  );

  it("when it is empty", () => {
    expect(refused("").exit).toBe(10);
  });
});

describe("the manifest of a fresh layer", () => {
  it("is one that we accept", () => {
    const manifest = parseManifest(fieldsOf(defaultManifestText()), ".ai/manifest.yaml");
    expect(manifest.sections.policy).toBe("repo/policy.yaml");
    expect(manifest.sections.sessions).toBe("repo/sessions");
  });
});
