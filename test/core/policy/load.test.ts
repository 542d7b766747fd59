import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadProfile, loadSettings } from "../../../src/core/policy/load.ts";

const FIXTURE = new URL("../../fixtures/original/", import.meta.url);

let root: string;
let ai: string;
let cache: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "mj-policy-"));
  ai = join(root, ".ai");
  cache = join(root, "common", "cache");
  cpSync(FIXTURE, ai, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const policyPath = (): string => join(ai, "repo", "policy.yaml");

function cacheFile(): string {
  const [name] = readdirSync(cache).filter((entry) => entry.startsWith("settings-"));
  if (name === undefined) throw new Error("no cache");
  return join(cache, name);
}

/** Makes a file look as if it had been written long before the cache. */
function age(path: string): void {
  utimesSync(path, new Date(1_700_000_000_000), new Date(1_700_000_000_000));
}

/** Rewrites the policy so that neither its size nor its time tell. */
function rewriteUnseen(): void {
  const before = statSync(policyPath());
  const text = readFileSync(policyPath(), "utf8").replace("stranded_after: 12h", "stranded_after: 34h");
  writeFileSync(policyPath(), text);
  utimesSync(policyPath(), before.atime, before.mtime);
}

describe("settings", () => {
  it("are read from the three files, the third of which may be missing", async () => {
    const settings = await loadSettings(ai, cache);
    expect(settings.manifest.repo.path).toBe("repo");
    expect(settings.policy.session.stranded_after).toBe("12h");
    expect(settings.switches.durability).toBe("normal");
    writeFileSync(join(ai, "repo", "majordomus.yaml"), "durability: full\n");
    expect((await loadSettings(ai, cache)).switches.durability).toBe("full");
    rmSync(join(ai, "repo", "majordomus.yaml"));
    expect((await loadSettings(ai, cache)).switches.durability).toBe("normal");
  });

  it("are the same from the cache and from the files", async () => {
    const fresh = await loadSettings(ai, undefined);
    await loadSettings(ai, cache);
    expect(await loadSettings(ai, cache)).toEqual(fresh);
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
  });

  it("come from the cache while nothing changed", async () => {
    for (const path of [policyPath(), join(ai, "manifest.yaml")]) age(path);
    await loadSettings(ai, cache);
    rewriteUnseen();
    expect((await loadSettings(ai, cache)).policy.session.stranded_after).toBe("12h");
  });

  it("are read again after a change in the same instant as the cache's writing", async () => {
    await loadSettings(ai, cache);
    rewriteUnseen();
    expect((await loadSettings(ai, cache)).policy.session.stranded_after).toBe("34h");
  });

  it("are read again after any change that shows", async () => {
    age(policyPath());
    await loadSettings(ai, cache);
    const text = readFileSync(policyPath(), "utf8").replace("stranded_after: 12h", "stranded_after: 340h");
    writeFileSync(policyPath(), text);
    expect((await loadSettings(ai, cache)).policy.session.stranded_after).toBe("340h");
  });

  it.each([
    ["garbage", "not json"],
    ["another version", (text: string) => text.replace("0.0.0-test", "9.9.9")],
    ["schemas of another build", (text: string) => text.replace('"form":"', '"form":"1')],
    ["sources that are none", (text: string) => text.replace('"sources":[{', '"sources":[1,{')],
    ["one copy of another shape", (text: string) => text.replace(String.raw`\"12h\"`, "12")],
    [
      "one copy whose path leads out",
      (text: string) => text.replace(String.raw`\"repo/policy.yaml\"`, String.raw`\"../../x\"`),
    ],
    [
      "one copy with an unknown key",
      (text: string) => text.replace(String.raw`\"switches\":{`, String.raw`\"switches\":{\"x\":1,`),
    ],
  ])("ignore a cache with %s", async (_name, change) => {
    await loadSettings(ai, cache);
    const path = cacheFile();
    const changed = typeof change === "string" ? change : change(readFileSync(path, "utf8"));
    expect(changed).not.toBe(readFileSync(path, "utf8"));
    writeFileSync(path, changed);
    const settings = await loadSettings(ai, cache);
    expect(settings.policy.session.stranded_after).toBe("12h");
    expect(settings.manifest.sections.policy).toBe("repo/policy.yaml");
    expect(settings.switches).not.toHaveProperty("x");
  });

  it("do without a cache that cannot be written", async () => {
    writeFileSync(join(root, "common"), "a file where a directory should be");
    expect((await loadSettings(ai, cache)).policy.version).toBe(1);
  });

  it("of two worktrees do not drive each other out of the cache", async () => {
    const other = join(root, "other", ".ai");
    cpSync(FIXTURE, other, { recursive: true });
    await loadSettings(ai, cache);
    await loadSettings(other, cache);
    expect(readdirSync(cache)).toHaveLength(2);
  });
});

describe("settings are refused", () => {
  it("without a manifest", async () => {
    rmSync(join(ai, "manifest.yaml"));
    await expect(loadSettings(ai, cache)).rejects.toMatchObject({
      exit: 12,
      code: "manifest.absent",
      message: "no .ai/manifest.yaml",
    });
  });

  it("for the layout from before .ai, naming the way out", async () => {
    rmSync(ai, { recursive: true });
    mkdirSync(join(root, ".majordomus"));
    await expect(loadSettings(ai, cache)).rejects.toMatchObject({
      exit: 12,
      code: "layout.legacy",
      remedy: expect.stringContaining("majordomus migrate") as unknown,
    });
    mkdirSync(join(root, ".majordomus", "bin"));
    writeFileSync(join(root, ".majordomus", "bin", "majordomus"), "");
    await expect(loadSettings(ai, cache)).rejects.toMatchObject({ code: "manifest.absent" });
  });

  it("without a policy", async () => {
    rmSync(policyPath());
    await expect(loadSettings(ai, cache)).rejects.toMatchObject({ exit: 12, subject: policyPath() });
  });

  it("for an unknown key, and keep no cache of it", async () => {
    writeFileSync(policyPath(), "session:\n  frobnicate: true\n");
    await expect(loadSettings(ai, cache)).rejects.toMatchObject({
      exit: 10,
      subject: policyPath(),
      message: "unknown key session.frobnicate",
    });
    writeFileSync(policyPath(), "version: 1\n");
    await expect(loadSettings(ai, cache)).resolves.toMatchObject({ policy: { version: 1 } });
  });

  it("for what is not YAML, with the place", async () => {
    writeFileSync(policyPath(), "version: 1\nsession: [a\nledger: {}\n");
    await expect(loadSettings(ai, cache)).rejects.toMatchObject({
      exit: 10,
      code: "policy.yaml",
      subject: expect.stringMatching(/policy\.yaml:\d+:\d+$/) as unknown,
    });
  });

  it("through a symbolic link", async () => {
    rmSync(policyPath());
    symlinkSync("/etc/hostname", policyPath());
    await expect(loadSettings(ai, cache)).rejects.toMatchObject({ exit: 10, code: "policy.unreadable" });
  });
});

describe("a profile", () => {
  it("is read by its name, through the cache too", async () => {
    const { manifest } = await loadSettings(ai, cache);
    const fresh = await loadProfile(ai, manifest, "debugging", cache);
    expect(fresh.context.recent_history_depth).toBe(50);
    expect(await loadProfile(ai, manifest, "debugging", cache)).toEqual(fresh);
  });

  it.each(["none", "../policy", "a/b", "", "."])("that does not exist is named: %j", async (name) => {
    const { manifest } = await loadSettings(ai, cache);
    await expect(loadProfile(ai, manifest, name, cache)).rejects.toMatchObject({ exit: 12 });
  });
});
