import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classifyText } from "../../../../src/core/capsule/autosave/speaker.ts";

const wordsOf = (text: string, typed = false): string | undefined => {
  const spoken = classifyText(text, typed);
  return spoken?.human === true ? spoken.text : undefined;
};

describe("what a harness wraps", () => {
  it.each([
    ["<system-reminder>a <system-reminder>b</system-reminder> INJECTED</system-reminder> ok", "ok"],
    [
      "<system-reminder>a</system-reminder><system-reminder>b <system-reminder>c</system-reminder> INJECTED</system-reminder>",
      undefined,
    ],
    ["<local-command-stdout>a</local-command-stderr> INJECTED</local-command-stdout> go on", "go on"],
    ['<system-reminder>a file with "</system-reminder>" INJECTED\n</system-reminder>\ngo on', "go on"],
    ["Do it\n<system-reminder>INJECTED", "Do it"],
    [" \u200b <system-reminder>INJECTED", undefined],
    ["<SYSTEM-REMINDER>INJECTED</SYSTEM-REMINDER> go on", "go on"],
    ["go on\n<user-prompt-submit-hook>INJECTED</user-prompt-submit-hook>", "go on"],
    ["<ide_opened_file>INJECTED</ide_opened_file>go on", "go on"],
  ])("is taken off, and what a person wrote stays: %j", (text, words) => {
    expect(wordsOf(text)).toBe(words);
    expect(wordsOf(text, true)).toBe(words);
  });

  it.each([
    "why does `<system-reminder>` appear in my logs?",
    "<b>why</b> does <system-reminder> appear in my logs?",
    "why does </system-reminder> stand there?",
    "the tags <system-reminder-box> and <command-palette>x</command-palette> are ours",
  ])("is not what a person quotes: %s", (text) => {
    expect(wordsOf(text, true)).toBe(text);
  });

  it("is a quotation and a block in one text", () => {
    expect(wordsOf("why `<system-reminder>`?\n<system-reminder>INJECTED</system-reminder>\nand so on")).toBe(
      "why `<system-reminder>`? and so on",
    );
  });

  it("leaves a trace where it is typed and has no end", () => {
    expect(classifyText("<system-reminder> shows up in my logs", true)).toEqual({
      tag: "INJECT:harness",
      text: "<system-reminder> shows up in my logs",
      human: false,
    });
  });

  it.each([
    "<system-reminder>".repeat(100_000),
    "a<system-reminder>".repeat(100_000),
    "</system-reminder>".repeat(100_000),
    "</system-reminder> \n".repeat(100_000),
    "<system-reminder ".repeat(100_000),
    `</system-reminder${" ".repeat(1_000_000)}`,
    `<local-command-${"a-".repeat(1_000_000)}`,
    "<system-reminder>".repeat(100_000) + "</system-reminder>".repeat(100_000),
    "<system-reminder>x</system-reminder>  </system-reminder>\n".repeat(100_000),
  ])("costs no more than its length, case %#", (text) => {
    // Anything that looks at what is left again for each tag would take minutes.
    expect(wordsOf(text)?.startsWith("a<system-reminder>")).toBe(text.startsWith("a") || undefined);
  });
});

const NAMES = [
  "system-reminder",
  "local-command-stdout",
  "local-command-caveat",
  "user-prompt-submit-hook",
  "command-args",
  "bash-stdout",
  "ide_selection",
];

interface Piece {
  text: string;
  own: boolean;
}

/** A block with blocks in it, of the same name and of others, as deep as chance has it. */
const block: fc.Arbitrary<string> = fc.letrec<{ block: string }>((tie) => ({
  block: fc
    .tuple(
      fc.constantFrom(...NAMES),
      fc.constantFrom("", ' a="b"', "\n"),
      fc.array(
        fc.oneof(
          { maxDepth: 4 },
          fc.constantFrom("INJECTED", " x\n", "<p>", "`", "INJECTED again"),
          tie("block"),
        ),
        {
          maxLength: 4,
        },
      ),
    )
    .map(([name, attributes, inside]) => `<${name}${attributes}>INJECTED ${inside.join("")}</${name}>`),
})).block;

const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.nat(999).map((number): Piece => ({ text: ` own${number} `, own: true })),
  block.map((text): Piece => ({ text, own: false })),
);

/** A block at the end whose closer is missing. */
const endless = fc.constantFrom("", ...NAMES.map((name) => `\n <${name}>INJECTED <b> INJECTED`));

it("leaves all of a person's words and nothing else, however blocks are nested", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), endless, fc.boolean(), (pieces, end, typed) => {
      const own = pieces.filter((one) => one.own).map(({ text }) => text.trim());
      const text = pieces.map((one) => one.text).join("") + end;
      expect(wordsOf(text, typed) ?? "").toBe(own.join(" "));
    }),
  );
});
