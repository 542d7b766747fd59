import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "./floors.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const manifest = JSON.parse(read("package.json"));
const dependencies: [string, string][] = Object.entries({
  ...manifest.dependencies,
  ...manifest.devDependencies,
});

describe("packages", () => {
  it.each(dependencies)("%s %s is exact, and has its reason written down", (name, version) => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/u);
    const cells = read("docs/dependencies.md")
      .split("\n")
      .map((row) => row.split("|").map((cell) => cell.trim()));
    expect(cells).toContainEqual(["", name, version, expect.stringMatching(/\S{3}/u), ""]);
  });

  it("are installed by everybody, and tracked by nobody: a tracked link takes the place of the real ones", () => {
    const tracked = spawnSync("git", ["ls-files", "--", "node_modules"], { cwd: ROOT, encoding: "utf8" });
    expect(tracked.stdout).toBe("");
  });

  it("are locked without the address of a registry", () => {
    expect(read("package-lock.json")).not.toContain('"resolved"');
    expect(JSON.parse(read("package-lock.json")).packages[""].dependencies).toEqual(manifest.dependencies);
  });
});

describe("documents", () => {
  const pages = [
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    ...readdirSync(join(ROOT, "docs")).map((name) => `docs/${name}`),
  ].filter((name) => name.endsWith(".md"));

  it.each(pages)("%s names only npm scripts that exist", (page) => {
    for (const [, script = ""] of read(page).matchAll(/npm run (?<script>[\w:-]+)/gu)) {
      expect(Object.keys(manifest.scripts), page).toContain(script);
    }
  });

  it.each(pages)("%s links only to files that exist", (page) => {
    for (const [, target = ""] of read(page).matchAll(/\]\((?!https?:|#)(?<target>[^)#]+)/gu)) {
      expect(existsSync(join(ROOT, page, "..", target)), `${page} -> ${target}`).toBe(true);
    }
  });

  it("have a change for the version of the package", () => {
    expect(read("CHANGELOG.md")).toContain(`## [${manifest.version}]`);
  });
});
