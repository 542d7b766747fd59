import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { parse } from "yaml";

/**
 * What the original can read, by means of the test's own: its shell flattens a subset of YAML line by line, and
 * its ledger has one form of line and a closed vocabulary.
 */

/** Keys of two blanks a level, lists of scalars, and values without a sign that YAML would act on. */
const SUBSET_LINE =
  /^(?: {2})*(?:- (?:"(?:[^"\\]|\\.)*"|[^\s"'{}&*|>#%@`][^\t]*)|[a-z_]+:(?: (?:"(?:[^"\\]|\\.)*"|\[.*\]|[^\s"'[{}&*|>#%@`][^\t]*))?)$/;

const EVENTS: readonly string[] = [
  "task.started",
  "task.checkpoint",
  "task.handed_over",
  "task.finished",
  "decision.recorded",
  "question.opened",
  "question.resolved",
  "session.started",
  "session.closed",
  "provider.event.received",
  "knowledge.derived",
];

const LEDGER_LINE =
  /^\{"ts":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","event":"([a-z._]+)","head":"(?:[0-9a-f]{40}|NONE)","branch":"[^"]+","by":"majordomus\/[^"]+"(?:,"session":"s-\d{14}-[0-9a-f]{4}")?((?:,"[a-z_]+":.+)?)\}$/;

function expectSubset(path: string, yaml: string): void {
  for (const line of yaml.split("\n").filter((text) => text !== "" && !text.startsWith("#"))) {
    expect(line, path).toMatch(SUBSET_LINE);
  }
  // And real YAML: a reader with a library sees no less.
  expect(Object.keys(parse(yaml) as object).length, path).toBeGreaterThan(2);
}

function files(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => /\.(?:md|yaml)$/.test(name) && name !== "README.md")
    .map((name) => join(directory, name));
}

/** @returns how many files were looked at. */
export function expectReadableByTheOriginal(root: string): number {
  const state = join(root, ".ai/local/state");
  const looked = [
    ...["checkpoints", "handovers", "archive", "sessions-open"].flatMap((name) => files(join(state, name))),
    ...files(join(root, ".ai/local/session-contexts")),
    ...["sessions", "knowledge/candidates", "profiles"].flatMap((name) =>
      files(join(root, ".ai/repo", name)),
    ),
    join(state, "current.yaml"),
    join(root, ".ai/repo/policy.yaml"),
    join(root, ".ai/manifest.yaml"),
  ];
  for (const path of looked) {
    const text = readFileSync(path, "utf8");
    const front = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1];
    expect(path.endsWith(".md") ? front : text, path).toBeDefined();
    expectSubset(path, path.endsWith(".md") ? (front ?? "") : text);
  }
  const lines = readFileSync(join(state, "ledger.jsonl"), "utf8").trimEnd().split("\n");
  for (const line of lines) {
    const [, event = "", payload = ""] = LEDGER_LINE.exec(line) ?? [];
    expect(EVENTS, line).toContain(event);
    expect(payload, line).not.toMatch(/,"(?:ts|event|head|branch|by|session)":/);
    expect(line, line).not.toMatch(/\\(?!["\\])/);
  }
  return looked.length;
}
