import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
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
      expect(text).toContain(scope === "project" ? " majordomus lifecycle-extension " : sandbox.script);
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

/** The commands of a skill's steps, as a shell takes them. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/`([^`]*\bmajordomus [a-z][^`]*)`/g)].map(([, command = ""]) =>
    command.replaceAll("<id>", "c-1"),
  );
}

describe("the steps of a project's skills", () => {
  it("reach the program where the shim does, from any directory: on PATH, else in the project's packages", () => {
    const sandbox = makeSandbox(true);
    installHooks(sandbox.target("project"));
    const below = join(sandbox.root, "packages/one");
    mkdirSync(below, { recursive: true });
    const bin = join(sandbox.directory, "path bin");
    const run = (command: string): string =>
      execFileSync("/bin/sh", ["-c", command], {
        cwd: below,
        encoding: "utf8",
        env: { PATH: `${bin}:/usr/bin:/bin` },
      });
    const program = (where: string): string => `#!/bin/sh\necho "${where} $*"\n`;
    write(join(sandbox.root, "node_modules/.bin/majordomus"), program("own"), 0o755);
    const commands = NAMES.flatMap((name) =>
      commandsOf(readFileSync(skillAt(sandbox, "project", name), "utf8")),
    );
    const words = [
      "capsule write",
      "capsule validate c-1",
      "capsule resolve c-1",
      "lifecycle-extension render capsule_ack --capsule-id c-1",
      "resume",
      "resume --capsule c-1",
      "lifecycle-extension render resume_ack --capsule-id c-1",
    ];
    expect(commands.map(run)).toEqual(words.map((word) => `own ${word}\n`));
    write(join(bin, "majordomus"), program("shared"), 0o755);
    expect(commands.map(run)).toEqual(words.map((word) => `shared ${word}\n`));
  });
});

describe("the skill that resumes", () => {
  it("acknowledges once: what the procedure declares waits for its last step", () => {
    const sandbox = makeSandbox();
    installHooks(sandbox.target("local"));
    const text = readFileSync(skillAt(sandbox, "local", "resume"), "utf8");
    const [followed = "", last = ""] = [/^2\. [^]*?(?=^3\. )/m, /^4\. [^]*/m].map(
      (step) => step.exec(text)?.[0].replaceAll(/\s+/g, " ") ?? "",
    );
    expect(followed).toContain("EXTENSION ACK, if it has one, waits for step 4");
    expect(last).toMatch(/last and once.*render resume_ack.*the same line as the EXTENSION ACK of step 2/);
  });
});
