import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { initialiseLayer } from "../../../src/core/boundary/initialise.ts";
import { reasonOf } from "../../../src/core/base/error.ts";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { loadProfile, loadSettings } from "../../../src/core/policy/load.ts";
import { isContextDocument } from "../../../src/core/records/context-document.ts";
import { parseFrontMatter } from "../../../src/core/text/front-matter.ts";

let root = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "majordomus-init-")));
});

afterEach(() => {
  injectFaults(undefined);
  rmSync(root, { recursive: true, force: true });
});

function snapshot(): Map<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !entry.name.startsWith(".tmp."),
  );
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path, "utf8")]),
  );
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("a fresh layer", () => {
  it("is one that the program reads, with the policy's defaults and four profiles", async () => {
    const { written } = await initialiseLayer(root, { extend: false });
    expect(written.at(-1)).toBe(".ai/manifest.yaml");
    const { manifest, policy } = await loadSettings(join(root, ".ai"), undefined);
    expect(policy.session.commit_record_on_end).toBe(false);
    expect([policy.enforcement, policy.projections]).toEqual([[], []]);
    for (const name of ["routine", "implementation", "debugging", "deep-work"]) {
      expect(await loadProfile(join(root, ".ai"), manifest, name, undefined)).toMatchObject({ name });
    }
  });

  it("explains each of its directories by a context document", async () => {
    await initialiseLayer(root, { extend: false });
    const { manifest } = await loadSettings(join(root, ".ai"), undefined);
    const { policy: _policy, ...directories } = manifest.sections;
    for (const directory of [".", ...Object.values(directories), "repo/knowledge/candidates"]) {
      expect(isContextDocument(read(`.ai/${directory}/README.md`)), String(directory)).toBe(true);
    }
    expect(read(".ai/repo/sessions/README.md")).toContain("id: ai.repo.sessions\n");
  });

  it("has four prompts that name themselves", async () => {
    await initialiseLayer(root, { extend: false });
    const prompts = readdirSync(join(root, ".ai/repo/prompts")).filter((name) => name !== "README.md");
    expect(prompts.toSorted()).toEqual(["continue.md", "debug.md", "handover.md", "review.md"]);
    for (const name of prompts) {
      const parsed = parseFrontMatter(read(`.ai/repo/prompts/${name}`));
      expect(parsed.ok && parsed.value.fields["name"]).toBe(name.slice(0, -3));
    }
  });

  it("keeps its local half out of git, and commits nothing", async () => {
    execFileSync("git", ["init", "-q", root]);
    writeFileSync(join(root, ".gitignore"), "node_modules/");
    await initialiseLayer(root, { extend: false });
    expect(read(".gitignore")).toBe("node_modules/\n.ai/local/\n");
    const status = execFileSync("git", ["-C", root, "status", "--porcelain", "-uall"], { encoding: "utf8" });
    expect(status).toContain("?? .ai/manifest.yaml");
    expect(status).not.toContain(".ai/local");
    expect(existsSync(join(root, ".ai/local/state/handovers"))).toBe(true);
  });

  it.each([".ai/local/", "/.ai/local", ".ai/local  "])("adds no second line beside `%s`", async (line) => {
    writeFileSync(join(root, ".gitignore"), `a\r\n${line}\r\nb`);
    await initialiseLayer(root, { extend: false });
    expect(read(".gitignore")).toBe(`a\r\n${line}\r\nb`);
  });
});

