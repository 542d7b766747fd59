import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { selectCapsule } from "../../../src/core/capsule/select.ts";
import { scratchDirectory } from "../../support/scratch.ts";
import { capsuleText, hoursAgo, newTree, NOW, put, reasonOfOnly, select } from "./support/memory.ts";

const verdict = (content: string | Buffer): ReturnType<typeof reasonOfOnly> => {
  const tree = newTree();
  put(tree, "one.md", content);
  return reasonOfOnly(tree);
};

describe("why nothing could be selected", () => {
  it("names each case", () => {
    expect(selectCapsule(undefined, NOW)).toEqual({
      capsule: undefined,
      rejected: [],
      unavailable: "bad-memory-root",
    });
    expect(selectCapsule(scratchDirectory(), NOW).unavailable).toBe("no-capsules-dir");
    const tree = newTree();
    expect(select(tree).unavailable).toBe("no-capsules-on-disk");
    put(tree, "notes.markdown", "x");
    put(tree, "left.md.tmp", capsuleText());
    mkdirSync(join(tree.capsules, "below"));
    writeFileSync(join(tree.capsules, "below", "deep.md"), capsuleText());
    expect(select(tree)).toMatchObject({ rejected: [], unavailable: "no-capsules-on-disk" });
    put(tree, "a.md", "no front matter");
    expect(select(tree).unavailable).toBe("all-candidates-rejected");
    rmSync(tree.capsules, { recursive: true });
    writeFileSync(tree.capsules, "a file");
    expect(select(tree).unavailable).toBe("capsules-dir-unreadable");
  });

  it("does not read a capsules directory behind a link", () => {
    const tree = newTree();
    const other = newTree();
    put(other, "one.md", capsuleText());
    rmSync(tree.capsules, { recursive: true });
    symlinkSync(other.capsules, tree.capsules);
    expect(select(tree)).toMatchObject({ capsule: undefined, unavailable: "capsules-dir-unreadable" });
  });
});

