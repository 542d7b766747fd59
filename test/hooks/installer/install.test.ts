import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { MajordomusError } from "../../../src/core/base/error.ts";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { HOOKED_EVENTS, wantedGroups } from "../../../src/core/installation/claude-hooks.ts";
import {
  installHooks,
  planInstall,
  settingsPaths,
  uninstallHooks,
} from "../../../src/hooks/installer/install.ts";
import type { InstallScope } from "../../../src/core/installation/read-place.ts";
import { SHIM_TEXT } from "../../../src/hooks/installer/shim.ts";
import { git, makeSandbox, picture, readJson, write, type Sandbox } from "./sandbox.ts";
import { laidOut, settingsValues } from "./settings-samples.ts";

const SCOPES: InstallScope[] = ["local", "project", "user"];
const EVENTS = HOOKED_EVENTS.map(({ event }) => event);

interface Settings {
  hooks: Record<
    string,
    { matcher?: string; hooks: { command: string; args?: string[]; timeout: number }[] }[]
  >;
}

function settingsOf(sandbox: Sandbox, scope: InstallScope): string {
  return settingsPaths(sandbox.target(scope))[0] ?? "";
}

function refusalOf(action: () => unknown): MajordomusError {
  try {
    action();
  } catch (error) {
    if (error instanceof MajordomusError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("installing on this machine", () => {
  it("puts every event into every worktree's own settings, out of git's sight", () => {
    const sandbox = makeSandbox(true);
    const report = installHooks(sandbox.target("local"));
    expect(report.changes.map(({ action }) => action)).toEqual(["changed", ...Array(6).fill("created")]);
    for (const worktree of [sandbox.root, sandbox.sibling]) {
      const { hooks } = readJson(join(worktree, ".claude/settings.local.json")) as Settings;
      expect(Object.keys(hooks)).toEqual(EVENTS);
      expect(hooks["SessionStart"]).toEqual([
        {
          matcher: "startup|resume|clear|compact|fork",
          hooks: [
            {
              type: "command",
              command: sandbox.interpreter,
              args: [sandbox.script, "hook", "SessionStart", "--provider", "claude-code"],
              timeout: 10,
            },
          ],
        },
      ]);
      expect(git(worktree, "status", "--porcelain")).toBe("");
    }
  });

  it("excludes its file once, behind what is there", () => {
    const sandbox = makeSandbox();
    const exclude = join(sandbox.commonDirectory, "info/exclude");
    write(exclude, Buffer.from([0x2a, 0xff, 0x0d, 0x0a, 0x62]));
    installHooks(sandbox.target("local"));
    installHooks(sandbox.target("local"));
    expect(readFileSync(exclude, "latin1")).toBe(
      "*\xFF\r\nb\r\n.claude/settings.local.json\r\n.claude/skills/context-capsule/\r\n.claude/skills/resume/\r\n",
    );
    write(exclude, `${readFileSync(exclude, "latin1")}later\n`);
    uninstallHooks(sandbox.target("local"));
    expect(readFileSync(exclude, "utf8")).toContain("b\r\nlater\n");
  });

  it("leaves a line of the same meaning that somebody else wrote", () => {
    const sandbox = makeSandbox();
    const exclude = join(sandbox.commonDirectory, "info/exclude");
    write(exclude, "/.claude/settings.local.json\n");
    installHooks(sandbox.target("local"));
    uninstallHooks(sandbox.target("local"));
    expect(readFileSync(exclude, "utf8")).toBe("/.claude/settings.local.json\n");
  });

  it("passes over a worktree that is gone", () => {
    const sandbox = makeSandbox();
    rmSync(sandbox.sibling, { recursive: true });
    expect(installHooks(sandbox.target("local")).changes).toHaveLength(4);
    expect(existsSync(sandbox.sibling)).toBe(false);
  });

  it("never sets git's own hooks", () => {
    const sandbox = makeSandbox(true);
    const hooks = picture(join(sandbox.commonDirectory, "hooks"));
    for (const scope of SCOPES) installHooks(sandbox.target(scope));
    expect(picture(join(sandbox.commonDirectory, "hooks"))).toEqual(hooks);
    expect(() => git(sandbox.root, "config", "core.hooksPath")).toThrow();
  });
});

describe("installing for the project", () => {
  it("writes a shim that runs and settings that name it", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("project"));
    const { hooks } = readJson(join(sandbox.root, ".claude/settings.json")) as Settings;
    expect(hooks["Stop"]?.[0]?.hooks[0]?.command).toBe(
      '"${CLAUDE_PROJECT_DIR}"/.claude/hooks/majordomus hook Stop --provider claude-code',
    );
    const shim = join(sandbox.root, ".claude/hooks/majordomus");
    expect(statSync(shim).mode & 0o777).toBe(0o755);
    expect(readFileSync(shim, "utf8")).toBe(SHIM_TEXT);
    expect(readFileSync(join(sandbox.root, ".claude/settings.json"), "utf8")).not.toContain(
      sandbox.directory,
    );
  });

  it("refuses to take the place of another file", () => {
    const sandbox = makeSandbox();
    write(join(sandbox.root, ".claude/hooks/majordomus"), "#!/bin/sh\necho mine\n");
    const before = picture(sandbox.root);
    expect(refusalOf(() => installHooks(sandbox.target("project")))).toMatchObject({ exit: 15 });
    expect(picture(sandbox.root)).toEqual(before);
  });

  it("renews an older shim, makes it run again, and leaves a changed one behind", () => {
    const sandbox = makeSandbox();
    const shim = join(sandbox.root, ".claude/hooks/majordomus");
    write(shim, "#!/bin/sh\n# Majordomus hook shim: an older one\n", 0o644);
    installHooks(sandbox.target("project"));
    expect(readFileSync(shim, "utf8")).toBe(SHIM_TEXT);
    chmodSync(shim, 0o644);
    installHooks(sandbox.target("project"));
    expect(statSync(shim).mode & 0o777).toBe(0o755);
    writeFileSync(shim, `${SHIM_TEXT}# and more\n`);
    const { changes } = uninstallHooks(sandbox.target("project"));
    expect(changes.find(({ path }) => path === shim)).toMatchObject({
      action: "unchanged",
      note: "it is not as Majordomus wrote it, so it stays",
    });
    expect(existsSync(shim)).toBe(true);
  });
});

describe.each(SCOPES)("an installation of scope %s", (scope) => {
  it("leaves nothing behind when it is undone", () => {
    const sandbox = makeSandbox(true);
    const before = picture(sandbox.directory);
    installHooks(sandbox.target(scope));
    expect(picture(sandbox.directory)).not.toEqual(before);
    const { changes } = uninstallHooks(sandbox.target(scope));
    expect(picture(sandbox.directory)).toEqual(before);
    expect(changes.map(({ action }) => action)).not.toContain("changed");
    const records = join(sandbox.commonDirectory, "majordomus/installed");
    expect(readdirSync(records)).toEqual([]);
  });

  it("gives back any settings byte for byte, with their mode", () => {
    fc.assert(
      fc.property(laidOut(settingsValues), fc.constantFrom(0o600, 0o644, 0o664), ({ text, mark }, mode) => {
        const sandbox = shared;
        const path = settingsOf(sandbox, scope);
        write(path, mark + text, mode);
        installHooks(sandbox.target(scope));
        expect(statSync(path).mode & 0o777).toBe(mode);
        const hash = picture(dirname(path));
        installHooks(sandbox.target(scope));
        installHooks(sandbox.target(scope));
        expect(picture(dirname(path))).toEqual(hash);
        uninstallHooks(sandbox.target(scope));
        expect(readFileSync(path, "utf8")).toBe(mark + text);
        expect(statSync(path).mode & 0o777).toBe(mode);
      }),
      { numRuns: 12 },
    );
  });
  const shared = makeShared();

  it("has one entry an event after an upgrade, and its former bytes after that is undone", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    const text = '{\r\n    "env": {"A": "1"},\r\n    "hooks": {"Stop": [{"hooks": []}]}\r\n}';
    write(path, text);
    const target = sandbox.target(scope);
    installHooks({ ...target, script: "/old/majordomus/1.0/bin/majordomus", interpreter: "/old/node" });
    const { hooks: old } = readJson(path) as Settings;
    expect(Object.values(old).map((groups) => groups.length)).toEqual([2, ...Array<number>(9).fill(1)]);
    installHooks(target);
    const { hooks } = readJson(path) as Settings;
    expect(Object.values(hooks).map((groups) => groups.length)).toEqual([2, ...Array<number>(9).fill(1)]);
    expect(JSON.stringify(hooks)).not.toContain("/old/");
    uninstallHooks(target);
    expect(readFileSync(path, "utf8")).toBe(text);
    installHooks(target);
    expect(Object.keys((readJson(path) as Settings).hooks)).toHaveLength(EVENTS.length);
  });

  it("keeps what was written since when it is undone", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    write(path, '{\n\t"model": "m"\n}\n');
    installHooks(sandbox.target(scope));
    const settings = readJson(path) as Settings & Record<string, unknown>;
    settings["permissions"] = { allow: ["Bash(ls)"] };
    settings.hooks["Stop"]?.push({ hooks: [] });
    writeFileSync(path, JSON.stringify(settings, null, 4));
    uninstallHooks(sandbox.target(scope));
    expect(readFileSync(path, "utf8")).toBe(
      JSON.stringify(
        { model: "m", hooks: { Stop: [{ hooks: [] }] }, permissions: { allow: ["Bash(ls)"] } },
        null,
        4,
      ),
    );
  });

  it("takes its entries out of settings that it has no record of", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    write(path, '{"model":"m"}\n');
    installHooks(sandbox.target(scope));
    rmSync(join(sandbox.commonDirectory, "majordomus"), { recursive: true });
    uninstallHooks(sandbox.target(scope));
    expect(readFileSync(path, "utf8")).toBe('{"model":"m"}\n');
  });

  it("believes no record of another file or of another shape", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    write(path, '{"model":"m"}\n');
    installHooks(sandbox.target(scope));
    const records = join(sandbox.commonDirectory, "majordomus/installed");
    const names = readdirSync(records);
    for (const [turn, name] of names.entries()) {
      const record = readJson(join(records, name)) as Record<string, unknown>;
      const altered = turn % 2 === 0 ? { ...record, path: "/etc/hosts" } : { ...record, original: 7 };
      writeFileSync(join(records, name), JSON.stringify(altered));
    }
    uninstallHooks(sandbox.target(scope));
    expect(readFileSync(path, "utf8")).toBe('{"model":"m"}\n');
  });

  it.each([
    ["", "1:1", "the file ends where a value was expected"],
    ["{\n  // mine\n}", "2:3", "a comment, which JSON does not have"],
    ['{"a": 1,}', "1:9", '"}" where a key in double quotes was expected'],
    ["[]", "1:1", "not an object, which settings are"],
    ['{\n\n "hooks": 3}', "3:11", '"hooks" is not an object'],
    ['\uFEFF{"a" 1}', "1:6", '"1" where a colon was expected'],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "1:3", "not UTF-8"],
  ])("refuses %j and writes nothing", (content, place, message) => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    write(path, content);
    const before = picture(sandbox.directory);
    expect(refusalOf(() => installHooks(sandbox.target(scope)))).toMatchObject({
      exit: 10,
      subject: `${path}:${place}`,
      message,
    });
    expect(picture(sandbox.directory)).toEqual(before);
  });

  it("refuses a directory, a circle of links, and a file where a directory should be", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    mkdirSync(path, { recursive: true });
    expect(refusalOf(() => installHooks(sandbox.target(scope)))).toMatchObject({ exit: 10, subject: path });
    rmSync(path, { recursive: true });
    symlinkSync("settings.circle.json", path);
    symlinkSync(path, join(dirname(path), "settings.circle.json"));
    expect(refusalOf(() => installHooks(sandbox.target(scope)))).toMatchObject({ exit: 10, subject: path });
    rmSync(dirname(path), { recursive: true });
    write(dirname(path), "a file\n");
    const before = picture(sandbox.directory);
    expect(refusalOf(() => installHooks(sandbox.target(scope))).exit).toBe(10);
    expect(picture(sandbox.directory)).toEqual(before);
  });

  it("writes through links, which stay links", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    const dotfiles = join(sandbox.directory, "dotfiles");
    write(join(dotfiles, "claude.json"), '{"model":"m"}\n', 0o600);
    symlinkSync("claude.json", join(dotfiles, "link.json"));
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(join(dotfiles, "link.json"), path);
    const { changes } = installHooks(sandbox.target(scope));
    expect(changes.find((change) => change.path === path)).toMatchObject({
      action: "changed",
      target: join(dotfiles, "claude.json"),
    });
    expect(readlinkSync(path)).toBe(join(dotfiles, "link.json"));
    expect(lstatSync(join(dotfiles, "link.json")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dotfiles, "claude.json"), "utf8")).toContain(EVENTS[0]);
    expect(statSync(join(dotfiles, "claude.json")).mode & 0o777).toBe(0o600);
    uninstallHooks(sandbox.target(scope));
    expect(readFileSync(join(dotfiles, "claude.json"), "utf8")).toBe('{"model":"m"}\n');
    expect(readlinkSync(path)).toBe(join(dotfiles, "link.json"));
  });

  it("makes the file that a dangling link aims at", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync("settings.real.json", path);
    installHooks(sandbox.target(scope));
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(readJson(join(dirname(path), "settings.real.json"))).toHaveProperty("hooks");
    uninstallHooks(sandbox.target(scope));
    expect(existsSync(join(dirname(path), "settings.real.json"))).toBe(false);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
  });

  it("can be repeated and undone wherever a write failed", () => {
    const sandbox = makeSandbox();
    const path = settingsOf(sandbox, scope);
    write(path, '{"model":"m"}\n');
    const before = picture(sandbox.directory);
    onTestFinished(() => injectFaults(undefined));
    for (const operation of ["open", "write", "fsync", "rename", "mkdir"]) {
      for (let turn = 1; turn <= 6; turn += 1) {
        injectFaults(parseFaultPlan(`ENOSPC@${turn}:${operation}`));
        try {
          installHooks(sandbox.target(scope));
        } catch {
          // The disk was full: that is the case.
        }
        injectFaults(undefined);
        expect(readJson(path)).toHaveProperty("model", "m");
        installHooks(sandbox.target(scope));
        expect(Object.keys((readJson(path) as Settings).hooks)).toHaveLength(EVENTS.length);
        uninstallHooks(sandbox.target(scope));
        expect(picture(sandbox.directory)).toEqual(before);
      }
    }
  });
});

