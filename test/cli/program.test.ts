import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands/table.ts";
import { GLOBAL_FLAGS } from "../../src/cli/globals.ts";
import { NOUNS } from "../../src/cli/nouns.ts";
import { runLine } from "../support/run-program.ts";

const paths = COMMANDS.map(({ path }) => path.join(" "));

describe("the table of commands", () => {
  it("names every command once", () => {
    expect(new Set(paths).size).toBe(paths.length);
  });

  it("says in one line what each is for", () => {
    for (const { summary } of COMMANDS) expect(summary).toMatch(/^[^\n]{10,100}$/u);
  });

  it("gives every first word a place in help", () => {
    for (const { path } of COMMANDS) {
      const [noun = ""] = path;
      const place = NOUNS.find(({ name }) => name === noun);
      expect(place, noun).toBeDefined();
      if (path.length > 1) expect(place?.summary, noun).not.toBe("");
    }
  });

  it("never reuses a global option", () => {
    for (const { options } of COMMANDS) {
      for (const { name } of options) expect(GLOBAL_FLAGS).not.toContain(`--${name}`);
    }
  });

  it("names only options of the same command where one excludes or needs another", () => {
    for (const { path, options } of COMMANDS) {
      const names = options.map(({ name }) => name);
      const named = options.flatMap(({ without = [], beside = [] }) => [...without, ...beside]);
      for (const name of named) expect(names, path.join(" ")).toContain(name);
    }
  });

  it("has variadic arguments only at the end, and required ones only before optional ones", () => {
    for (const declaration of COMMANDS) {
      const kinds = declaration.arguments.map(({ required = false }) => required);
      expect(kinds).toEqual(kinds.toSorted((a, b) => Number(b) - Number(a)));
      expect(declaration.arguments.slice(0, -1).some(({ variadic = false }) => variadic)).toBe(false);
    }
  });
});

describe("help", () => {
  it.each(paths)("of `%s` is shown wherever it stands, and nothing else happens", async (path) => {
    const words = path.split(" ");
    const lines = [
      [...words, "--help"],
      ["--help", ...words],
      [...words.slice(0, 1), "-h", ...words.slice(1)],
      [...words, "surplus", "--no-such-option", "--help"],
      ["--repo", "/nowhere", ...words, "--help"],
    ];
    const shown = await Promise.all(lines.map((line) => runLine(line)));
    for (const run of shown) {
      expect(run).toEqual({ status: 0, stdout: shown[0]?.stdout, stderr: "" });
      expect(run.stdout).toContain(`Usage: majordomus ${path}`);
      // A command whose words are a contract of their own takes only what it says.
      const literal = COMMANDS.some((one) => one.literal !== undefined && one.path.join(" ") === path);
      expect(run.stdout.includes("--repo <dir>")).toBe(!literal);
    }
  });

  it("is never taken for the value of an option", async () => {
    const { status, stdout } = await runLine(["session", "start", "--owner", "--help"]);
    expect(status).toBe(0);
    expect(stdout).toContain("Usage: majordomus session start");
  });

  it("is a command too", async () => {
    const asked = await runLine(["help", "session", "start"]);
    expect(asked).toEqual(await runLine(["session", "start", "--help"]));
    expect(await runLine(["help", "sesion"])).toMatchObject({ status: 2, stdout: "" });
  });

  it("lists every first word, in groups", async () => {
    const { stdout } = await runLine(["--help"]);
    for (const { path } of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${path[0]}\\b`, "mu"));
    expect(stdout).toContain("Set up:");
  });

  it("shows notes and examples", async () => {
    const { stdout } = await runLine(["session", "close", "--help"]);
    expect(stdout).toContain("A summary on standard input");
    expect(stdout).toContain("majordomus session close < summary.md");
  });
});

describe("a wrong call", () => {
  const wrong: [string[], string | RegExp][] = [
    [["sesion"], /^majordomus: unknown command 'sesion'; did you mean session\?\n$/u],
    [["session", "strat"], /^majordomus: unknown command 'strat'; did you mean start\?\n$/u],
    [
      ["session", "start", "--onwer", "x"],
      /^majordomus: unknown option '--onwer'; did you mean --owner\?\n$/u,
    ],
    [["status", "--jsn"], /did you mean --json\?\n$/u],
    [["session", "start", "--if-open", "maybe"], /Allowed choices are refuse, keep\./u],
    [["session", "start", "--owner"], /'--owner <who>' argument missing/u],
    [["session", "start", "--owner", "--if-open", "keep"], /the value is missing/u],
    [["session", "start", "--owner", "--json"], ""],
    [["session", "show"], /missing required argument 'id'/u],
    [["session"], /^majordomus: majordomus session: which command\?; one of start, status, close, list/u],
    [["status", "surplus"], /too many arguments/u],
    [["history", "--limit", "0"], /A whole number from 1 to 100000/u],
    [["history", "--limit", "1e3"], /A whole number/u],
    [["completion", "tcsh"], /Allowed choices are bash, zsh, fish/u],
    [["hooks", "install"], /missing required argument 'provider'/u],
    [["--repo"], /'--repo <dir>' argument missing/u],
    [["hook", "claude-code"], /stands directly behind the program's name/u],
  ];
  it.each(wrong)("%j is one line on standard error and exit status 2", async (line, message) => {
    const { status, stdout, stderr } = await runLine(line);
    expect(status).toBe(2);
    if (line.includes("--json")) {
      expect(JSON.parse(stdout)).toMatchObject({ error: { code: "usage" } });
      expect(stderr).toBe("");
    } else {
      expect(stdout).toBe("");
      expect(stderr).toMatch(message);
      expect(stderr.split("\n")).toHaveLength(2);
    }
  });

  it("shows what was typed without its escape sequences", async () => {
    const { status, stderr } = await runLine(["\u001B[2J\u009D0;x\u0007"]);
    expect(status).toBe(2);
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/u);
  });

  it("without any word shows help, and is not a success", async () => {
    const { status, stdout } = await runLine([]);
    expect(status).toBe(2);
    expect(stdout).toContain("Usage: majordomus");
  });

  it("is answered in JSON when JSON is wanted", async () => {
    const { status, stdout, stderr } = await runLine(["--json", "sesion"]);
    expect(status).toBe(2);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "usage", message: "unknown command 'sesion'", remedy: "did you mean session?" },
    });
  });
});

describe("outside of a repository", () => {
  const commands = [
    ["status"],
    ["history"],
    ["session", "start"],
    ["recover"],
    ["lifecycle", "episodes"],
    ["init"],
  ];
  it.each(commands)("%s %s ends with 2 and says so", async (...words) => {
    const { status, stderr, stdout } = await runLine(words.filter(Boolean), { directory: "/" });
    expect(stderr).toMatch(/^majordomus: \/: is not inside a git (repository|work tree)/u);
    expect(status).toBe(2);
    expect(stdout).toBe("");
  });
});

describe("the version", () => {
  it("is printed", async () => {
    expect(await runLine(["--version"])).toEqual({ status: 0, stdout: "0.0.0-test\n", stderr: "" });
    expect(await runLine(["-V"])).toEqual({ status: 0, stdout: "0.0.0-test\n", stderr: "" });
  });
});
