import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { claimNewest, spendCapsule } from "../../../src/core/capsule/spend.ts";
import type { Claimed } from "../../../src/core/capsule/spend.ts";
import { CAPSULE_BYTES } from "../../../src/core/capsule/files.ts";
import { problemText, validateCapsuleText } from "../../../src/core/capsule/validate.ts";
import { capsuleLock, ensureRuntime } from "../../../src/core/capsule/memory-tree.ts";
import type { MemoryTree } from "../../../src/core/capsule/memory-tree.ts";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import type { DiskOperation } from "../../../src/core/fs/fault.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { capsuleText, hoursAgo, newTree, NOW, put, select, textOf } from "./support/memory.ts";

const FACTS = { now: NOW, patience: steadyPatience(100) };
const claim = (tree: MemoryTree): Claimed => claimNewest(tree, FACTS);

function spendOnly(text: string | Buffer): { claimed: Claimed; after: Buffer; tree: MemoryTree } {
  const tree = newTree();
  const path = put(tree, "one.md", text);
  const claimed = claim(tree);
  return { claimed, after: readFileSync(path), tree };
}

describe("spending", () => {
  it.each([
    ["active", "status: resumed"],
    ['"active"', "status: resumed"],
    ["'active'", "status: resumed"],
    ["active # note", "status: resumed # note"],
    ['"act\\u0069ve" # note', "status: resumed # note"],
    ["active  \t", "status: resumed  \t"],
  ])(
    "of a capsule with status %j changes that token alone, and it is never selected again",
    (status, line) => {
      const { claimed, after, tree } = spendOnly(capsuleText({ status }));
      expect(claimed.loaded?.id).toBe("one");
      expect(after.toString()).toBe(capsuleText({ status }).replace(`status: ${status}`, line));
      expect(select(tree)).toMatchObject({ capsule: undefined, unavailable: "all-candidates-rejected" });
      expect(claim(tree).loaded).toBeUndefined();
    },
  );

  it("keeps every other byte: a mark, CRLF, invalid UTF-8, the mode", () => {
    const tree = newTree();
    const bytes = Buffer.concat([
      Buffer.from(`\ufeff${capsuleText({}, "\r\nbody ")}`.replaceAll("\n", "\r\n")),
      Buffer.from([0xff, 0xfe, 0x00, 0xc3]),
    ]);
    const path = put(tree, "one.md", bytes);
    chmodSync(path, 0o640);
    expect(claim(tree).loaded?.id).toBe("one");
    const expected = bytes.toString("latin1").replace("status: active", "status: resumed");
    expect(readFileSync(path).toString("latin1")).toBe(expected);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it("goes by the line that was read: with a lone CR before it, and with a second status line", () => {
    const lone = capsuleText().replace("\nstatus: active", "\rstatus: active");
    expect(spendOnly(lone).after.toString()).toBe(lone.replace("active", "resumed"));
    const twice = capsuleText({ status: "active # first\nstatus: draft" });
    const { after, tree } = spendOnly(twice);
    expect(after.toString()).toBe(twice.replace("active # first", "resumed # first"));
    expect(select(tree).capsule).toBeUndefined();
  });

  it("takes the values from the bytes that were spent", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    const { capsule } = select(tree);
    if (capsule === undefined) throw new Error("nothing was selected");
    put(tree, "one.md", capsuleText({ objective: '"A later one"' }));
    expect(spendCapsule(tree, capsule, FACTS)).toMatchObject({
      state: "spent",
      loaded: { objective: "A later one" },
    });
  });

  it("yields to whoever was first, and takes the next newest then", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    put(tree, "two.md", capsuleText({ id: "two", created_at: hoursAgo(9) }));
    const { capsule } = select(tree);
    if (capsule === undefined) throw new Error("nothing was selected");
    put(tree, "one.md", capsuleText({ status: "resumed" }));
    expect(spendCapsule(tree, capsule, FACTS)).toEqual({ state: "taken" });
    expect(claim(tree).loaded?.id).toBe("two");
  });

  it("never writes through a link that was put in the capsule's place", () => {
    const tree = newTree();
    const path = put(tree, "one.md", capsuleText());
    const { capsule } = select(tree);
    const outside = join(scratchDirectory(), "outside.md");
    renameSync(path, outside);
    symlinkSync(outside, path);
    if (capsule === undefined) throw new Error("nothing was selected");
    expect(spendCapsule(tree, capsule, FACTS)).toEqual({ state: "taken" });
    expect(readFileSync(outside, "utf8")).toBe(capsuleText());
  });

  it.each(["deleted", "a directory now"])("is nobody's when the capsule is %s", (what) => {
    const tree = newTree();
    const path = put(tree, "one.md", capsuleText());
    const { capsule } = select(tree);
    rmSync(path);
    if (what !== "deleted") mkdirSync(path);
    if (capsule === undefined) throw new Error("nothing was selected");
    expect(spendCapsule(tree, capsule, FACTS)).toEqual({ state: "taken" });
  });

  it("that cannot be done is no resume: the capsule is not loaded, and stays", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    put(tree, "older.md", capsuleText({ id: "older", created_at: hoursAgo(90) }));
    injectFaults(parseFaultPlan("ENOSPC@1x50:write"));
    onTestFinished(() => injectFaults(undefined));
    const claimed = claim(tree);
    injectFaults(undefined);
    expect(claimed).toMatchObject({
      loaded: undefined,
      notSpent: { name: "one.md", reason: expect.stringContaining("ENOSPC") },
    });
    expect(textOf(tree, "one.md")).toBe(capsuleText());
    expect(claim(tree).loaded?.id).toBe("one");
  });

  it.each([
    [0, "active", "would be 1 byte(s) larger"],
    [0, "'active'", undefined],
    [1, "active", undefined],
  ])(
    "with %i byte(s) left and %s is done only where it can still be read afterwards",
    (left, status, said) => {
      const tree = newTree();
      const text = capsuleText({ status });
      const full = text + "a".repeat(CAPSULE_BYTES - left - text.length);
      put(tree, "one.md", full);
      const problems = validateCapsuleText(full).problems.map(problemText);
      const claimed = claim(tree);
      if (said === undefined) {
        expect(problems).toEqual([]);
        expect(claimed.loaded?.id).toBe("one");
        expect(select(tree).rejected).toMatchObject([{ reason: "already-consumed" }]);
        return;
      }
      expect(problems).toEqual(["is too large to be marked as resumed: shorten its text"]);
      expect(claimed.notSpent).toEqual({ name: "one.md", reason: expect.stringContaining(said) });
      expect(textOf(tree, "one.md") === full).toBe(true);
      expect(select(tree).capsule?.name).toBe("one.md");
    },
  );

  it("is believed by what stands there, not by what a write reports", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    // The file is in its place when the directory cannot be synced any more.
    let renamed = false;
    injectFaults({
      before(operation: DiskOperation, path: string) {
        if (operation === "rename" && path.endsWith("one.md")) renamed = true;
        if (operation === "fsync" && renamed) throw Object.assign(new Error("EIO"), { code: "EIO" });
      },
    });
    onTestFinished(() => injectFaults(undefined));
    expect(claim(tree).loaded?.id).toBe("one");
  });

  it("that cannot be verified by reading back is no resume", () => {
    const tree = newTree();
    const path = put(tree, "one.md", capsuleText());
    // A writer that knows no lock puts its own version back at once.
    let renamed = false;
    injectFaults({
      before(operation: DiskOperation, touched: string) {
        if (operation === "open" && renamed && touched === path) writeFileSync(path, capsuleText());
        if (operation === "rename" && touched === path) renamed = true;
      },
    });
    onTestFinished(() => injectFaults(undefined));
    expect(claim(tree)).toMatchObject({
      loaded: undefined,
      notSpent: { name: "one.md", reason: "was not spent when it was read back" },
    });
  });

  it("says so when a writer does not let go of the capsule", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    const { capsule } = select(tree);
    if (capsule === undefined) throw new Error("nothing was selected");
    ensureRuntime(tree);
    // A holder that left no name is alive for all that we know: it is called unknown, and the file is named.
    const lock = capsuleLock(tree, "one.md");
    for (const [content, pid] of [
      ["null", ""],
      [JSON.stringify({ token: "0011223344556677", ...ownProcess(), namespace: "pid:[1]" }), process.pid],
    ] as const) {
      writeFileSync(lock, content);
      utimesSync(lock, 0, 0);
      expect(spendCapsule(tree, capsule, FACTS)).toEqual({
        state: "failed",
        reason: `stays locked by an unknown holder${pid && ` (pid ${pid})`}: ${relative(tree.base, lock)}; \`majordomus recover orphans\` can remove it`,
      });
    }
    writeFileSync(lock, JSON.stringify({ token: "0011223344556677", ...ownProcess() }));
    expect(spendCapsule(tree, capsule, FACTS)).toEqual({
      state: "failed",
      reason: "stays locked by a writer that is still at work",
    });
    expect(textOf(tree, "one.md")).toBe(capsuleText());
  });

  it.each([
    [
      "before this machine's last start",
      JSON.stringify({ token: "0011223344556677", ...ownProcess(), boot: "b" }),
    ],
    ["nobody, since it is empty", ""],
    ["nobody, since it is cut short", '{"token":"0011'],
  ])("gets past a lock that is left from %s", (_, content) => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    ensureRuntime(tree);
    const lock = capsuleLock(tree, "one.md");
    writeFileSync(lock, content);
    utimesSync(lock, 0, 0);
    expect(claim(tree).loaded?.id).toBe("one");
    expect(textOf(tree, "one.md")).toContain("status: resumed");
    expect(existsSync(lock)).toBe(false);
  });
});
