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

/**
 * Most hooks are heartbeats: they touch a file and leave a receipt. What they do not need is in files of its
 * own: the whole boundary for starts and ends, YAML for settings that were edited.
 */
const apart = {
  name: "apart",
  setup(builder) {
    builder.onResolve({ filter: /\/(?:text\/yaml|handle)\.ts$/ }, ({ kind, path }) =>
      kind === "dynamic-import"
        ? { path: path.endsWith("yaml.ts") ? "./yaml.cjs" : "./boundary.cjs", external: true }
        : undefined,
    );
  },
};

/**
 * Loading these costs a heartbeat several milliseconds each: every name of them is a stand-in that loads its
 * module when it is called, constructed or looked into.
 */
const LATE = {
  "node:child_process": ["execFileSync", "spawnSync"],
  "node:crypto": ["createHash", "randomBytes", "randomInt"],
  "node:net": ["Socket"],
  "node:os": ["constants"],
  "node:tty": ["isatty"],
};
const standIn = (module, name) =>
  `export const ${name} = new Proxy(function () {}, {
    apply: (_, self, given) => require("${module}").${name}(...given),
    construct: (_, given) => new (require("${module}").${name})(...given),
    get: (_, key) => require("${module}").${name}[key],
  });`;
const late = {
  name: "late",
  setup(builder) {
    builder.onResolve({ filter: /^node:(?:child_process|crypto|net|os|tty)$/ }, ({ path, namespace }) =>
      namespace === "late" ? { path, external: true } : { path, namespace: "late" },
    );
    builder.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
      contents: LATE[path].map((name) => standIn(path, name)).join("\n"),
      loader: "js",
    }));
  },
};

const commonJs = {
  ...shared,
  outdir: fresh,
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  minify: true,
  // A real import() of a CommonJS file would first be searched for its exports, byte by byte.
  supported: { "dynamic-import": false },
};
const hook = await build({ ...commonJs, entryPoints: { hook: "src/hooks/main.ts" }, plugins: [apart, late] });
const boundary = await build({
  ...commonJs,
  entryPoints: { boundary: "src/core/boundary/handle.ts" },
  plugins: [apart, late],
});
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
const parts = [hook.metafile, boundary.metafile];
const largest = Math.max(...parts.flatMap(({ outputs }) => Object.values(outputs)).map((output) => output.bytes));
const forbidden = parts
  .flatMap(({ inputs }) => Object.keys(inputs))
  .filter((path) => /node_modules\/(ink|react|simple-git|piscina|zustand|yaml|@modelcontextprotocol)\//.test(path));
if (largest > limit || forbidden.length > 0) {
  console.error(`hook bundle refused: ${largest} bytes of ${limit}; forbidden inputs: ${forbidden.join(", ") || "none"}`);
  rmSync(`${root}/${fresh}`, { recursive: true, force: true });
  process.exit(1);
}

rmSync(`${root}/dist`, { recursive: true, force: true });
renameSync(`${root}/${fresh}`, `${root}/dist`);
