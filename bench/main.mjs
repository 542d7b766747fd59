// Node 20 cannot read TypeScript: the benchmarks are bundled first, then run from there.
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = new URL("..", import.meta.url).pathname;
const cache = `${root}node_modules/.cache/majordomus-bench`;
mkdirSync(cache, { recursive: true });
await build({
  entryPoints: ["run", "ledger-pool", "ledger-thread", "ledger-writer"].map(
    (name) => `${root}bench/${name}.ts`,
  ),
  outdir: cache,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  logLevel: "error",
  external: ["@lydell/node-pty", "@xterm/headless", "piscina"],
  define: { __MAJORDOMUS_VERSION__: '"bench"', __BENCH_ROOT__: JSON.stringify(root) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});
await import(pathToFileURL(`${cache}/run.mjs`).href);
