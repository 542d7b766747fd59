import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/table.ts";
import { CAPABILITIES } from "../../src/core/capabilities/registry.ts";
import { launcher } from "../support/binary.ts";
import { git } from "../support/repository.ts";
import { scratchDirectory } from "../support/scratch.ts";

const ROOT = dirname(dirname(import.meta.dirname));
const README = readFileSync(join(ROOT, "README.md"), "utf8");

/** The command lines of the README's shell blocks, in their order, comments cut. */
const LINES = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = ""]) => block.split("\n"))
  .map((line) => line.replace(/\s+#.*$/, "").trim())
  .filter((line) => line !== "");

/** `status` says 10 while no hook has reported, which is true of a repository that was just made. */
const STATUSES: Readonly<Record<string, readonly number[]>> = { "majordomus status": [0, 10] };

interface Shell {
  root: string;
  run(line: string): { status: number | null; stdout: string; stderr: string };
}

function newShell(): Shell {
  const directory = scratchDirectory();
  const bin = join(directory, "bin");
  const root = join(directory, "app");
  for (const path of [bin, root]) mkdirSync(path);
  symlinkSync(launcher(), join(bin, "majordomus"));
  git(root, "init", "-q", "-b", "main");
  git(root, "commit", "-q", "--allow-empty", "-m", "Begin");
  return {
    root,
    run: (line) =>
      spawnSync("sh", ["-c", line], {
        cwd: root,
        encoding: "utf8",
        input: "",
        env: { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}`, HOME: directory, TERM: "dumb" },
      }),
  };
}

describe("the README", () => {
  it("runs: every majordomus command of it, in its order, in one repository", () => {
    const shell = newShell();
    const commands = LINES.filter((line) => line.startsWith("majordomus "));
    expect(commands.length).toBeGreaterThan(5);
    for (const line of commands) {
      const { status, stderr } = shell.run(line);
      expect(STATUSES[line] ?? [0], `${line}: ${stderr}`).toContain(status);
    }
  });

  it("prints the frame that its one-frame command promises", { timeout: 240_000 }, () => {
    const line = LINES.find((candidate) => candidate.startsWith("npm start -- --once")) ?? "";
    const arguments_ = line.slice("npm start -- ".length).split(" ");
    const frame = execFileSync(process.execPath, [launcher(), "demo", ...arguments_], { encoding: "utf8" });
    expect(frame).toContain("Stranded");
    expect(frame).toContain("worktree gone");
    // Work that travelled, one line of it gone on with on two machines, and a queue to review.
    expect(frame).toMatch(/Sync ─.* \d+ offers/);
    expect(frame).toMatch(/●─┬─● \S+ +diverged/);
    expect(frame).toMatch(/review \d+/);
  });

  it("names only npm scripts that there are", () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = LINES.flatMap((line) => [
      ...line.matchAll(/npm (?:run )?(start|test|[a-z]+:[a-z0-9]+)/g),
    ]).map(([, name]) => name);
    expect(named).toContain("start");
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  it("names only commands that there are", () => {
    const nouns = new Set(COMMANDS.flatMap(({ path }) => [path[0], path.join(" ")]));
    const table = README.slice(README.indexOf("## Commands"), README.indexOf("## Hooks"));
    const named = [...table.matchAll(/^\| (.+?) \|/gm)]
      .flatMap(([, cell = ""]) => [...cell.matchAll(/`([a-z-]+)/g)].map(([, noun]) => noun))
      .filter((noun) => noun !== undefined);
    expect(named.length).toBeGreaterThan(5);
    for (const noun of named) expect([...nouns]).toContain(noun);
  });

  it("knows capabilities of one id each", () => {
    expect(new Set(CAPABILITIES.map(({ id }) => id)).size).toBe(CAPABILITIES.length);
  });
});