describe("a layer that exists", () => {
  it("is refused, and nothing changes", async () => {
    await initialiseLayer(root, { extend: false });
    const before = snapshot();
    await expect(initialiseLayer(root, { extend: false })).rejects.toMatchObject({ exit: 15 });
    expect(snapshot()).toEqual(before);
  });

  it("is extended by what is missing alone", async () => {
    await initialiseLayer(root, { extend: false });
    writeFileSync(join(root, ".ai/repo/policy.yaml"), "version: 1\n# mine\n");
    rmSync(join(root, ".ai/repo/prompts/debug.md"));
    rmSync(join(root, ".ai/local"), { recursive: true });
    const before = snapshot();
    const { written } = await initialiseLayer(root, { extend: true });
    expect(written).toContain(".ai/repo/prompts/debug.md");
    expect(written).toContain(".ai/local/state/decisions.md");
    expect(written.filter((path) => !path.startsWith(".ai/local"))).toEqual([".ai/repo/prompts/debug.md"]);
    for (const [path, text] of before) expect(readFileSync(path, "utf8")).toBe(text);
    expect(await initialiseLayer(root, { extend: true })).toEqual({ written: [] });
  });

  it("is extended where its own manifest says", async () => {
    await initialiseLayer(root, { extend: false });
    const moved = read(".ai/manifest.yaml")
      .replace("repo/prompts", "repo/texts")
      .replace("  path: local", "  path: private");
    rmSync(join(root, ".ai"), { recursive: true });
    mkdirSync(join(root, ".ai"));
    writeFileSync(join(root, ".ai/manifest.yaml"), moved);
    const { written } = await initialiseLayer(root, { extend: true });
    expect(written).toContain(".ai/repo/texts/review.md");
    expect(written).toContain(".ai/private/state/handovers");
    expect(read(".gitignore")).toBe(".ai/local/\n.ai/private/\n");
  });

  it("is refused with the words of its manifest when that cannot be read", async () => {
    mkdirSync(join(root, ".ai"));
    writeFileSync(join(root, ".ai/manifest.yaml"), "schema: ai-repository/v9\n");
    await expect(initialiseLayer(root, { extend: true })).rejects.toMatchObject({ exit: 10 });
    writeFileSync(join(root, ".ai/manifest.yaml"), "a: [\n");
    await expect(initialiseLayer(root, { extend: true })).rejects.toMatchObject({ exit: 10 });
    expect(readdirSync(join(root, ".ai"))).toEqual(["manifest.yaml"]);
  });
});

describe("hostile ground", () => {
  it("is never written through a link", async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), "majordomus-outside-")));
    mkdirSync(join(root, ".ai"));
    symlinkSync(outside, join(root, ".ai/repo"));
    await expect(initialiseLayer(root, { extend: true })).rejects.toMatchObject({ exit: 15 });
    rmSync(join(root, ".ai"), { recursive: true });
    symlinkSync(outside, join(root, ".ai"));
    await expect(initialiseLayer(root, { extend: true })).rejects.toMatchObject({ exit: 15 });
    rmSync(join(root, ".ai"));
    symlinkSync(join(outside, "ignored"), join(root, ".gitignore"));
    await expect(initialiseLayer(root, { extend: false })).rejects.toMatchObject({ exit: 15 });
    expect(readdirSync(outside)).toEqual([]);
    rmSync(outside, { recursive: true });
  });

  it("of the layout from before is left to the program that converts it", async () => {
    mkdirSync(join(root, ".majordomus"));
    await expect(initialiseLayer(root, { extend: false })).rejects.toMatchObject({
      exit: 12,
      code: "layout.legacy",
    });
    expect(readdirSync(root)).toEqual([".majordomus"]);
  });

  it("of a disk that fails leaves something that --extend completes", async () => {
    let operations = 0;
    const stopAt = (limit: number): void => {
      operations = 0;
      injectFaults({
        before: () => {
          operations += 1;
          if (operations === limit)
            throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
        },
      });
    };
    stopAt(Number.MAX_SAFE_INTEGER);
    await initialiseLayer(root, { extend: false });
    const whole = snapshot();
    const all = operations;
    for (let limit = 1; limit <= all; limit += 7) {
      rmSync(root, { recursive: true });
      mkdirSync(root);
      stopAt(limit);
      // A failure to tidy a temporary file away is no failure.
      const failure = await initialiseLayer(root, { extend: false }).then(() => undefined, reasonOf);
      if (failure !== undefined) expect(failure).toContain("ENOSPC");
      injectFaults(undefined);
      await initialiseLayer(root, { extend: existsSync(join(root, ".ai")) });
      expect(snapshot()).toEqual(whole);
    }
  });
});
