import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { buildSync } from "esbuild";

const ROOT = dirname(dirname(import.meta.dirname));
// Inside node_modules, so that neither git nor a formatter sees it and nothing is left in a temp directory.
const PROGRAMS = join(ROOT, "node_modules", ".cache", "majordomus-test-programs");

const made = new Map<string, string>();

/**
 * Bundles a small TypeScript program to one file that plain node runs, for tests that need a process (or a
 * worker thread) of their own to kill, stop or race. The same entry is built once for each test file.
 *
 * @param entry absolute path of the program's source.
 * @returns the path of an ES module.
 */
export function bundleProgram(entry: string): string {
  const known = made.get(entry);
  if (known !== undefined) return known;
  const program = join(PROGRAMS, `${relative(ROOT, entry).replaceAll(/[\\/]/g, "-")}.mjs`);
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    logLevel: "warning",
    define: { __MAJORDOMUS_VERSION__: JSON.stringify("0.0.0-test") },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  mkdirSync(PROGRAMS, { recursive: true });
  // Test files run side by side: none may start a program that another is just writing.
  const unfinished = `${program}.${process.pid}.${made.size}`;
  writeFileSync(unfinished, outputFiles[0]?.contents ?? "");
  renameSync(unfinished, program);
  made.set(entry, program);
  return program;
}
