import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HOOKED_EVENTS } from "../../../src/core/installation/claude-hooks.ts";
import { installHooks } from "../../../src/hooks/installer/install.ts";
import { hookStatus, type HookReport, type StatusFacts } from "../../../src/core/installation/hook-report.ts";
import { makeSandbox, readJson, write, type Sandbox } from "../../hooks/installer/sandbox.ts";

const EVENTS = HOOKED_EVENTS.map(({ event }) => event);
const RECEIPTS = { SessionStart: "2026-11-30T09:14:42Z" };

interface Settings {
  disableAllHooks?: boolean;
  hooks: Record<string, { matcher?: string; hooks: { timeout: number }[] }[]>;
}

function statusOf(sandbox: Sandbox, facts: Partial<StatusFacts> = {}): HookReport {
  return hookStatus({
    root: sandbox.root,
    worktrees: [sandbox.root, sandbox.sibling],
    claudeConfigDirectory: sandbox.claudeConfigDirectory,
    script: sandbox.script,
    commandName: "majordomus",
    searchPath: "",
    receipts: RECEIPTS,
    ...facts,
  });
}

function lines(report: HookReport): string[] {
  return report.findings.map(({ level, subject, message }) => `${level} ${subject}: ${message}`);
}

function local(worktree: string): string {
  return join(worktree, ".claude/settings.local.json");
}

function alter(path: string, change: (settings: Settings) => void): void {
  const settings = readJson(path) as Settings;
  change(settings);
  writeFileSync(path, JSON.stringify(settings));
}

