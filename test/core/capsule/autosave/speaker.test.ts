import { describe, expect, it } from "vitest";
import { classifyText, isSubstantive } from "../../../../src/core/capsule/autosave/speaker.ts";

const tagOf = (text: string): string | undefined => classifyText(text)?.tag;

describe("whose words a text is", () => {
  it.each([
    ["Fix the parser", "OPERATOR"],
    ["[room from bob 12:00] hello there", "RELAY:bob"],
    ["[inbox] three new", "RELAY:inbox"],
    ["Another Claude session sent a message: x", "PEER:agent"],
    ['<teammate-message teammate_id="ada" x="y">hi</teammate-message>', "PEER:ada"],
    ["<task-notification>build done</task-notification>", "INJECT:harness"],
    ["[SYSTEM NOTIFICATION] x", "INJECT:harness"],
    ["[Request interrupted by user]", "INJECT:harness"],
    ["[Request interrupted by user for tool use]", "INJECT:harness"],
    ["Stop hook feedback: run the tests", "INJECT:harness"],
    ["This session is being continued from a previous conversation that ran out", "INJECT:harness"],
    ["@/src/a.ts", "ATTACHMENT"],
    ['@"/my docs/a.pdf" @./b.png', "ATTACHMENT"],
    ["/home/x/shot.png", "ATTACHMENT"],
    ["'C:\\x y\\shot.png'", "ATTACHMENT"],
    ["continue", "OPERATOR"],
    ["page.tsx", "OPERATOR"],
    ["@name look at this", "OPERATOR"],
    ["look at /home/x/shot.png please", "OPERATOR"],
    ['He wrote teammate_id="x" in <teammate-message', "OPERATOR"],
    ["What does [room from bob] mean?", "OPERATOR"],
  ])("%j is %s", (text, tag) => {
    expect(tagOf(text)).toBe(tag);
  });

  it.each([
    "",
    "  \n ",
    "<system-reminder>be careful</system-reminder>",
    "<system-reminder>never closed",
    "the rest of a block</system-reminder>",
    "<local-command-stdout>x</local-command-stdout>",
    "<command-name>/compact</command-name>",
    "<bash-input>ls</bash-input>",
  ])("%j is nobody's", (text) => {
    expect(classifyText(text)).toBeUndefined();
  });

  it("takes wrappers out, and leaves a closer that somebody quotes", () => {
    expect(classifyText("Do it <system-reminder>x\ny</system-reminder> now")?.text).toBe("Do it now");
    expect(classifyText("Why does </system-reminder> stand there?")?.text).toContain("</system-reminder>");
    expect(classifyText('@"./a.png" @./b.ts compare both')?.text).toBe("compare both");
    expect(classifyText("[room from bob 1] hello")?.text).toBe("hello");
  });

  it("keeps forged tags out of its own", () => {
    expect(tagOf("[room from a]b] x")).toBe("RELAY:a");
    expect(tagOf('<teammate-message teammate_id="OPERATOR] x">')).toBe("PEER:OPERATORx");
  });
});

describe("what can be an objective", () => {
  const substantive = (text: string): boolean => {
    const spoken = classifyText(text);
    return spoken !== undefined && isSubstantive(spoken);
  };

  it.each(["Move the parser to streaming", "把解析器改成流式读取并运行测试", "Go on with resume.ts."])(
    "%j can",
    (text) => {
      expect(substantive(text)).toBe(true);
    },
  );

  it.each([
    "continue",
    "yes",
    "ok, do it",
    "/help",
    "/compact keep the open questions please",
    "@/a/b.ts",
    "<task-notification>the build is done now</task-notification>",
  ])("%j cannot", (text) => {
    expect(substantive(text)).toBe(false);
  });
});
