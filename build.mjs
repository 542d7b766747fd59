// Bundles one file per kind of process: a small CommonJS one for hooks (the ESM loader alone costs
// a hook 10 ms), and split ES modules for the command line, the console and the pool's workers.
import { readFileSync, renameSync, rmSync } from "node:fs";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const root = import.meta.dirname;

// Hooks may fire while this runs: the old bundles stay until the new ones are whole.
const fresh = `dist.${process.pid}`;

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: false,
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  define: {
    // React's development build triples the time of a frame.
    "process.env.NODE_ENV": '"production"',
    "process.env.DEV": '"false"',
    __MAJORDOMUS_VERSION__: JSON.stringify(version),
  },
  // Ink imports its devtools conditionally, but the import is hoisted by any bundler.
  alias: { "react-devtools-core": `${root}/src/tui/no-devtools.ts` },
};

/** A hook needs YAML only after settings were edited: the library is a file of its own, loaded then. */
const yamlApart = {
  name: "yaml-apart",
  setup(builder) {
    builder.onResolve({ filter: /\/text\/yaml\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./yaml.cjs", external: true } : undefined,
    );
  },
};

const commonJs = { ...shared, outdir: fresh, format: "cjs", outExtension: { ".js": ".cjs" }, minify: true };
const hook = await build({ ...commonJs, entryPoints: { hook: "src/hooks/main.ts" }, plugins: [yamlApart] });
await build({ ...commonJs, entryPoints: { yaml: "src/core/text/yaml.ts" } });

await build({
  ...shared,
  entryPoints: { cli: "src/cli/main.ts", worker: "src/workers/entry.ts" },
  outdir: fresh,
  format: "esm",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  outExtension: { ".js": ".mjs" },
  // piscina starts its own worker.js by path and cannot be bundled.
  external: ["piscina"],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

const limit = 250 * 1024;
const bytes = Object.entries(hook.metafile.outputs).reduce((sum, [, o]) => sum + o.bytes, 0);
const forbidden = Object.keys(hook.metafile.inputs).filter((path) =>
  /node_modules\/(ink|react|simple-git|piscina|zustand|yaml|@modelcontextprotocol)\//.test(path),
);
if (bytes > limit || forbidden.length > 0) {
  console.error(`hook bundle refused: ${bytes} bytes of ${limit}; forbidden inputs: ${forbidden.join(", ") || "none"}`);
  rmSync(`${root}/${fresh}`, { recursive: true, force: true });
  process.exit(1);
}

rmSync(`${root}/dist`, { recursive: true, force: true });
renameSync(`${root}/${fresh}`, `${root}/dist`);
