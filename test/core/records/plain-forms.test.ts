import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseRegistration, Registration } from "../../../src/core/journal/registration.ts";
import { OpenEpisode, parseOpenEpisode } from "../../../src/core/records/open-episode.ts";
import { admitFields } from "../../../src/core/records/record-fields.ts";
import { parseFlat } from "../../../src/core/text/flat-yaml.ts";

const whole = {
  schema: "majordomus-registration/v1",
  session_id: "s-20261130160116-0e28",
  provider: "claude-code",
  raw_id: "lantern-1",
  key: "lantern-1",
  worktree_id: "0123456789abcdef",
  worktree: "/hill/mill",
  repository_id: "/hill/mill/.git",
  branch: "main",
  start_head: "NONE",
  start_working_tree: "clean",
  started_at: "2026-11-30T16:01:16Z",
  owner: "miller",
  worker: "w",
  process: { pid: 7, started: null, boot: "b", namespace: "n" },
  continues: { session_id: "s", evidence: "e" },
  ended: "2026-11-30T16:02:16Z",
  end_reason: "done",
};

const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  "text",
  "dirty",
  7,
  1.5,
  true,
  [],
  ["a"],
  {},
  { pid: 7 },
  { session_id: "s", evidence: "e", more: 1 },
  { pid: 2 ** 60, started: "s", boot: null, namespace: null },
);

/** As bytes would show it: the order of the keys counts. */
const shown = (value: unknown): string | undefined => JSON.stringify(value);

test("a registration is read by hand as its schema reads it, whatever a field holds or whether it is there", () => {
  expect(shown(parseRegistration(whole))).toBe(shown(Registration.parse(whole)));
  const changes = fc.dictionary(fc.constantFrom(...Object.keys(whole), "unknown"), odd, { maxKeys: 3 });
  fc.assert(
    fc.property(changes, fc.boolean(), (changed, reversed) => {
      const entries = Object.entries({ ...whole, ...changed }).filter(([, value]) => value !== undefined);
      const value: unknown = Object.fromEntries(reversed ? entries.toReversed() : entries);
      expect(shown(parseRegistration(value))).toBe(shown(Registration.safeParse(value).data));
    }),
  );
});

test.each([null, [], "text", 7, undefined])("%j is no registration", (value) => {
  expect(parseRegistration(value)).toBeUndefined();
});

test("an open file is read by hand as its schema reads it, whatever a line says or whether it is there", () => {
  const names = Object.keys(OpenEpisode.shape);
  const line = fc
    .tuple(
      fc.constantFrom(...names, "unknown"),
      fc.constantFrom("", " s-20261130160116-0e28", " ../up", " 'clean'", " dirty", ' "a: b"', "\n  - one"),
    )
    .map(([name, value]) => `${name}:${value}`);
  const lines = fc.uniqueArray(line, { selector: (text) => text.split(":")[0], maxLength: names.length });
  fc.assert(
    fc.property(lines, fc.boolean(), (some, hasId) => {
      const kept = some.filter((text) => !hasId || !text.startsWith("session_id:"));
      const source = [...(hasId ? ["session_id: s-20261130160116-0e28"] : []), ...kept, ""].join("\n");
      const fields = parseFlat(source);
      const bySchema = fields.ok ? admitFields(OpenEpisode, fields.value) : fields;
      expect(shown(parseOpenEpisode(source))).toBe(shown(bySchema));
    }),
    { numRuns: 300 },
  );
});
