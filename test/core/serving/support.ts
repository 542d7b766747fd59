import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { parse } from "yaml";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { systemRandom } from "../../../src/core/base/random.ts";
import { commonPaths } from "../../../src/core/checkout/common.ts";
import { layoutOf } from "../../../src/core/checkout/layout.ts";
import { identifyProcess } from "../../../src/core/fs/process.ts";
import type { ProcessIdentity } from "../../../src/core/fs/process.ts";
import { executableAt } from "../../../src/core/serving/executable.ts";
import type { Executable } from "../../../src/core/serving/executable.ts";
import { defaultManifestText, parseManifest } from "../../../src/core/policy/manifest.ts";
import { leasePath } from "../../../src/core/serving/lease.ts";
import type { Lease, LeasePlace } from "../../../src/core/serving/lease.ts";
import { testClock } from "../../support/checkout.ts";
import { scratchDirectory } from "../../support/scratch.ts";

export const TOKEN = "a".repeat(64);

const MANIFEST = parseManifest(parse(defaultManifestText()), "manifest.yaml");

/** A work tree without git: a lease needs none. Removed with the test. */
export function leasePlace(): LeasePlace {
  const root = scratchDirectory();
  const common = commonPaths(join(root, ".git"));
  mkdirSync(common.root, { recursive: true });
  return {
    root,
    layout: layoutOf(root, MANIFEST),
    common,
    environment: { PATH: process.env["PATH"] },
    clock: testClock("2026-09-04T12:00:00Z"),
    random: systemRandom,
    patience: steadyPatience(5000),
  };
}

/** A program that looks built, and runs the given lines when it is started. */
export function fakeProgram(directory: string, source = "setTimeout(() => {}, 600_000);"): Executable {
  const launcher = join(directory, "bin", "majordomus");
  mkdirSync(dirname(launcher), { recursive: true });
  mkdirSync(join(directory, "dist"), { recursive: true });
  writeFileSync(launcher, source);
  writeFileSync(join(directory, "dist", "cli.cjs"), "// built\n");
  return executableAt(launcher);
}

/** A process of another program; ended with the test. */
export async function anotherProcess(): Promise<ProcessIdentity & { kill: () => Promise<void> }> {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  const ended = once(child, "exit");
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  const identity = identifyProcess(child.pid ?? 0);
  if (identity === undefined) throw new Error("the stand-in did not start");
  return { ...identity, kill };
}

/** A lease of a server that answers. */
export function readyLease(
  { root }: Pick<LeasePlace, "root">,
  executable: Executable,
  identity: ProcessIdentity,
  more: Partial<Lease> = {},
): Lease {
  const { pid, started, boot, namespace } = identity;
  return {
    schema: "majordomus-server-lease/v1",
    token: TOKEN,
    state: "ready",
    url: "http://127.0.0.1:8741",
    root,
    executable: executable.path,
    version: "0.0.0-test",
    build: executable.build ?? "none",
    pid,
    started,
    boot,
    namespace,
    begun_at: "2026-09-04T12:00:00Z",
    served_branch: "main",
    ...more,
  };
}

/** Puts bytes in the lease's place. */
export function putLease(checkout: LeasePlace, content: unknown): void {
  mkdirSync(dirname(leasePath(checkout)), { recursive: true });
  writeFileSync(leasePath(checkout), typeof content === "string" ? content : JSON.stringify(content), {
    mode: 0o600,
  });
}

/** A work tree, and a program that servers are started from. */
export function place(source?: string): { checkout: LeasePlace; program: Executable } {
  const checkout = leasePlace();
  return { checkout, program: fakeProgram(join(checkout.root, ".git", "program"), source) };
}