describe("one capsule", () => {
  it("is selected with what it says", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    expect(select(tree)).toMatchObject({
      capsule: {
        name: "one.md",
        id: "one",
        created: NOW - 3 * 3_600_000,
        createdRaw: hoursAgo(3),
        placeholder: false,
      },
      rejected: [],
    });
  });

  it.each(["A.MD", ".md", "-dash.md", "new\nline.md", 'quo"te.md', "😀.md"])(
    "counts under the name %j",
    (name) => {
      const tree = newTree();
      put(tree, name, capsuleText());
      expect(select(tree).capsule?.name).toBe(name);
    },
  );

  it.each([
    ["LF", (text: string) => text],
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["a byte order mark", (text: string) => `\ufeff${text}`],
    ["blanks behind the dashes", (text: string) => text.replaceAll("---", "--- \t")],
    ["no body and no last newline", () => capsuleText().split("\n---\n")[0] + "\n---"],
    ["a key without a blank", () => capsuleText().replace("status: active", "status:active")],
    ["a lone CR between keys", () => capsuleText().replace("\nstatus", "\rstatus")],
    ["ten thousand keys", () => capsuleText().replace("\nstatus", `\n${"x: y\n".repeat(10_000)}status`)],
  ])("is read with %s", (_, change) => {
    expect(verdict(change(capsuleText()))).toBe("selected");
  });

  it.each([
    ["a leading blank line", `\n${capsuleText()}`],
    ["a leading space", ` ${capsuleText()}`],
    ["two marks", `\ufeff\ufeff${capsuleText()}`],
    ["four dashes", capsuleText().replace("---", "----")],
    ["dots as closer", capsuleText().replace("\n---\n", "\n...\n")],
    ["no closer", capsuleText().replace("\n---\n", "\n")],
    ["an empty block", "---\n---\nid: x\n"],
    ["bare CR alone", capsuleText().replaceAll("\n", "\r")],
    ["UTF-16", Buffer.from(`\ufeff${capsuleText()}`, "utf16le")],
    ["nothing at all", ""],
    ["one byte", "-"],
  ])("has no front matter with %s", (_, content) => {
    expect(verdict(content)).toEqual({ reason: "no-frontmatter" });
  });

  it.each([
    ["resumed", "already-consumed"],
    ["resolved", "already-consumed"],
    ["consumed", "already-consumed"],
    ["superseded", "already-consumed"],
    ['"resumed"', "already-consumed"],
    ["paused", "status-not-active"],
    ["Active", "status-not-active"],
    ["ACTIVE", "status-not-active"],
    ["\u200bactive", "status-not-active"],
    ["аctive", "status-not-active"],
    ["draft", "status-not-active"],
  ])("with status %j is %s", (status, reason) => {
    const detail = status.replaceAll('"', "");
    expect(verdict(capsuleText({ status }))).toEqual({ reason, detail });
  });

  it.each([undefined, "", '""', "null", "~", "NULL # c"])("with status %j has none", (status) => {
    expect(verdict(capsuleText({ status }))).toEqual({ reason: "status-not-active", detail: "(absent)" });
  });

  it.each(["active", '"active"', "'active'", "active # really", '"act\\u0069ve"', "active   "])(
    "with status %j is active",
    (status) => {
      expect(verdict(capsuleText({ status }))).toBe("selected");
    },
  );

  it("goes by the first of two status lines, and not by an indented or quoted key", () => {
    expect(verdict(capsuleText({ status: "resumed\nstatus: active" }))).toMatchObject({
      reason: "already-consumed",
    });
    expect(
      verdict(
        capsuleText({
          status: undefined,
          objective: '"x"\n status: active\n"status": active\nstatus : active',
        }),
      ),
    ).toEqual({
      reason: "status-not-active",
      detail: "(absent)",
    });
  });

  it("cannot smuggle a field in behind U+2028, U+0085, VT or FF", () => {
    for (const separator of ["\u2028", "\u2029", "\u0085", "\u000b", "\u000c"]) {
      expect(
        verdict(capsuleText({ status: undefined, objective: `x${separator}status: active` })),
      ).toMatchObject({
        reason: "status-not-active",
      });
    }
  });

  it.each([
    ["id", "no-id", undefined],
    ["objective", "missing-required-field", "objective"],
    ["next_valid_action", "missing-required-field", "next_valid_action"],
  ])("null, tilde and block indicators are no value of %s", (field, reason, detail) => {
    for (const value of [undefined, "", "null", "~", "|", ">", "|-", '"  "', "  # comment"]) {
      expect(verdict(capsuleText({ [field]: value }))).toEqual({
        reason,
        ...(detail === undefined ? {} : { detail }),
      });
    }
  });

  it.each(['"null"', "'~'", "nullable", "[a, b]", "|x"])("%s is a value", (value) => {
    expect(verdict(capsuleText({ objective: value }))).toBe("selected");
  });

  it("takes objective and action from the body", () => {
    const body =
      "\n## Objective\n\nShip it\n\n### next valid action ###\n## Next Valid_Action\nTag the release\n# End\n";
    expect(verdict(capsuleText({ objective: undefined, next_valid_action: "null" }, body))).toBe("selected");
    for (const heading of ["## Objective:", "##Objective", "## my objective", "## next-valid-action"]) {
      expect(verdict(capsuleText({ objective: undefined }, `\n${heading}\ntext\n`))).toMatchObject({
        detail: "objective",
      });
    }
    expect(
      verdict(capsuleText({ objective: undefined }, "\n## Objective\n\n## Other\ntext\n")),
    ).toMatchObject({
      detail: "objective",
    });
  });

  it("finds a body section behind a long front matter and a long body", () => {
    const body = `\n${"text\n".repeat(2_000)}\n## Objective\nShip it\n`;
    expect(verdict(capsuleText({ objective: undefined, note: "x".repeat(6_000) }, body))).toBe("selected");
  });

  it("finds no section of the file that was read before", () => {
    const tree = newTree();
    put(tree, "a.md", capsuleText({}, `\n${"text\n".repeat(100)}\n## Objective\nShip it\n`));
    put(tree, "b.md", capsuleText({ objective: undefined }, "\ntext\n"));
    expect(select(tree).rejected).toEqual([
      { name: "b.md", reason: "missing-required-field", detail: "objective" },
    ]);
  });
});

describe("files that are no capsules to open", () => {
  it("are each in the ledger, with their reason, and none is followed or waited for", () => {
    const tree = newTree();
    const outside = join(scratchDirectory(), "outside.md");
    writeFileSync(outside, capsuleText());
    mkdirSync(join(tree.capsules, "dir.md"));
    symlinkSync(outside, join(tree.capsules, "link.md"));
    symlinkSync("nowhere.md", join(tree.capsules, "dangling.md"));
    symlinkSync("loop.md", join(tree.capsules, "loop.md"));
    symlinkSync("/dev/zero", join(tree.capsules, "device.md"));
    execFileSync("mkfifo", [join(tree.capsules, "fifo.md")]);
    truncateSync(put(tree, "sparse.md", ""), 600 * 1024 * 1024);
    put(tree, "exact.md", capsuleText({}, "x".repeat(1024 * 1024 - capsuleText({}, "").length)));
    put(tree, "large.md", capsuleText({}, "x".repeat(1024 * 1024 - capsuleText({}, "").length + 1)));
    const { capsule, rejected } = select(tree);
    expect(capsule?.name).toBe("exact.md");
    expect(rejected).toEqual([
      { name: "dangling.md", reason: "not-a-regular-file" },
      { name: "device.md", reason: "not-a-regular-file" },
      { name: "dir.md", reason: "not-a-regular-file" },
      { name: "fifo.md", reason: "not-a-regular-file" },
      { name: "large.md", reason: "too-large" },
      { name: "link.md", reason: "not-a-regular-file" },
      { name: "loop.md", reason: "not-a-regular-file" },
      { name: "sparse.md", reason: "too-large" },
    ]);
  });

  it("that the system refuses to open are unreadable", () => {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    injectFaults(parseFaultPlan("EACCES@1:open"));
    onTestFinished(() => injectFaults(undefined));
    expect(reasonOfOnly(tree)).toEqual({ reason: "unreadable" });
  });
});

