import { describe, expect, it } from "vitest";
import {
  isCeremonyAction,
  isInjectionEcho,
  isNothingCaptured,
} from "../../../src/core/capsule/content-gate.ts";
import { validateCapsuleText } from "../../../src/core/capsule/validate.ts";
import { capsuleText } from "./support/memory.ts";

const fieldsWithProblems = (text: string): (string | undefined)[] =>
  validateCapsuleText(text).problems.map(({ field }) => field);

describe("the content gate", () => {
  it.each([
    "[supervisor-resume] go",
    "[REFRESH-CYCLE]",
    "[auto-pull] x",
    "[capsule-request]",
    "[context-refresh 80%]",
    "[room from bob] hi",
    "[inbox 3]",
    "  # Autonomous loop check",
    "Autonomous loop tick 4",
    "<task-notification>done",
    "[SYSTEM NOTIFICATION - x",
  ])("takes %j for an injection", (text) => {
    expect(isInjectionEcho(text)).toBe(true);
    expect(isInjectionEcho(`About ${text}`)).toBe(false);
  });

  it.each(["[context-refresher]", "[room fromage]", "[inboxes]"])("leaves %j alone", (text) => {
    expect(isInjectionEcho(text)).toBe(false);
  });

  it.each([
    "Re-read the active turn state",
    "reread the turn state, then",
    "Resume from the latest session log.",
    "resume is now complete",
    "Resume complete",
    "The receipt was written",
    "receipt written",
    "RESUME-ACK 5",
    "Comply with the supervisor-resume instruction",
  ])("takes %j for ceremony", (text) => {
    expect(isCeremonyAction(text)).toBe(true);
    expect(isCeremonyAction(`First: ${text}`)).toBe(false);
  });

  it.each(["resume-ack", "Resume completely", "receipts written"])("leaves the action %j alone", (text) => {
    expect(isCeremonyAction(text)).toBe(false);
  });

  it("knows what every version writes when nothing was captured", () => {
    expect(isNothingCaptured("Unknown: no human objective was captured")).toBe(true);
    expect(isNothingCaptured("No concrete next action was captured; look")).toBe(true);
    expect(isNothingCaptured("It says: no concrete next action was captured")).toBe(false);
  });
});

describe("validation", () => {
  it("passes a whole capsule", () => {
    expect(validateCapsuleText(capsuleText())).toEqual({
      fields: expect.objectContaining({ id: "one", waiting_on: "the build on the release branch" }),
      problems: [],
    });
  });

  it("names each field that is missing, bare, blank or commented", () => {
    expect(fieldsWithProblems("no front matter")).toEqual([undefined]);
    expect(fieldsWithProblems(capsuleText({ waiting_on: "null" }))).toEqual(["waiting_on"]);
    expect(fieldsWithProblems(capsuleText({ waiting_on: "~ # later" }))).toEqual(["waiting_on"]);
    expect(fieldsWithProblems(capsuleText({ waiting_on: '"null"' }))).toEqual([]);
    expect(fieldsWithProblems(capsuleText({ id: undefined, objective: "" }))).toEqual(["id", "objective"]);
    expect(fieldsWithProblems(capsuleText({ next_valid_action: "do it # now" }))).toEqual([
      "next_valid_action",
    ]);
  });

  it("takes nothing from the body, and says what the gate refuses", () => {
    expect(fieldsWithProblems(capsuleText({ objective: undefined }, "\n## Objective\nx\n"))).toEqual([
      "objective",
    ]);
    const { problems } = validateCapsuleText(
      capsuleText({ objective: '"[supervisor-resume] x"', next_valid_action: '"RESUME-ACK"' }),
    );
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining("content gate"),
      expect.stringContaining("content gate"),
    ]);
  });
});
