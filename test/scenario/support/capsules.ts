import { appendFileSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Place } from "./place.ts";

/** The capsules of a place's work tree, seen by means of the test's own. */
export interface Vault {
  memory: string;
  directory: string;
  put(name: string, fields?: Readonly<Record<string, string | undefined>>, body?: string): void;
  raw(name: string, content: string | Buffer): void;
  names(): string[];
  text(name: string): string;
  /** The status line of each file that has one. */
  statuses(): Record<string, string>;
}

/** An ISO stamp so many hours ago by the machine's own clock, which the hooks go by. */
export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString();
}

/** A whole capsule, with some fields changed or left out. */
export function capsuleText(
  name: string,
  fields: Readonly<Record<string, string | undefined>> = {},
  body = "\nBody.\n",
): string {
  const all: Record<string, string | undefined> = {
    id: JSON.stringify(name.replace(/\.md$/i, "")),
    status: "active",
    objective: '"Move the parser to streaming reads"',
    waiting_on: '"the build on the release branch"',
    next_valid_action: '"Run the suite again"',
    created_at: hoursAgo(3),
    ...fields,
  };
  const lines = Object.entries(all).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${value}`],
  );
  return ["---", ...lines, "---", body].join("\n");
}

export function vaultOf(place: Pick<Place, "root">, memory = ".ai/local/memory"): Vault {
  const root = join(place.root, memory);
  const directory = join(root, "capsules");
  const vault: Vault = {
    memory: root,
    directory,
    put: (name, fields, body) => vault.raw(name, capsuleText(name, fields, body)),
    raw: (name, content) => {
      mkdirSync(directory, { recursive: true });
      writeFileSync(join(directory, name), content);
    },
    names: () => {
      try {
        return readdirSync(directory).filter((name) => name.toLowerCase().endsWith(".md"));
      } catch {
        return [];
      }
    },
    text: (name) => readFileSync(join(directory, name), "utf8"),
    statuses: () =>
      Object.fromEntries(
        vault.names().flatMap((name) => {
          // A FIFO would hold the test for ever.
          if (!lstatSync(join(directory, name)).isFile()) return [];
          const status = /^status: (.*)$/m.exec(vault.text(name))?.[1];
          return status === undefined ? [] : [[name, status]];
        }),
      ),
  };
  return vault;
}

/** A transcript of a place that a test writes row by row. */
export interface Transcript {
  path: string;
  say(text: string): void;
  add(...rows: object[]): void;
}

export function newTranscript(place: Pick<Place, "directory">, name = "transcript.jsonl"): Transcript {
  const path = join(place.directory, name);
  writeFileSync(path, "");
  const add = (...rows: object[]): void =>
    appendFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return {
    path,
    add,
    say: (text) =>
      add({ type: "user", timestamp: new Date().toISOString(), message: { role: "user", content: text } }),
  };
}

/** Waits until the detached worker has written what the test looks for. */
export function eventually(look: () => void): Promise<void> {
  return vi.waitFor(look, { timeout: 30_000, interval: 50 });
}

/** The id of the capsule that a procedure tells of; undefined where it tells of none. */
export function loadedIn(stdout: string): string | undefined {
  const shown = /^ {2}capsule id: (".*")$/m.exec(stdout)?.[1];
  return shown === undefined ? undefined : (JSON.parse(shown) as string);
}

/** How many files a procedure says were not selected. */
export function notSelectedIn(stdout: string): number {
  return Number(/CAPSULES NOT SELECTED \((\d+) in all\)/.exec(stdout)?.[1] ?? 0);
}

/** No line of a text stands there but those that we began, and nothing in it moves a cursor. */
export function expectHarmless(text: string): void {
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u{e0001}-\u{e007f}]/u);
}
