import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { buildSync } from "esbuild";

const made = new Map<string, string>();
let directory: string | undefined;

function outputDirectory(): string {
  if (directory !== undefined) return directory;
  const fresh = mkdtempSync(join(tmpdir(), "majordomus-bundle-"));
  process.once("exit", () => rmSync(fresh, { recursive: true, force: true }));
  directory = fresh;
  return fresh;
}

/**
 * Bundles a small TypeScript program to one file that plain node runs, for tests that need a process of
 * their own to kill, stop or race. The same entry is built once for each test file.
 *
 * @param entry absolute path of the program's source.
 * @returns the path of an ES module.
 */
export function bundleProgram(entry: string): string {
  const known = made.get(entry);
  if (known !== undefined) return known;
  const outfile = join(outputDirectory(), `${made.size}-${basename(entry).replace(/\.tsx?$/, "")}.mjs`);
  buildSync({
    entryPoints: [entry],
    outfile,
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
  made.set(entry, outfile);
  return outfile;
}
