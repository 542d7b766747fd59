import { EXIT, MajordomusError } from "../../core/base/error.ts";
import { hooksReport } from "../../core/capabilities/hooks.ts";
import type { HooksReport } from "../../core/capabilities/hooks.ts";
import { readMemory } from "../../core/capsule/read-model.ts";
import type { Checkout, Site } from "../../core/checkout/checkout.ts";
import { locateSite } from "../../core/checkout/site.ts";
import { listWorktrees } from "../../core/git/worktrees.ts";
import { installHooks as install, uninstallHooks as uninstall } from "../../hooks/installer/install.ts";
import type { InstallReport, InstallTarget } from "../../hooks/installer/install.ts";
import { claudeConfigDirectory } from "../../core/installation/claude-config.ts";
import { markHooked } from "../../core/installation/hooked-mark.ts";
import { askIn, openHere } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";
import { statusOfFindings } from "../findings.ts";

export interface ScopeOptions {
  project: boolean;
  user: boolean;
}

/** The one provider that has an installer. */
export const CLAUDE_CODE = "claude-code";

function otherWorktrees(site: Site): string[] {
  return listWorktrees(site.repository)
    .filter(({ exists, path }) => exists && path !== site.root)
    .map(({ path }) => path);
}

function targetOf(context: CommandContext, site: Site, { project, user }: ScopeOptions): InstallTarget {
  if (project && user) throw usageError({ message: "--project and --user exclude each other" });
  return {
    scope: user ? "user" : project ? "project" : "local",
    root: site.root,
    worktrees: otherWorktrees(site),
    claudeConfigDirectory: claudeConfigDirectory(context.surroundings.environment),
    commonDirectory: site.repository.commonDir,
    interpreter: process.execPath,
    script: context.program.launcher,
  };
}

function showChanges({ output, json }: CommandContext, report: InstallReport): number {
  if (json) {
    output.json({ schema: 1, ...report });
    return EXIT.ok;
  }
  for (const { action, path, target, note } of report.changes) {
    const link = target === undefined ? "" : ` -> ${target}`;
    output.line(`${action.padEnd(9)} ${path}${link}${note === undefined ? "" : ` — ${note}`}`);
  }
  return EXIT.ok;
}

/** Hooks that would have to refuse to write are not installed: the fault is told while somebody is looking. */
function refuseBrokenMemory(checkout: Checkout): void {
  const memory = readMemory(checkout);
  if ("tree" in memory) return;
  throw new MajordomusError({
    code: "EMEMORYROOT",
    exit: EXIT.refused,
    message: memory.fault,
    remedy: "nothing was written",
  });
}

/** Installs the hooks of Claude Code in one scope. */
export async function installHooks(context: CommandContext, options: ScopeOptions): Promise<number> {
  const checkout = await openHere(context);
  refuseBrokenMemory(checkout);
  const report = install(targetOf(context, checkout, options));
  for (const { exists, gitDir, commit } of listWorktrees(checkout.repository)) {
    if (exists) markHooked(gitDir, commit);
  }
  return showChanges(context, report);
}

/** Takes them out again; works where the layer is gone, too. */
export async function uninstallHooks(context: CommandContext, options: ScopeOptions): Promise<number> {
  const site = locateSite(context.directory, context.surroundings);
  if (site === undefined) {
    throw usageError({ subject: context.directory, message: "is not inside a git work tree" });
  }
  return showChanges(context, uninstall(targetOf(context, site, options)));
}

/** Where hooks of Claude Code are, how whole they are, and what they last reported here. */
export async function readHooks(context: CommandContext, checkout: Checkout): Promise<HooksReport> {
  return askIn(checkout, hooksReport, { script: context.program.launcher });
}

/** Shows where hooks are installed and whether they are whole. */
export async function showHooks(context: CommandContext): Promise<number> {
  const report = await readHooks(context, await openHere(context, "read"));
  const { output } = context;
  if (context.json) {
    output.json({ schema: 1, ...report });
    return statusOfFindings(report.findings);
  }
  for (const { path, events, missing } of report.worktrees) {
    output.line(`${path} — ${events.length} event(s) reported, ${missing.length} missing`);
  }
  for (const [event, at] of Object.entries(report.lastReceived))
    output.line(`last ${event.padEnd(16)} ${at}`);
  output.findings(report.findings);
  return statusOfFindings(report.findings);
}