/** One sandbox for many runs of a property. */
function makeShared(): Sandbox {
  const box: { made?: Sandbox } = {};
  return new Proxy({} as Sandbox, {
    get: (_, key) => (box.made ??= makeSandbox())[key as keyof Sandbox],
  });
}

describe("planning an installation", () => {
  it("writes nothing", () => {
    const sandbox = makeSandbox();
    const before = picture(sandbox.directory);
    for (const scope of SCOPES) expect(planInstall(sandbox.target(scope)).length).toBeGreaterThan(0);
    expect(picture(sandbox.directory)).toEqual(before);
  });

  it("wants absolute programs", () => {
    const sandbox = makeSandbox();
    const target = { ...sandbox.target("local"), script: "bin/majordomus" };
    expect(refusalOf(() => planInstall(target)).subject).toBe("bin/majordomus");
  });

  it("refuses to serve a user whose home nobody knows, and writes nothing", () => {
    const sandbox = makeSandbox();
    const before = picture(sandbox.directory);
    for (const claudeConfigDirectory of [undefined, "", ".claude"]) {
      const target = { ...sandbox.target("user"), claudeConfigDirectory };
      expect(refusalOf(() => planInstall(target)).code).toBe("install.no_home");
      expect(refusalOf(() => uninstallHooks(target)).code).toBe("install.no_home");
      expect(planInstall({ ...target, scope: "local" }).length).toBeGreaterThan(0);
    }
    expect(picture(sandbox.directory)).toEqual(before);
  });

  it("holds what the settings end up with", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("user"));
    const launcher = { kind: "program", interpreter: sandbox.interpreter, script: sandbox.script } as const;
    const { hooks } = readJson(settingsOf(sandbox, "user")) as Settings;
    expect(hooks).toEqual(
      Object.fromEntries([...wantedGroups(launcher)].map(([event, group]) => [event, [group]])),
    );
  });
});
