import { expect, it } from "vitest";
import { refuseUnportable, writtenTexts } from "../../../src/core/continuity/departure.ts";
import { findUnportable, textsOf } from "../../../src/core/continuity/portable.ts";
import { RECORD_SCHEMA } from "../../../src/core/continuity/record.ts";
import type { ContinuityRecord } from "../../../src/core/continuity/record.ts";

/** A record that has every field of the format, and nothing that may not travel. */
const WHOLE: ContinuityRecord = {
  schema: RECORD_SCHEMA,
  repository: "a".repeat(32),
  device: { node: "b".repeat(32), label: "laptop" },
  session: "s-20261003170000-fc51",
  episode: "open",
  line: "c".repeat(32),
  parent: "d".repeat(32),
  published_at: "2026-10-03T18:00:00Z",
  producer: "majordomus/0.1.0",
  source: {
    branch: "main",
    head: "e".repeat(40),
    working_tree: "dirty",
    changed: ["lib/a.ts"],
    changed_total: 1,
    fingerprint: "f".repeat(32),
  },
  task: {
    id: "t-20261003180000-0a1b",
    title: "a title",
    profile: "routine",
    scope: ["lib"],
    outcome: "active",
  },
  decisions: [{ title: "a decision", text: "Why: x\n" }],
  handover: {
    id: "0".repeat(32),
    task: "t-20261003180000-0a1b",
    issue: "#1",
    milestone: "M1",
    branch: "main",
    head: "e".repeat(40),
    created_at: "2026-10-03T18:00:00Z",
    name: "20261003T180000Z--main--eeeeeee--0000000000000000.md",
    body: "# Objective\n\nx\n",
  },
};

const FIELDS = textsOf(WHOLE).map(({ pointer }) => pointer);

/** The same record with another text at one pointer. */
function withText(pointer: string, text: string): ContinuityRecord {
  const copy = structuredClone(WHOLE);
  const keys = pointer.split("/").slice(1);
  const last = keys.pop() ?? "";
  let at: unknown = copy;
  for (const key of keys) at = (at as Record<string, unknown>)[key];
  (at as Record<string, string>)[last] = text;
  return copy;
}

const PLACE = {
  checkout: {
    environment: { HOME: "/srv/people/wren", DEPLOY_TOKEN: "three blind mice" },
    root: "/srv/people/wren/tidepool",
  },
} as unknown as Parameters<typeof refuseUnportable>[0];

it("there is a text in each field of the format, and none of them is refused", () => {
  expect(FIELDS).toHaveLength(31);
  expect(() => refuseUnportable(PLACE, WHOLE)).not.toThrow();
  // Those that people and tools wrote are looked at by other people's rules too.
  expect([...writtenTexts(WHOLE).values()]).toEqual(
    expect.arrayContaining(["/source/changed/0", "/task/title", "/decisions/0/text", "/handover/body"]),
  );
});

const TOKEN = `ghp_${"A1b2".repeat(9)}`;
const BAD: readonly [what: string, text: string, code: string, atReading: boolean][] = [
  ["a token", `see ${TOKEN}`, "continuity.secret", true],
  ["a token over two lines", `${TOKEN.slice(0, 7)}\n  ${TOKEN.slice(7)}`, "continuity.secret", false],
  ["a secret variable's value", "say three blind mice", "continuity.secret", false],
  ["a URL with a password", "https://wren:hunter2@example.org/x", "continuity.secret", false],
  ["a path of a home", "in /home/wren/app", "continuity.nonportable_field", true],
  ["a directory of this machine", "/srv/people/wren/tidepool/src", "continuity.nonportable_field", false],
];

it.each(BAD)("%s is refused in every field, which is named, and its value is not", (_, text, code, read) => {
  for (const pointer of FIELDS) {
    const record = withText(pointer, text);
    const thrown = ((): unknown => {
      try {
        refuseUnportable(PLACE, record);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(thrown, pointer).toMatchObject({ code, exit: 10, subject: pointer });
    const { message } = thrown as Error;
    for (const secret of ["A1b2", "mice", "hunter2", "wren"]) expect(message, pointer).not.toContain(secret);
    // Who reads refuses by the fixed table alone.
    const found = findUnportable(record);
    if (read) expect(found?.pointer, pointer).toBe(pointer);
    else if (!/changed|scope/.test(pointer)) expect(found, pointer).toBeUndefined();
  }
});
