import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BLOCK_TOKENS,
  blockTokenOf,
  fillInline,
  INLINE_TOKENS,
  judgeTokens,
  parsePrompt,
} from "../../../src/core/records/prompt-file.ts";

function prompt(body: string): string {
  return `---\nname: review\ndescription: judge a change: all of it\nprofile: debugging\n---\n${body}`;
}

describe("a prompt's file", () => {
  it("has a head and a body", () => {
    const parsed = parsePrompt(prompt("\nLook at {{TASK}}.\n"), "/x/review.md");
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        name: "review",
        description: "judge a change: all of it",
        profile: "debugging",
        body: "\nLook at {{TASK}}.\n",
        firstLine: 6,
      },
    });
  });

  it.each([
    ["no head\n", "no front matter"],
    ["---\ndescription: x\n---\n", "name: missing"],
    ["---\nname: other\n---\n", "is not the file's name, review"],
    ["---\nname: [review]\n---\n", "name:"],
  ])("%j is none", (source, reason) => {
    const parsed = parsePrompt(source, "/x/review.md");
    expect(parsed.ok ? "" : parsed.error).toContain(reason);
  });
});

describe("tokens", () => {
  it("may stand in a line, or alone on one, by their kind", () => {
    const inline = INLINE_TOKENS.map((token) => `a {{${token}}} b`).join("\n");
    const blocks = BLOCK_TOKENS.map((token) => `  {{${token}}}  `).join("\n");
    expect(judgeTokens({ body: `${inline}\n${blocks}\n`, firstLine: 1 })).toEqual([]);
  });

  it.each([
    ["{{TEA}}", "{{TEA}} is not a token"],
    ["{{task}}", "{{task}} is not a token"],
    ["{{ TASK }}", "{{ TASK }} is not a token"],
    ["{{}}", "{{}} is not a token"],
    ["see {{CONTEXT}}", "{{CONTEXT}} must stand alone on its line"],
    ["{{HANDOVER}} {{TASK}}", "{{HANDOVER}} must stand alone on its line"],
    ["{{__proto__}}", "{{__proto__}} is not a token"],
  ])("%s: %s", (line, message) => {
    expect(judgeTokens({ body: `fine\n${line}\n`, firstLine: 5 })).toEqual([{ line: 6, message }]);
  });

  it("are filled once: a value's own braces are text", () => {
    expect(fillInline("{{TASK}} on {{BRANCH}}", (token) => `<{{${token}}}>`)).toBe(
      "<{{TASK}}> on <{{BRANCH}}>",
    );
    expect(fillInline("$& {{TASK}} $1", () => "$& $`")).toBe("$& $& $` $1");
  });

  it("leave every text alone that has none", () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        fc.pre(!line.includes("{{"));
        expect(fillInline(line, () => "x")).toBe(line);
        expect(blockTokenOf(line)).toBeUndefined();
        expect(judgeTokens({ body: line, firstLine: 1 })).toEqual([]);
      }),
    );
  });
});
