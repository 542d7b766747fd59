import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

declare const __BENCH_ROOT__: string;

/** The built program, as a shell or an AI tool starts it. */
export const PROGRAM = join(__BENCH_ROOT__, "bin", "majordomus");
export const RESULTS = join(__BENCH_ROOT__, "bench", "results.json");

const made: string[] = [];

/** A directory that is removed when the benches end. */
export function benchDirectory(): string {
  const directory = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-bench-")));
  made.push(directory);
  return directory;
}

export function removeBenchDirectories(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}

export function git(directory: string, command: readonly string[], input?: string | Buffer): string {
  return execFileSync(
    "git",
    ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid", "-c", "gc.auto=0", ...command],
    {
      cwd: directory,
      encoding: "utf8",
      maxBuffer: 1024 * 1024 * 1024,
      ...(input === undefined ? {} : { input }),
      stdio: ["pipe", "pipe", "ignore"],
    },
  ).trim();
}

/** A repository with a layer, and what a hook's process needs to be itself. */
export function newBenchRepository(): { root: string; environment: Record<string, string | undefined> } {
  const root = benchDirectory();
  git(root, ["init", "-q", "-b", "main"]);
  git(root, ["commit", "-q", "--allow-empty", "-m", "Begin"]);
  const environment = {
    ...process.env,
    XDG_STATE_HOME: join(root, ".git", "state"),
    MAJORDOMUS_SERVER: "off",
  };
  execFileSync(process.execPath, [PROGRAM, "init"], { cwd: root, env: environment, stdio: "ignore" });
  git(root, ["add", "-A"]);
  git(root, ["commit", "-q", "-m", "Lay the layer"]);
  return { root, environment };
}
