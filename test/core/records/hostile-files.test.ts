import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listOpenEpisodes } from "../../../src/core/records/open-episode.ts";
import { listClosedSessions } from "../../../src/core/records/session-store.ts";
import { newestRecords } from "../../../src/core/records/work-record-store.ts";
import { ORIGINAL_SESSIONS, ORIGINAL_STATE, temporaryDirectory, textsOf } from "./fixtures.ts";

interface Listing {
  kept: number;
  skipped: { path: string; reason: string }[];
}

/** Every store that reads a directory of files which somebody else may have filled. */
const STORES = [
  {
    kind: "closed sessions",
    from: ORIGINAL_SESSIONS,
    suffix: ".md",
    list: (directory: string): Listing => {
      const { records, skipped } = listClosedSessions(directory);
      return { kept: records.length, skipped };
    },
  },
  {
    kind: "handovers",
    from: join(ORIGINAL_STATE, "handovers"),
    suffix: ".md",
    list: (directory: string): Listing => {
      const { candidates, skipped } = newestRecords(directory, () => 0);
      return { kept: candidates.length, skipped };
    },
  },
  {
    kind: "open episodes",
    from: join(ORIGINAL_STATE, "sessions-open"),
    suffix: ".yaml",
    list: (directory: string): Listing => {
      const { episodes, findings } = listOpenEpisodes(directory);
      return { kept: episodes.length, skipped: findings };
    },
  },
];

/** What is put in a record's place, made from a good text, and what must be said about it. */
const HOSTILE: Record<string, { put: (path: string, good: string) => void; reason: RegExp }> = {
  nul: {
    put: (path, good) => writeFileSync(path, good.replace("branch: main", "branch: ma\0in")),
    reason: /^line \d+ \(branch\): a NUL character$/,
  },
  "invalid-utf8": {
    put: (path, good) =>
      writeFileSync(path, Buffer.concat([Buffer.from(good), Buffer.from([0xff, 0xfe, 0x0a])])),
    reason: /^is not valid UTF-8$/,
  },
  "duplicate-key": {
    put: (path, good) => writeFileSync(path, good.replace("branch: main\n", "branch: main\nbranch: other\n")),
    reason: /^line \d+ \(branch\): the key stands twice$/,
  },
  nested: {
    put: (path, good) => writeFileSync(path, good.replace("branch: main\n", "branch:\n  a: 1\n")),
    reason: /^line \d+ \(branch\): neither `key: value` nor a list item$/,
  },
  "alias-bomb": {
    put: (path, good) => writeFileSync(path, good.replace("branch: main\n", "branch: &a [*a,*a,*a]\n")),
    reason: /^line \d+ \(branch\): not a plain value, a quoted value or a list$/,
  },
  "wrong-type": {
    put: (path, good) => writeFileSync(path, good.replace("branch: main\n", "branch:\n  - main\n")),
    reason: /^branch: not a single value \(\[main\]\)$/,
  },
  empty: {
    put: (path) => writeFileSync(path, ""),
    reason: /^(?:no front matter: line 1 is not ---|session_id: missing)$/,
  },
  huge: {
    put: (path, good) => {
      writeFileSync(path, good);
      truncateSync(path, 50 * 1024 * 1024);
    },
    reason: /^is larger than 1048576 bytes$/,
  },
  directory: { put: (path) => mkdirSync(path), reason: /^is a directory, not a regular file$/ },
  fifo: { put: (path) => execFileSync("mkfifo", [path]), reason: /^is a FIFO, not a regular file$/ },
  link: {
    put: (path) => symlinkSync("/etc/hosts", path),
    reason: /^is a symbolic link, not a regular file$/,
  },
  loop: { put: (path) => symlinkSync(path, path), reason: /^is a symbolic link, not a regular file$/ },
  device: {
    put: (path) => symlinkSync("/dev/zero", path),
    reason: /^is a symbolic link, not a regular file$/,
  },
};

/** Odd, and still the same record. */
const TOLERATED: Record<string, (good: string) => string> = {
  crlf: (good) => good.replaceAll("\n", "\r\n"),
  "byte-order-mark": (good) => `\ufeff${good}`,
};

describe.each(STORES)("$kind among hostile files", ({ from, suffix, list }) => {
  const good = textsOf(from, suffix)[0]?.[1] ?? "";

  test("each one is skipped with its reason, and the rest goes on", () => {
    const directory = temporaryDirectory();
    cpSync(from, directory, { recursive: true });
    const { kept } = list(directory);
    for (const [name, { put }] of Object.entries(HOSTILE)) put(join(directory, `${name}${suffix}`), good);
    const listing = list(directory);
    expect(listing.kept).toBe(kept);
    const reasons = new Map(listing.skipped.map(({ path, reason }) => [path, reason]));
    expect(reasons.size).toBe(Object.keys(HOSTILE).length);
    for (const [name, { reason }] of Object.entries(HOSTILE))
      expect(`${name}: ${reasons.get(join(directory, `${name}${suffix}`))}`).toMatch(
        new RegExp(`^${name}: (?:${reason.source.slice(1, -1)})$`),
      );
  });

  test.each(Object.keys(TOLERATED))("%s is read", (name) => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, `x${suffix}`), TOLERATED[name]?.(good) ?? "");
    expect(list(directory)).toEqual({ kept: 1, skipped: [] });
  });

  test("__proto__ in a record touches nothing", () => {
    const directory = temporaryDirectory();
    const polluted = good.replace("branch: main\n", "branch: main\n__proto__: polluted\nconstructor: x\n");
    writeFileSync(join(directory, `x${suffix}`), polluted);
    const { skipped } = list(directory);
    for (const { reason } of skipped) expect(reason).toBe("unknown key __proto__, constructor");
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });
});
