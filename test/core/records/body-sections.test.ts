import { describe, expect, it } from "vitest";
import { missingSections, sectionLines, withoutSection } from "../../../src/core/records/body-sections.ts";

const REQUIRED = ["Objective", "Current State", "Next Action"];

describe("sections of a body", () => {
  it.each([
    ["all three", "# Objective\na\n# Current State\nb\n# Next Action\nc\n", []],
    ["with CRLF", "# Objective\r\na\r\n# Current State\r\nb\r\n# Next Action\r\nc\r\n", []],
    ["none", "", REQUIRED],
    ["an empty one", "# Objective\n\n# Current State\nb\n# Next Action\n   \n", ["Objective", "Next Action"]],
    [
      "a placeholder",
      "# Objective\n<what>\n# Current State\nb\n# Next Action\n <todo> \n",
      ["Objective", "Next Action"],
    ],
    [
      "a placeholder beside text",
      "# Objective\n<what>\nreally\n# Current State\nb\n# Next Action\n<a> b\n",
      [],
    ],
    ["a deeper level", "## Objective\na\n# Current State\nb\n# Next Action\nc\n", ["Objective"]],
    ["another case", "# objective\na\n# Current State\nb\n# Next Action\nc\n", ["Objective"]],
    [
      "a shell comment inside a fence",
      "# Objective\n```\n# Current State\n```\n# Next Action\nc\n",
      ["Current State"],
    ],
    [
      "the second of two is filled",
      "# Objective\n# Objective\na\n# Current State\nb\n# Next Action\nc\n",
      [],
    ],
    ["a fence that is never closed", "# Objective\n```\n# Current State\nb\n# Next Action\nc\n", []],
  ])("missing of %s", (_, body, missing) => {
    expect(missingSections(body, REQUIRED)).toEqual(missing);
  });

  it("keeps inner blank lines and trims outer ones", () => {
    const body = "# A\n\n\none\n\ntwo\n\n# B\nx\n";
    expect(sectionLines(body, "A")).toEqual(["one", "", "two"]);
    expect(sectionLines(body, "C")).toBeUndefined();
    expect(withoutSection(body, "A")).toEqual(["# B", "x"]);
    expect(withoutSection(body, "C")).toEqual(["# A", "", "", "one", "", "two", "", "# B", "x"]);
  });

  it("does not end a section at a comment of a shell", () => {
    const body = "# Next Action\n```sh\n# build first\nmake\n```\nthen test\n# Notes\n";
    expect(sectionLines(body, "Next Action")).toEqual(["```sh", "# build first", "make", "```", "then test"]);
  });
});
