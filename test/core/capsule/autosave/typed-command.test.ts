import { describe, expect, it } from "vitest";
import { classifyText, isSubstantive } from "../../../../src/core/capsule/autosave/speaker.ts";
import { typedCommand } from "../../../../src/core/capsule/autosave/typed-command.ts";
import { converse } from "./support.ts";

const slash = (name: string, told: string): string =>
  `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${told}</command-args>`;

describe("what a person typed as a command", () => {
  it("is a line of theirs, with what the command was told, and no objective", () => {
    const talk = converse();
    talk.say("Move the parser to streaming reads");
    talk.say(slash("fix", "the login page must redirect to where one came from"));
    talk.say("<bash-input>npm run tides</bash-input>");
    talk.capture();
    expect(talk.section("Done").join("\n")).toMatch(
      /\[OPERATOR\] \/fix the login page must redirect to where one came from$/m,
    );
    expect(talk.section("Done").join("\n")).toMatch(/\[OPERATOR\] ! npm run tides$/m);
    expect(talk.field("objective")).toBe('"Move the parser to streaming reads"');
  });

  it("is known in either order of its tags", () => {
    const told = "<command-name>/fix</command-name><command-message>fix</command-message>";
    expect(typedCommand(`${told}<command-args>it now</command-args>`)).toBe("/fix it now");
    expect(typedCommand(slash("plugin:fix", "it"))).toBe("/plugin:fix it");
  });

  it.each([
    ["a command alone", slash("clear", "")],
    ["a command without a name", "<command-message>x</command-message><command-args>told</command-args>"],
    ["a name that is none", `<command-name>a b\u001b</command-name><command-args>told</command-args>`],
    ["nothing for the shell", "<bash-input> </bash-input>"],
    ["what the shell said", "<bash-stdout>told</bash-stdout>"],
    ["a tag without its closer", "<command-name>/fix</command-name><command-args>told"],
    ["a quotation", "Why does <command-args>told</command-args> stand there"],
  ])("is not %s", (_, text) => {
    expect(typedCommand(text)).toBeUndefined();
  });

  it("takes off what was injected into it, and is injected as a whole where its row is", () => {
    const text = slash("fix", "the page <system-reminder>INJECTED</system-reminder> please, all of it");
    const said = classifyText(text);
    expect(said).toEqual({ tag: "OPERATOR", text: "/fix the page please, all of it", human: true });
    expect(said !== undefined && isSubstantive(said)).toBe(false);
    const talk = converse();
    talk.say(slash("fix", "everything at once and now"), { turnOrigin: "agent" });
    talk.capture();
    expect(talk.section("Done").join("\n")).toContain("[INJECT:harness] /fix everything at once and now");
  });

  it("takes no longer than the text is long", () => {
    const hostile = "<command-name>".repeat(100_000);
    expect(typedCommand(hostile)).toBeUndefined();
    expect(typedCommand(`<bash-input>${hostile}`)).toBeUndefined();
  });
});
