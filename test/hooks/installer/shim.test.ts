import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isShim, SHIM_TEXT } from "../../../src/hooks/installer/shim.ts";
import { makeSandbox, write } from "./sandbox.ts";

/** Says what it was called with and what it read. */
const PROGRAM = '#!/bin/sh\necho "$0 $*"\ncat\necho noise >&2\n';

interface Project {
  root: string;
  /** A directory that is on PATH. */
  bin: string;
  log: string;
  run(arguments_?: string[]): { status: number | null; stdout: string; stderr: string };
}

function makeProject(): Project {
  const { root, directory } = makeSandbox();
  const shim = join(root, ".claude/hooks/majordomus");
  write(shim, SHIM_TEXT, 0o755);
  const bin = join(directory, "path bin");
  mkdirSync(bin);
  mkdirSync(join(root, ".ai/local/state"), { recursive: true });
  return {
    root,
    bin,
    log: join(root, ".ai/local/state/hooks.log"),
    run: (arguments_ = ["hook", "Stop", "--provider", "claude-code"]) => {
      const result = spawnSync(shim, arguments_, {
        cwd: directory,
        input: '{"session_id":"s"}',
        encoding: "utf8",
        env: { PATH: `${bin}:/usr/bin:/bin` },
      });
      return { status: result.status, stdout: result.stdout, stderr: result.stderr };
    },
  };
}

const SILENT = { status: 0, stdout: "", stderr: "" };

describe("the project's shim", () => {
  it("hands the event to the program on PATH", () => {
    const project = makeProject();
    const program = join(project.bin, "majordomus");
    write(program, PROGRAM, 0o755);
    expect(project.run()).toEqual({
      status: 0,
      stdout: `${program} hook Stop --provider claude-code\n{"session_id":"s"}\n`,
      stderr: "",
    });
  });

  it("hands it to the project's own program otherwise", () => {
    const project = makeProject();
    const program = join(project.root, "node_modules/.bin/majordomus");
    write(program, PROGRAM, 0o755);
    expect(project.run().stdout).toContain(`${program} hook Stop`);
    expect(existsSync(project.log)).toBe(false);
  });

  it("notes that there is none and lets its caller go on", () => {
    const project = makeProject();
    expect(project.run()).toEqual(SILENT);
    expect(readFileSync(project.log, "utf8")).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ hook Stop: majordomus is neither on PATH nor in node_modules\/\.bin\n$/,
    );
    expect(project.run(["hook", "Stop\nforged line"])).toEqual(SILENT);
    expect(project.run([])).toEqual(SILENT);
    expect(readFileSync(project.log, "utf8").match(/hook unknown:/g)).toHaveLength(2);
  });

  it("notes nothing where the project keeps no log", () => {
    const project = makeProject();
    rmSync(join(project.root, ".ai"), { recursive: true });
    expect(project.run()).toEqual(SILENT);
    expect(existsSync(join(project.root, ".ai"))).toBe(false);
  });

  it("writes through no link, into no directory and not without end", () => {
    const project = makeProject();
    const other = join(project.root, "other");
    symlinkSync(other, project.log);
    expect(project.run()).toEqual(SILENT);
    expect(existsSync(other)).toBe(false);
    writeFileSync(other, "");
    expect(project.run()).toEqual(SILENT);
    expect(readFileSync(other, "utf8")).toBe("");
    rmSync(project.log);
    mkdirSync(project.log);
    expect(project.run()).toEqual(SILENT);
    rmSync(project.log, { recursive: true });
    writeFileSync(project.log, "x".repeat(65536));
    expect(project.run()).toEqual(SILENT);
    expect(readFileSync(project.log, "utf8")).toHaveLength(65536);
  });

  it("never passes on a failure, nor what a failing program printed", () => {
    const project = makeProject();
    const program = join(project.bin, "majordomus");
    write(program, "#!/bin/sh\necho usage: something\nexit 3\n", 0o755);
    expect(project.run()).toEqual(SILENT);
    write(program, "#!/no/such/interpreter\n", 0o755);
    expect(project.run()).toEqual(SILENT);
    expect(readFileSync(project.log, "utf8")).toMatch(
      /hook Stop: .* ended with status 3\n.*ended with status 12[67]\n$/,
    );
  });

  it("is known by its second line", () => {
    expect(isShim(SHIM_TEXT)).toBe(true);
    expect(isShim("#!/bin/sh\necho mine\n")).toBe(false);
    expect(isShim("")).toBe(false);
  });
});
