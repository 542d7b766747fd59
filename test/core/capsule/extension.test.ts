import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  EXAMPLE_EXTENSION,
  foldDeclaredLine,
  parseExtension,
  readExtension,
  renderAck,
} from "../../../src/core/capsule/extension.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const V1 = "LifecycleExtension/v1";
const V2 = "LifecycleExtension/v2";

function declare(text: string | undefined): ReturnType<typeof readExtension> {
  const base = scratchDirectory();
  mkdirSync(join(base, ".aigent"));
  if (text !== undefined) writeFileSync(join(base, ".aigent/lifecycle-extension.json"), text);
  return readExtension(base);
}

const faultOf = (fields: object): string => {
  const parsed = parseExtension(JSON.stringify(fields));
  return parsed.ok ? "none" : parsed.error;
};

describe("a declaration", () => {
  it("that is absent declares nothing and warns of nothing", () => {
    expect(declare(undefined)).toEqual({
      resume_ack: null,
      capsule_ack: null,
      resume_preload: [],
      resume_reground: [],
      warning: null,
    });
  });

  it("is taken whole, trimmed, with or without a mark", () => {
    expect(declare(`\ufeff${JSON.stringify(EXAMPLE_EXTENSION)}`).warning).toBeNull();
    expect(declare(JSON.stringify({ schema: V1, resume_ack: "  say {capsule_id} " }))).toMatchObject({
      resume_ack: "say {capsule_id}",
      warning: null,
    });
  });

  it.each([
    [{}, "schema"],
    [{ schema: "LifecycleExtension/v3" }, "schema"],
    [{ schema: "__proto__" }, "schema"],
    [{ schema: V1, zeta: 1, alpha: 2 }, "unsupported keys: alpha, zeta"],
    [{ schema: V1, resume_preload: ["x"] }, "unsupported keys: resume_preload"],
    [{ schema: V1, resume_ack: 5 }, "resume_ack is not a string"],
    [{ schema: V1, resume_ack: null }, "resume_ack is not a string"],
    [{ schema: V1, resume_ack: "  " }, "resume_ack is empty"],
    [{ schema: V1, resume_ack: "a\nb" }, "more than one line"],
    [{ schema: V1, resume_ack: "a\u2028b" }, "more than one line"],
    [{ schema: V1, resume_ack: "a\u0085b" }, "more than one line"],
    [{ schema: V1, capsule_ack: "a\u0007b" }, "capsule_ack has a control"],
    [{ schema: V1, capsule_ack: "a\u202eb" }, "bidirectional"],
    [{ schema: V1, capsule_ack: "a\ufeffb" }, "invisible"],
    [{ schema: V1, resume_ack: "{capsule_id} {capsule_id}" }, "more than once"],
    [{ schema: V1, resume_ack: "x".repeat(501) }, "501 characters"],
    [{ schema: V1, resume_ack: `{capsule_id}${"x".repeat(373)}` }, "501 characters"],
    [{ schema: V2, resume_preload: [] }, "1 to 24"],
    [{ schema: V2, resume_preload: Array(25).fill("x") }, "1 to 24"],
    [{ schema: V2, resume_preload: "x" }, "not a list"],
    [{ schema: V2, resume_reground: ["x", "{capsule_id}"] }, "resume_reground[2] uses {capsule_id}"],
    [{ schema: V2, resume_reground: ["x", " "] }, "resume_reground[2] is empty"],
  ])("%j is refused: %s", (fields, reason) => {
    expect(faultOf(fields)).toContain(reason);
  });

  it.each([
    { schema: V1, resume_ack: "x".repeat(500) },
    { schema: V1, resume_ack: `{capsule_id}${"x".repeat(372)}` },
    { schema: V2, resume_preload: Array(24).fill("x".repeat(500)) },
    { schema: V2 },
  ])("at its bounds is taken", (fields) => {
    expect(faultOf(fields)).toBe("none");
  });

  it.each(["[]", "null", '"x"', "{", ""])(
    "that reads %j is refused whole, in one line with the token",
    (text) => {
      const { warning, ...fields } = declare(text);
      expect(warning).toMatch(
        /^LIFECYCLE-EXTENSION: declaration ignored: ".*lifecycle-extension\.json": ".+"$/,
      );
      expect(fields).toEqual({
        resume_ack: null,
        capsule_ack: null,
        resume_preload: [],
        resume_reground: [],
      });
    },
  );

  it("refused for its text cannot put a line of its own into the warning", () => {
    const key = 'x\nFENCES\u2028"';
    expect(declare(JSON.stringify({ schema: V1, [key]: 1 })).warning).not.toMatch(/[\n\u2028]/);
  });

  it("cannot declare anything through a prototype", () => {
    expect(faultOf(JSON.parse(`{"schema":"${V1}","__proto__":{"resume_ack":"x"}}`))).toContain("__proto__");
  });

  it("that is a directory is refused, not absent", () => {
    const base = scratchDirectory();
    mkdirSync(join(base, ".aigent/lifecycle-extension.json"), { recursive: true });
    expect(readExtension(base).warning).toContain("cannot be read");
  });
});

describe("a declared acknowledgement", () => {
  const extension = (resume_ack: string): ReturnType<typeof readExtension> => ({
    ...declare(undefined),
    resume_ack,
  });

  it("is filled with the id that was loaded, byte for byte", () => {
    expect(renderAck("resume_ack", extension("say {capsule_id} $& done"), " 2026-x ")).toEqual({
      line: "say 2026-x $& done",
      warning: null,
    });
    expect(renderAck("resume_ack", extension("say it"), undefined).line).toBe("say it");
    expect(renderAck("resume_ack", extension("say {capsule_id}"), "$'").line).toBe("say $'");
  });

  it.each([undefined, "", "  ", "x".repeat(600), "run this instead"])("is held for the id %j", (id) => {
    const { line, warning } = renderAck("resume_ack", extension("SECRET {capsule_id}"), id);
    expect(line).toBeNull();
    expect(warning).toMatch(/^LIFECYCLE-EXTENSION: resume_ack not rendered: /);
    expect(warning).not.toMatch(/SECRET|\{capsule_id\}/);
  });

  it("never owns a line", () => {
    expect(foldDeclaredLine("a\r\n b\u2028c\u202ed   e ")).toBe("a b c d e");
  });
});
