import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installHooks, uninstallHooks } from "../../../src/hooks/installer/install.ts";
import type { InstallScope } from "../../../src/core/installation/read-place.ts";
import { makeSandbox, picture, write } from "./sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

const SCOPES: InstallScope[] = ["local", "project", "user"];
const NAMES = ["context-capsule", "resume"];

function directoryOf(sandbox: Sandbox, scope: InstallScope): string {
  return scope === "user" ? sandbox.claudeConfigDirectory : join(sandbox.root, ".claude");
}

const skillAt = (sandbox: Sandbox, scope: InstallScope, name: string): string =>
  join(directoryOf(sandbox, scope), "skills", name, "SKILL.md");

const noteOf = (sandbox: Sandbox, scope: InstallScope, path: string): string | undefined =>
  installHooks(sandbox.target(scope)).changes.find((change) => change.path === path)?.note;

describe.each(SCOPES)("the skills of scope %s", (scope) => {
  it("are written, work as documents, end in the acknowledgement, and go to the byte", () => {
    const sandbox = makeSandbox();
    const before = picture(sandbox.directory);
    installHooks(sandbox.target(scope));
    for (const name of NAMES) {
      const text = readFileSync(skillAt(sandbox, scope, name), "utf8");
      expect(text).toMatch(new RegExp(`^---\nname: ${name}\ndescription: .+\n---\n`));
      const steps = text.split("\n").filter((line) => /^\d\. /.test(line));
      const acknowledged = steps.findIndex((line) => line.includes("lifecycle-extension render"));
      expect(acknowledged).toBe(name === "resume" ? steps.length - 1 : steps.length - 2);
      expect(text).toContain(scope === "project" ? "`majordomus " : sandbox.script);
    }
    expect(readFileSync(skillAt(sandbox, scope, "context-capsule"), "utf8")).toMatch(
      /\n\nCapsule Complete, Ready For Clear\n$/,
    );
    const whole = picture(sandbox.directory);
    expect(installHooks(sandbox.target(scope)).changes.every(({ action }) => action === "unchanged")).toBe(
      true,
    );
    expect(picture(sandbox.directory)).toEqual(whole);
    uninstallHooks(sandbox.target(scope));
    expect(picture(sandbox.directory)).toEqual(before);
  });

  it("leave another skill of the name alone, before and after", () => {
    const sandbox = makeSandbox();
    const path = skillAt(sandbox, scope, "resume");
    write(path, "my own\n");
    expect(noteOf(sandbox, scope, path)).toContain("another skill of this name stays");
    if (scope === "local") {
      expect(readFileSync(join(sandbox.commonDirectory, "info/exclude"), "utf8")).toContain(
        "skills/context-capsule/",
      );
    }
    uninstallHooks(sandbox.target(scope));
    expect(readFileSync(path, "utf8")).toBe("my own\n");
    expect(existsSync(skillAt(sandbox, scope, "context-capsule"))).toBe(false);
  });

  it("leave ours alone where somebody changed it", () => {
    const sandbox = makeSandbox();
    const path = skillAt(sandbox, scope, "resume");
    installHooks(sandbox.target(scope));
    const changed = `${readFileSync(path, "utf8")}\nmore\n`;
    write(path, changed);
    expect(noteOf(sandbox, scope, path)).toContain("it was changed");
    uninstallHooks(sandbox.target(scope));
    expect(readFileSync(path, "utf8")).toBe(changed);
  });

  it("are renewed when another version wrote them", () => {
    const sandbox = makeSandbox();
    const path = skillAt(sandbox, scope, "resume");
    installHooks(sandbox.target(scope));
    const now = readFileSync(path, "utf8");
    const { installed } = { installed: join(sandbox.commonDirectory, "majordomus/installed") };
    expect(existsSync(installed)).toBe(true);
    uninstallHooks(sandbox.target(scope));
    write(path, now.replace("LOAD", "OLDER"));
    installHooks(sandbox.target(scope));
    expect(readFileSync(path, "utf8")).toBe(now);
  });
});
