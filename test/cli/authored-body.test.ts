import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { injectFaults } from "../../src/core/fs/fault.ts";
import { ownProcess } from "../../src/core/fs/process.ts";
import { PROGRAM } from "../support/built.ts";
import { newPlace } from "../support/checkout.ts";
import { runLine } from "../support/run-program.ts";
import type { ProgramRun } from "../support/run-program.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { openTerminal } from "../support/terminal.ts";

let root = "";
let home = "";

beforeEach(async () => {
  ({ root } = await newPlace());
  home = scratchDirectory();
});

/** An editor that runs a script over the file, `$1`, and notes where it was. */
function editor(script: string): string {
  const command = join(home, "an editor");
  writeFileSync(
    command,
    `#!/bin/sh\nfor last; do :; done\nset -- "$last"\necho "$1" > '${home}/seen'\n${script}\n`,
  );
  chmodSync(command, 0o755);
  return `'${command}' --wait`;
}

/** A command at a terminal, whose editor runs the script. */
function typing(script: string, ...words: string[]): Promise<ProgramRun> {
  const environment = { XDG_STATE_HOME: join(home, "state"), EDITOR: "false", VISUAL: editor(script) };
  return runLine(words, { directory: root, terminal: true, environment });
}

const seen = (): string => readFileSync(join(home, "seen"), "utf8").trim();
const shelf = (): string[] => {
  const path = join(home, "state", "majordomus", "typed");
  return existsSync(path) ? readdirSync(path) : [];
};
const HANDOVER = "# Objective\na\n# Current State\nb\n# Next Action\nc\n";