describe("the choice", () => {
  it("takes the newest, and of equal stamps the byte-smallest name", () => {
    const tree = newTree();
    put(tree, "a.md", capsuleText({ created_at: hoursAgo(2) }));
    put(tree, "C.md", capsuleText({ created_at: hoursAgo(2) }));
    put(tree, "z.md", capsuleText({ created_at: "2026-11-30T17:00:00+07:00" }));
    put(tree, "old.md", capsuleText({ created_at: "2026-06-01" }));
    const { capsule, rejected } = select(tree);
    expect(capsule?.name).toBe("C.md");
    expect(rejected.map(({ name, reason }) => [name, reason])).toEqual([
      ["a.md", "not-newest"],
      ["old.md", "not-newest"],
      ["z.md", "not-newest"],
    ]);
  });

  it("lets no stamp of the future win for ever", () => {
    const tree = newTree();
    put(tree, "minutes.md", capsuleText({ created_at: hoursAgo(-4 / 60) }));
    put(tree, "ahead.md", capsuleText({ created_at: hoursAgo(-6 / 60) }));
    put(tree, "far.md", capsuleText({ created_at: "2096-01-01T00:00:00Z" }));
    const { capsule, rejected } = select(tree);
    expect(capsule?.name).toBe("minutes.md");
    expect(rejected.map(({ reason }) => reason)).toEqual(["future-created_at", "future-created_at"]);
  });

  const autosave = (fields: Record<string, string | undefined>): string =>
    capsuleText({ trigger: "stop-delta", tags: "[capsule, autosave]", ...fields });

  it("knows a placeholder by its structure, and lists every one that was demoted", () => {
    const tree = newTree();
    put(tree, "curated.md", capsuleText({ created_at: hoursAgo(50) }));
    put(tree, "none.md", autosave({ captured: "none", created_at: hoursAgo(1) }));
    put(tree, "none2.md", autosave({ captured: "none", created_at: hoursAgo(2) }));
    put(tree, "legacy.md", autosave({ objective: '"In-flight work (auto-captured): x"' }));
    put(
      tree,
      "claimed.md",
      autosave({ objective: '"Unknown: no operator objective was captured; row"', created_at: hoursAgo(1) }),
    );
    const { capsule, rejected } = select(tree);
    expect(capsule).toMatchObject({ name: "curated.md", placeholder: false });
    expect(rejected.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "claimed.md placeholder-demoted",
      "legacy.md placeholder-demoted",
      "none.md placeholder-demoted",
      "none2.md placeholder-demoted",
    ]);
  });

  it("takes an autosave that captured something, whatever its words, over an older curated one", () => {
    const tree = newTree();
    put(tree, "curated.md", capsuleText({ created_at: hoursAgo(50) }));
    put(
      tree,
      "partial.md",
      autosave({ captured: "partial", objective: '"Unknown: no human objective was captured"' }),
    );
    expect(select(tree).capsule?.name).toBe("partial.md");
  });

  it("falls back to the newest placeholder when there is nothing else", () => {
    const tree = newTree();
    put(tree, "a.md", autosave({ captured: "none", created_at: hoursAgo(5) }));
    put(tree, "b.md", autosave({ captured: "none", created_at: hoursAgo(4) }));
    const { capsule, rejected } = select(tree);
    expect(capsule).toMatchObject({ name: "b.md", placeholder: true });
    expect(rejected).toEqual([expect.objectContaining({ name: "a.md", reason: "placeholder-demoted" })]);
  });

  it("takes a curated capsule about nothing captured for what it is", () => {
    expect(verdict(capsuleText({ objective: '"Unknown: no human objective was captured"' }))).toBe(
      "selected",
    );
  });
});
