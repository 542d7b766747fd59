import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findWorkingContext,
  formatCloseSection,
  formatNote,
  formatWorkingContext,
  parseWorkingContext,
} from "../../../src/core/records/working-context.ts";
import { temporaryDirectory } from "./fixtures.ts";

const facts = {
  session_id: "s-20260904153733-fc51",
  opened_at: "2026-09-04T15:37:33Z",
  provider: "claude-code",
  provider_session: "cc-1",
  branch: "main",
  head: "b9469a95e64ad83017429739bd95b527100cdfec",
  task_id: "none",
  profile: "none",
  worker: 'tool "1"',
};
const close = {
  closed_at: "2026-09-04T17:14:02Z",
  outcome: "closed",
  head: "b9469a9",
  record: ".ai/repo/sessions/x.md",
};

describe("a working context", () => {
  test("is written at the opening, grows by appending, and is closed once", () => {
    const opened = formatWorkingContext(facts, "# Majordomus context\n\n## GIT\n\n");
    const document = opened + formatNote("first line\n## not a heading\n") + formatCloseSection(close);
    expect(document).toBe(
      [
        "---",
        "schema: session-context/v1",
        "kind: session-context",
        "session_id: s-20260904153733-fc51",
        "opened_at: 2026-09-04T15:37:33Z",
        "opened_by: hook",
        "provider: claude-code",
        'provider_session: "cc-1"',
        "branch: main",
        "head: b9469a95e64ad83017429739bd95b527100cdfec",
        "task_id: none",
        "profile: none",
        'worker: "tool \\"1\\""',
        "---",
        "",
        "# Working context of session s-20260904153733-fc51",
        "",
        "## Context at open",
        "",
        "# Majordomus context",
        "",
        "## GIT",
        "",
        "## Notes",
        "",
        "- first line",
        "  ## not a heading",
        "",
        "## Close",
        "",
        "- closed_at: 2026-09-04T17:14:02Z",
        "- outcome: closed",
        "- head: b9469a9",
        "- record: .ai/repo/sessions/x.md",
        "",
      ].join("\n"),
    );
    expect(parseWorkingContext(opened)).toMatchObject({
      ok: true,
      value: { identity: { ...facts, opened_by: "hook" }, closed: false },
    });
    expect(parseWorkingContext(document)).toMatchObject({ value: { closed: true } });
  });

  test("opened by hand names no provider", () => {
    const { provider: _, provider_session: __, worker: ___, ...byHand } = facts;
    const document = formatWorkingContext(byHand, "context");
    expect(document).not.toMatch(/provider|worker/);
    expect(parseWorkingContext(document)).toMatchObject({ value: { identity: { opened_by: "hand" } } });
  });

  test("without a head is read, so that it can be labelled unknown; another schema is not", () => {
    const document = formatWorkingContext(facts, "context");
    const headless = parseWorkingContext(document.replace(/^head: .*\n/m, ""));
    expect(headless.ok && "head" in headless.value.identity).toBe(false);
    expect(parseWorkingContext(document.replace("session-context/v1", "session-context/v2"))).toEqual({
      ok: false,
      error: "schema: not session-context/v1 (session-context/v2)",
    });
  });

  test("a note can never add a heading", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("#- a\n\r")) }), (note) => {
        const document = formatWorkingContext(facts, "context") + formatNote(note);
        expect(document.split(/\r\n|\n|\r/).filter((line) => line.startsWith("#"))).toHaveLength(3);
      }),
    );
  });

  test("is found by the id in its name, the newest first", () => {
    const directory = temporaryDirectory();
    for (const name of ["20260101T000000Z--s-1.md", "20260102T000000Z--s-1.md", "20260103T000000Z--s-10.md"])
      writeFileSync(join(directory, name), "");
    writeFileSync(join(directory, ".session-context.log"), "");
    expect(findWorkingContext(directory, "s-1")).toBe(join(directory, "20260102T000000Z--s-1.md"));
    expect(findWorkingContext(directory, "s-2")).toBeUndefined();
    expect(findWorkingContext(join(directory, "absent"), "s-1")).toBeUndefined();
  });
});