describe("a body", () => {
  it("is typed in the editor by a person at a terminal, and its file goes when the record stands", async () => {
    const { status, stdout } = await typing(
      `grep -q '^# Objective' "$1" && printf '${HANDOVER.replaceAll("\n", "\\n")}' > "$1" && touch "$1~"`,
      ..."handover --no-task".split(" "),
    );
    expect(status).toBe(0);
    expect(readFileSync(join(root, stdout.trim()), "utf8")).toContain("# Next Action\nc\n");
    expect(seen().endsWith("/handover.md")).toBe(true);
    expect(shelf()).toEqual([]);
  });

  it.each([
    [
      "a refused handover",
      "handover --no-task",
      "# Objective\nmine",
      /^majordomus: missing or empty .*; the/u,
    ],
    ["a handover that closes no task", "handover --close", "mine", /^majordomus: task: there is none .*the/u],
    ["a checkpoint that is too long", "checkpoint", "mine\n".repeat(60), /^majordomus: 60 lines: .*; the/u],
    ["evidence for nothing", "knowledge promote s-1 --class fact", "mine", /^majordomus: s-1: .*the/u],
    ["a note of no episode", "session note", "mine", /^majordomus: .*the/u],
    ["what is not UTF-8", "checkpoint", "mine \\377", /^majordomus: the text: is not UTF-8 text; the/u],
    ["what is too large", "checkpoint", "mine", /^majordomus: .*left no text that can be taken: .*; the/u],
  ])(
    "that is refused is kept, private, and named with how to go on: %s",
    async (name, command, text, told) => {
      const larger = name === "what is too large" ? `; head -c 1100000 /dev/zero | tr '\\0' x >> "$1"` : "";
      const { status, stderr } = await typing(
        `rm "$1"; printf '${text.replaceAll("\n", "\\n")}' > "$1"; chmod 644 "$1"${larger}`,
        ...command.split(" "),
      );
      expect(status).not.toBe(0);
      const path = seen();
      expect(stderr).toMatch(told);
      expect(stderr).toContain(
        `text is kept in ${path}: edit it there, then \`majordomus ${command} < ${path}\`\n`,
      );
      expect(readFileSync(path, "latin1")).toContain("mine");
      expect([statSync(path).mode & 0o777, statSync(dirname(path)).mode & 0o777]).toEqual([0o600, 0o700]);
    },
  );

  it("is kept when the store fails, when the editor does, and told of at the next one", async () => {
    injectFaults({
      before: (operation, path) => {
        if (operation !== "link" || !path.includes("/checkpoints/")) return;
        throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      },
    });
    let failed: ProgramRun;
    try {
      failed = await typing('echo mine > "$1"', "checkpoint");
    } finally {
      injectFaults(undefined);
    }
    expect(failed.status).toBe(13);
    expect(readFileSync(seen(), "utf8")).toBe("mine\n");
    const first = seen();
    const given = await typing('echo yours > "$1"; exit 3', "checkpoint", "--json");
    expect(given.status).toBe(10);
    expect(given.stderr).toContain(`an earlier text that became no record waits in ${dirname(first)}\n`);
    expect(JSON.parse(given.stdout)).toMatchObject({
      error: { code: "editor.failed", remedy: expect.stringContaining(seen()) },
    });
    expect(shelf()).toHaveLength(2);
    expect((await typing('echo ours > "$1"', "checkpoint")).stderr).toMatch(/, and 1 older beside it\n$/u);
  });

  it("that somebody else types just now is not told of, and does not give way", async () => {
    const path = join(home, "state", "majordomus", "typed");
    const living = "20250101T000000Z-0123456789abcdef";
    const dead = "20250101T000001Z-0123456789abcdef";
    const names = Array.from(
      { length: 49 },
      (_, index) => `20260101T0000${String(index).padStart(2, "0")}Z-0123456789abcdef`,
    );
    for (const name of [living, dead, ...names]) mkdirSync(join(path, name), { recursive: true });
    const typist = (identity: object): string => JSON.stringify({ ...ownProcess(), ...identity });
    writeFileSync(join(path, living, ".typist.json"), typist({}));
    // The number was given to another process since.
    writeFileSync(join(path, dead, ".typist.json"), typist({ started: "1" }));
    const first = await typing('echo mine > "$1"; exit 1', "checkpoint");
    expect(first.stderr).toMatch(/waits in \S+, and 49 older beside it\n/u);
    expect(shelf()).toContain(living);
    expect(shelf()).not.toContain(dead);
    for (const name of names) rmSync(join(path, name), { recursive: true });
    rmSync(dirname(seen()), { recursive: true });
    expect((await typing('echo mine > "$1"; exit 1', "checkpoint")).stderr).not.toContain("an earlier text");
    // Given up, it waits, though the process goes on.
    expect((await typing('echo ours > "$1"', "checkpoint")).stderr).toContain("an earlier text");
    writeFileSync(join(path, living, ".typist.json"), "{");
    expect((await typing('echo ours > "$1"', "checkpoint")).stderr).toContain("and 1 older beside it");
  });

  it("that says no more than the editor began with leaves nothing behind", async () => {
    for (const script of ["exit 3", "exit 0", 'rm "$1"', '> "$1"']) {
      expect((await typing(script, "handover", "--no-task")).status, script).toBe(10);
      expect(shelf(), script).toEqual([]);
    }
  });

  it("gives way, the oldest first, when fifty wait", async () => {
    const path = join(home, "state", "majordomus", "typed");
    const names = Array.from(
      { length: 60 },
      (_, index) => `20260101T0000${String(index).padStart(2, "0")}Z-0123456789abcdef`,
    );
    for (const name of [...names, "somebody's"]) mkdirSync(join(path, name), { recursive: true });
    await typing('echo mine > "$1"; exit 1', "checkpoint");
    expect(shelf()).toHaveLength(51);
    expect(shelf()).toEqual(expect.arrayContaining([...names.slice(11), "somebody's"]));
  });

  it("finds another place where there is no home to keep it in", async () => {
    writeFileSync(join(home, "state"), "");
    const { stderr } = await typing('echo "# Objective" > "$1"', "handover", "--no-task");
    expect(stderr).toContain(`text is kept in ${seen()}`);
    expect(readFileSync(seen(), "utf8")).toBe("# Objective\n");
    rmSync(dirname(seen()), { recursive: true });
  });

  it("cannot be typed without an editor", async () => {
    for (const [command, remedy] of [
      ["checkpoint", "give the body on standard input, or use --derive"],
      ["session note", "give the body on standard input"],
    ]) {
      const told = await runLine((command ?? "").split(" "), {
        directory: root,
        terminal: true,
        environment: { EDITOR: " " },
      });
      expect(told).toMatchObject({ status: 2, stdout: "" });
      expect(told.stderr).toMatch(new RegExp(`nor \\$EDITOR is set; ${remedy ?? ""}\n$`, "u"));
    }
  });

  it("is on disk while it is typed: a process that is killed loses none of it", async () => {
    const command = editor('echo mine > "$1"; touch "$1.written"; sleep 30');
    const terminal = openTerminal(process.execPath, [PROGRAM, "checkpoint"], {
      columns: 100,
      rows: 10,
      cwd: root,
      environment: {
        XDG_STATE_HOME: join(home, "state"),
        EDITOR: command,
        VISUAL: "",
        MAJORDOMUS_SERVER: "off",
      },
    });
    const isWritten = (): boolean => existsSync(join(home, "seen")) && existsSync(`${seen()}.written`);
    await expect.poll(isWritten, { timeout: 20_000, interval: 20 }).toBe(true);
    terminal.kill();
    await expect.poll(() => terminal.exited(), { timeout: 20_000, interval: 20 }).toBeDefined();
    expect(readFileSync(seen(), "utf8")).toBe("mine\n");
  });
});
