import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { EXIT, MajordomusError } from "../../core/base/error.ts";
import { commonPaths } from "../../core/checkout/common.ts";
import { SHIM_PATH, wantedGroups, type Launcher } from "../../core/installation/claude-hooks.ts";
import { carryOut, type FileChange } from "./carry-out.ts";
import type { FileEdit } from "./edit.ts";
import type { InstallScope } from "../../core/installation/read-place.ts";
import { planExclude, planExcludeRemoval, SETTINGS_PATTERN } from "./plan-exclude.ts";
import { planSettings, planSettingsRemoval, type SettingsFacts } from "./plan-settings.ts";
import { planShim, planShimRemoval } from "./plan-shim.ts";
import { isPlanned, planSkill, planSkillRemoval } from "./plan-skill.ts";
import { skillPath, skillsFor } from "./skills.ts";

export interface InstallTarget {
  scope: InstallScope;
  /** The top level of the worktree where the command runs. */
  root: string;
  /** Top levels of the repository's worktrees; those that do not exist are passed over. */
  worktrees: readonly string[];
  /** `CLAUDE_CONFIG_DIR`, else `~/.claude`; undefined where neither is known, and then no user is served. */
  claudeConfigDirectory: string | undefined;
  /** The repository's git common directory. */
  commonDirectory: string;
  /** Absolute. */
  interpreter: string;
  /** The program's launcher, absolute. */
  script: string;
}

export interface InstallReport {
  scope: InstallScope;
  changes: FileChange[];
}

/** Where a scope's settings lie. */
export function settingsPaths(
  target: Omit<InstallTarget, "commonDirectory" | "interpreter" | "script">,
): string[] {
  if (target.scope === "user") return [join(userDirectory(target), "settings.json")];
  if (target.scope === "project") return [join(target.root, ".claude/settings.json")];
  const existing = [target.root, ...target.worktrees].filter((worktree) => existsSync(worktree));
  return [...new Set(existing)].map((worktree) => join(worktree, ".claude/settings.local.json"));
}

/** Without a home, `.claude` would land wherever the disk begins. */
function userDirectory({ claudeConfigDirectory }: Pick<InstallTarget, "claudeConfigDirectory">): string {
  if (claudeConfigDirectory !== undefined && isAbsolute(claudeConfigDirectory)) return claudeConfigDirectory;
  throw new MajordomusError({
    code: "install.no_home",
    exit: EXIT.refused,
    message: "nobody's settings can be found: neither HOME nor CLAUDE_CONFIG_DIR is an absolute path",
    remedy: "set one of them, or install for this machine's checkout without --user",
  });
}

/** Decides what an installation changes; reads, and writes nothing. */
export function planInstall(target: InstallTarget): FileEdit[] {
  requireAbsolute(target.interpreter);
  requireAbsolute(target.script);
  const { installed } = commonPaths(target.commonDirectory);
  const launcher = launcherOf(target);
  const shown = launcher.kind === "program" ? { statusLine: launcher } : {};
  const settings = settingsFacts(target).map((facts) =>
    planSettings({ ...facts, ...shown }, wantedGroups(launcher)),
  );
  const skills = skillPlaces(target, launcher).map(({ path, text }) => planSkill(path, text, installed));
  if (target.scope === "project") {
    return [planShim(join(target.root, SHIM_PATH), installed), ...settings, ...skills];
  }
  if (target.scope === "user") return [...settings, ...skills];
  // A skill of somebody else's that has the name is none of ours to hide.
  const patterns = skillsFor(launcher)
    .map(({ name }) => name)
    .filter((name) => skills.some((edit) => edit.file.path.endsWith(skillPath(name)) && isPlanned(edit)))
    .map(skillPattern);
  return [
    planExclude(excludePath(target), installed, [SETTINGS_PATTERN, ...patterns]),
    ...settings,
    ...skills,
  ];
}

/** Each skill of a scope with the places where it goes. */
function skillPlaces(target: InstallTarget, launcher: Launcher): { path: string; text: string }[] {
  const directories = settingsPaths(target).map((path) => dirname(path));
  return directories.flatMap((directory) =>
    skillsFor(launcher).map(({ name, text }) => ({ path: join(directory, skillPath(name)), text })),
  );
}

function skillPattern(name: string): string {
  return `.claude/${dirname(skillPath(name))}/`;
}

/** Decides what the undoing of an installation changes; reads, and writes nothing. */
export function planUninstall(target: InstallTarget): FileEdit[] {
  const { installed } = commonPaths(target.commonDirectory);
  const launcher = launcherOf(target);
  const settings = settingsFacts(target).map((facts) => planSettingsRemoval(facts));
  // The first one that was put there made the directory that they share: it goes last.
  const skills = skillPlaces(target, launcher)
    .toReversed()
    .map(({ path, text }) => planSkillRemoval(path, text, installed));
  if (target.scope === "project") {
    return [...skills, ...settings, planShimRemoval(join(target.root, SHIM_PATH), installed)];
  }
  if (target.scope === "user") return [...skills, ...settings];
  const patterns = [SETTINGS_PATTERN, ...skillsFor(launcher).map(({ name }) => skillPattern(name))];
  return [...skills, ...settings, planExcludeRemoval(excludePath(target), installed, patterns)];
}

/** How what is installed in a scope starts the program. */
function launcherOf({ scope, interpreter, script }: InstallTarget): Launcher {
  return scope === "project" ? { kind: "shim" } : { kind: "program", interpreter, script };
}

/**
 * Installs Claude Code's hooks: merges one entry for each event, and the status line where it is a person's own, into
 * the scope's settings and changes nothing else in them; puts the two skills beside them. Doing it again changes nothing; an older installation's entries are renewed in place.
 *
 * @throws MajordomusError 10 for settings that cannot be edited safely, 15 where another file is in the shim's
 *   place; nothing has been written then.
 */
export function installHooks(target: InstallTarget): InstallReport {
  return { scope: target.scope, changes: carryOut(target.commonDirectory, () => planInstall(target)) };
}

/** Undoes an installation: former bytes where a file is as we left it, else our entries alone are taken out. */
export function uninstallHooks(target: InstallTarget): InstallReport {
  return { scope: target.scope, changes: carryOut(target.commonDirectory, () => planUninstall(target)) };
}

function settingsFacts(target: InstallTarget): SettingsFacts[] {
  const { installed } = commonPaths(target.commonDirectory);
  return settingsPaths(target).map((path) => ({ path, installed, script: target.script }));
}

function excludePath(target: InstallTarget): string {
  return join(target.commonDirectory, "info/exclude");
}

function requireAbsolute(path: string): void {
  if (isAbsolute(path)) return;
  throw new MajordomusError({
    code: "hooks.relative_program",
    exit: EXIT.internal,
    subject: path,
    message: "a hook can only start a program by its absolute path",
  });
}
