import { build } from "esbuild";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { lightLibraries } from "../../build-libraries.mjs";

const ROOT = dirname(dirname(import.meta.dirname));

/**
 * Bundles the console on made-up data the way the program itself is bundled.
 *
 * @returns the path of a module for `node`.
 */
export async function bundleConsole(): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), "majordomus-console-"));
  await build({
    absWorkingDir: ROOT,
    entryPoints: { console: "test/support/console-program.ts" },
    outdir,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: "esm",
    splitting: true,
    outExtension: { ".js": ".mjs" },
    logLevel: "error",
    define: {
      "process.env.NODE_ENV": '"production"',
      "process.env.DEV": '"false"',
      __MAJORDOMUS_VERSION__: '"0.0.0-test"',
    },
    alias: { "react-devtools-core": join(ROOT, "src/tui/no-devtools.ts") },
    plugins: [lightLibraries(ROOT)],
    logOverride: { "empty-import-meta": "silent" },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return join(outdir, "console.mjs");
}