describe("the state of hooks", () => {
  it("is well when they are installed everywhere and have been received", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    const report = statusOf(sandbox);
    expect(report).toMatchObject({ installed: true, silent: false, lastReceived: RECEIPTS });
    expect(lines(report)).toEqual([`OK ${sandbox.root}: hooks are installed, whole and received`]);
    expect(report.worktrees).toEqual([
      { path: sandbox.root, events: EVENTS, missing: [] },
      { path: sandbox.sibling, events: EVENTS, missing: [] },
    ]);
  });

  it("is bad where nothing is installed, and names every worktree", () => {
    const sandbox = makeSandbox();
    const report = statusOf(sandbox, { receipts: {} });
    expect(report).toMatchObject({ installed: false, silent: false });
    expect(lines(report)).toEqual([
      `FAIL ${sandbox.root}: no hooks are installed; install them with: majordomus hooks install claude-code`,
      `WARN ${sandbox.sibling}: no hooks are installed; install them with: majordomus hooks install claude-code (it covers every worktree that is there now; with --user those to come, too)`,
    ]);
    expect(
      report.findings.every(({ reproduce }) => reproduce === "majordomus hooks status claude-code"),
    ).toBe(true);
  });

  it("names a worktree that came later", () => {
    const sandbox = makeSandbox();
    installHooks({ ...sandbox.target("local"), worktrees: [] });
    expect(lines(statusOf(sandbox))).toEqual([expect.stringContaining(`WARN ${sandbox.sibling}: no hooks`)]);
  });

  it("is not well while nothing was received", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    const report = statusOf(sandbox, { receipts: { toString: "x" } });
    expect(report).toMatchObject({ silent: true, lastReceived: {} });
    expect(lines(report)).toEqual([
      `WARN ${sandbox.root}: hooks are installed, but none has been received here yet`,
    ]);
  });

  it("is well everywhere through the user's own settings", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("user"));
    expect(statusOf(sandbox).findings.map(({ level }) => level)).toEqual(["OK"]);
  });

  it("names a source that the matcher leaves out", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    for (const [matcher, missing] of [
      ["startup|resume|clear|fork", "compact"],
      ["startup, resume", "clear, compact, fork"],
      ["^(startup|resume)$", "clear, compact, fork"],
      ["([", "startup, resume, clear, compact, fork"],
    ] as const) {
      alter(local(sandbox.root), ({ hooks }) => {
        for (const group of hooks["SessionStart"] ?? []) group.matcher = matcher;
      });
      expect(lines(statusOf(sandbox))).toEqual([
        `FAIL ${local(sandbox.root)}: SessionStart leaves out ${missing}; ` +
          "repair it with: majordomus hooks install claude-code",
      ]);
    }
    for (const matcher of ["", "*", ".*"]) {
      alter(local(sandbox.root), ({ hooks }) => {
        for (const group of hooks["SessionStart"] ?? []) group.matcher = matcher;
      });
      expect(statusOf(sandbox).findings[0]?.level).toBe("OK");
    }
  });

  it("names missing events, the essential ones as a failure", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    alter(local(sandbox.root), ({ hooks }) => delete hooks["Notification"]);
    expect(lines(statusOf(sandbox))[0]).toMatch(/^WARN .*: no hook for Notification;/);
    alter(local(sandbox.root), ({ hooks }) => delete hooks["PreCompact"]);
    expect(lines(statusOf(sandbox))[0]).toMatch(/^FAIL .*: no hook for PreCompact, Notification;/);
  });

  it("names doubled entries and short time limits", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    alter(local(sandbox.root), ({ hooks }) => {
      hooks["Stop"] = [...(hooks["Stop"] ?? []), ...(hooks["Stop"] ?? [])];
      for (const handler of hooks["SessionEnd"]?.[0]?.hooks ?? []) handler.timeout = 1;
    });
    expect(lines(statusOf(sandbox))).toEqual([
      expect.stringMatching(/^WARN .*: more than one entry for Stop;/),
      expect.stringMatching(/^WARN .*: time limits shorter than installed: SessionEnd 1 s;/),
    ]);
  });

  it("names a program or an interpreter that is gone", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    rmSync(sandbox.script);
    const gone = statusOf(sandbox, { worktrees: [] }).findings[0];
    expect(gone).toMatchObject({
      level: "FAIL",
      subject: local(sandbox.root),
      reproduce: `ls -l '${sandbox.script}'`,
    });
    expect(gone?.message).toContain(`the program ${sandbox.script} is missing`);
    chmodSync(sandbox.interpreter, 0o644);
    expect(lines(statusOf(sandbox))[0]).toContain(
      `the interpreter ${sandbox.interpreter} is missing or not executable`,
    );
  });

  it("says when another copy of the program is started, and stays well", () => {
    const sandbox = makeSandbox();
    const other = join(sandbox.directory, "other/bin/majordomus");
    write(other, "#!/bin/sh\n", 0o755);
    installHooks({ ...sandbox.target("local"), script: other });
    expect(statusOf(sandbox, { worktrees: [] }).findings.map(({ level }) => level)).toEqual(["OK", "INFO"]);
  });

  it("looks for the program that the project's shim would find", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("project"));
    const facts = { worktrees: [] };
    expect(lines(statusOf(sandbox, facts))[0]).toMatch(/^FAIL .*: the shim finds majordomus neither on PATH/);
    write(join(sandbox.root, "node_modules/.bin/majordomus"), "#!/bin/sh\n", 0o755);
    expect(statusOf(sandbox, facts).findings[0]?.level).toBe("OK");
    rmSync(join(sandbox.root, "node_modules"), { recursive: true });
    const searchPath = join(sandbox.directory, "lib/bin");
    expect(statusOf(sandbox, { ...facts, searchPath }).findings[0]?.level).toBe("OK");
    rmSync(join(sandbox.root, ".claude/hooks"), { recursive: true });
    expect(lines(statusOf(sandbox, facts))[0]).toMatch(/^FAIL .*: the shim .* is missing or not executable/);
  });

  it("names two installations that would race", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    installHooks(sandbox.target("user"));
    expect(statusOf(sandbox).findings[0]?.level).toBe("OK");
    installHooks(sandbox.target("project"));
    expect(lines(statusOf(sandbox, { searchPath: join(sandbox.directory, "lib/bin") }))).toEqual([
      `WARN ${sandbox.root}: installed more than once (user, project, local), so each event runs twice; uninstall one`,
    ]);
  });

  it("names settings that switch hooks off or cannot be read", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    alter(local(sandbox.root), (settings) => (settings.disableAllHooks = true));
    writeFileSync(local(sandbox.sibling), `${readFileSync(local(sandbox.sibling), "utf8")}//`);
    expect(lines(statusOf(sandbox))).toEqual([
      `FAIL ${local(sandbox.root)}: "disableAllHooks" switches every hook off`,
      expect.stringMatching(
        /^FAIL .*sibling.*settings\.local\.json: .*:\d+:1: a comment, which JSON does not have/,
      ),
      expect.stringContaining(`WARN ${sandbox.sibling}: no hooks are installed`),
    ]);
  });
});
