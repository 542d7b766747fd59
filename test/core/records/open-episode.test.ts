import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDocument } from "yaml";
import type { OpenEpisode } from "../../../src/core/records/open-episode.ts";
import {
  formatOpenEpisode,
  listOpenEpisodes,
  parseOpenEpisode,
} from "../../../src/core/records/open-episode.ts";
import { ORIGINAL_STATE, temporaryDirectory, textsOf } from "./fixtures.ts";

const originals = textsOf(join(ORIGINAL_STATE, "sessions-open"), ".yaml");

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom('a "b" \\ c', "x: y", "# z", "true"),
);
const optionalText = fc.option(text, { nil: undefined });
const facts = fc.record({
  session_id: fc.constantFrom("s-20260904153733-fc51", "s-dup-0001"),
  started_at: fc.constant("2026-09-04T15:37:33Z"),
  owner: text,
  worker: optionalText,
  provider: optionalText,
  provider_session: optionalText,
  repository_id: text,
  worktree: text,
  branch: text,
  start_head: fc.constantFrom("NONE", "7".repeat(40), "81f20b1a13c5e130499328b98827c2c46e003904"),
  start_working_tree: fc.constantFrom("clean" as const, "dirty" as const),
});

/** An episode as the type allows it: what is not there has no key. */
function withoutAbsent(given: Record<string, unknown>): OpenEpisode {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as OpenEpisode;
}

function oneLine(value: string | undefined): string | undefined {
  return value?.replaceAll(/[\r\n]/g, "");
}

describe("an open episode", () => {
  test.each(originals)("%s of the original is read and written byte for byte", (_, original) => {
    const episode = parseOpenEpisode(original);
    expect(episode.ok && formatOpenEpisode(episode.value)).toBe(original);
  });

  test("comes back as it was written, line breaks of quoted values apart, and is real YAML", () => {
    fc.assert(
      fc.property(facts, (given) => {
        const episode = withoutAbsent(given);
        const written = formatOpenEpisode(episode);
        const expected = withoutAbsent({
          ...episode,
          owner: oneLine(episode.owner),
          worker: oneLine(episode.worker),
          provider: oneLine(episode.provider),
          provider_session: oneLine(episode.provider_session),
        });
        expect(parseOpenEpisode(written)).toEqual({ ok: true, value: expected });
        expect(parseDocument(written, { schema: "failsafe" }).toJS()).toEqual(expected);
      }),
    );
  });

  test("needs no more than its id; what is not said is empty", () => {
    expect(parseOpenEpisode("session_id: s-1\nlater_key: kept aside\n")).toMatchObject({
      value: { session_id: "s-1", started_at: "", worktree: "", branch: "", start_working_tree: "" },
    });
  });

  test.each([
    ["owner: x\n", "session_id: missing"],
    ['session_id: ""\n', "session_id: not a session id ()"],
    ["session_id: ../../x\n", "session_id: not a session id (../../x)"],
    ["session_id: s-1\nstart_working_tree: odd\n", "start_working_tree: not clean or dirty (odd)"],
    ["session_id: s-1\nbranch:\n  - a\n", "branch: not a single value ([a])"],
    ["session_id: s-1\nsession_id: s-2\n", "line 2 (session_id): the key stands twice"],
    ["session_id: s-1\n\u001b[2J\n", "line 2 (session_id): neither `key: value` nor a list item"],
    ["", "session_id: missing"],
  ])("%j is refused: %s", (source, reason) => {
    expect(parseOpenEpisode(source)).toEqual({ ok: false, error: reason });
  });
});

describe("listOpenEpisodes", () => {
  test("lists episodes by key, reports what is none, passes by what never was", () => {
    const directory = temporaryDirectory();
    for (const [name, source] of originals) writeFileSync(join(directory, name), source);
    writeFileSync(join(directory, "broken.yaml"), "owner: nobody\n");
    mkdirSync(join(directory, "folder.yaml"));
    for (const name of [".tmp.x1", "cc-1.yaml.mj-tmp", "README.md", ".hidden.yaml"])
      writeFileSync(join(directory, name), "x");
    const { episodes, findings } = listOpenEpisodes(directory);
    expect(episodes.map(({ key, path, episode }) => [key, path, episode.session_id])).toEqual([
      ["cc-1", join(directory, "cc-1.yaml"), "s-20260907070000-9d9d"],
      ["hand", join(directory, "hand.yaml"), "s-20260907070000-1212"],
    ]);
    expect(findings).toEqual([
      { path: join(directory, "broken.yaml"), reason: "session_id: missing" },
      { path: join(directory, "folder.yaml"), reason: "is a directory, not a regular file" },
    ]);
  });

  test("an absent store has none", () => {
    expect(listOpenEpisodes(join(temporaryDirectory(), "absent"))).toEqual({ episodes: [], findings: [] });
  });
});
