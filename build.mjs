// Bundles one file per kind of process, all of them CommonJS: the loader of ES modules alone costs 10 ms, and what
// V8 compiled can be kept of CommonJS alone. Small ones for hooks and the console's first row, one for commands and
// servers, one for the console, one for the pool's workers.
import { createHash } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename } from "node:path";
import { build } from "esbuild";
import { lightLibraries } from "./build-libraries.mjs";

const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const root = import.meta.dirname;

// Hooks may fire while this runs: the old bundles stay until the new ones are whole.
const fresh = `dist.${process.pid}`;

/** Parsed settings are kept for the next process; one of another build may see them otherwise. */
function formOfSettings() {
  const hash = createHash("sha256");
  const directory = `${root}/src/core/policy`;
  for (const name of readdirSync(directory).toSorted()) hash.update(readFileSync(`${directory}/${name}`));
  return hash.digest("hex").slice(0, 16);
}

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
    __MAJORDOMUS_SETTINGS__: JSON.stringify(formOfSettings()),
  },
  // Ink imports its devtools conditionally, but the import is hoisted by any bundler.
  alias: { "react-devtools-core": `${root}/src/tui/no-devtools.ts` },
};

/**
 * Most hooks are heartbeats: they touch a file and leave a receipt. What they do not need is in files of its
 * own: the whole boundary for starts and ends, YAML for settings that were edited.
 */
const APART = {
  yaml: "src/core/text/yaml.ts",
  settings: "src/core/policy/parse-settings.ts",
  boundary: "src/core/boundary/handle.ts",
  "capsule-start": "src/core/boundary/capsule-start.ts",
  "capsule-flush": "src/core/boundary/capsule-flush.ts",
  "journal-prompt": "src/core/boundary/journal-prompt.ts",
  "commit-record": "src/core/boundary/commit-record.ts",
};
const apartIn = (names) => ({
  name: "apart",
  setup(builder) {
    for (const [source, name] of names) {
      const filter = new RegExp(`/${basename(source).replace(".", "[.]")}$`);
      builder.onResolve({ filter }, ({ kind }) =>
        kind === "dynamic-import" ? { path: `./${name}.cjs`, external: true } : undefined,
      );
    }
  },
});
const apart = apartIn(Object.entries(APART).map(([name, source]) => [source, name]));

/**
 * A start, for which somebody waits, needs most of the boundary and the capsules: to have all that in one file spares
 * it what several files have in common. What only some starts need stays apart.
 */
const START = "src/hooks/main.ts";
const BEYOND_START = [
  "src/core/boundary/compact.ts",
  "src/core/boundary/derive.ts",
  "src/core/boundary/derive-knowledge.ts",
  "src/core/boundary/end.ts",
  "src/core/boundary/make-up-ends.ts",
];
const apartFromStart = apartIn([
  ...["yaml", "settings", "capsule-flush", "journal-prompt", "commit-record"].map((name) => [
    APART[name],
    name,
  ]),
  ...BEYOND_START.map((source) => [source, "beyond-start"]),
]);
const together = (sources) => ({
  contents: sources.map((source) => `export * from "./${source}";`).join("\n"),
  resolveDir: root,
  sourcefile: "together.ts",
});

/**
 * Loading these costs a heartbeat several milliseconds each: every name of them is a stand-in that loads its
 * module when it is called, constructed or looked into.
 */
const LATE = {
  "node:child_process": ["execFileSync", "spawn", "spawnSync"],
  "node:crypto": [
    "createHash",
    "createPrivateKey",
    "createPublicKey",
    "hash",
    "randomBytes",
    "randomInt",
    "randomUUID",
    "sign",
    "timingSafeEqual",
    "verify",
  ],
  "node:http": ["createServer", "request"],
  "node:net": ["Socket"],
  "node:os": ["constants", "tmpdir", "uptime"],
  "node:tty": ["isatty"],
};
const standIn = (module, name) =>
  `let loaded_${name};
  const real_${name} = () => (loaded_${name} ??= require("${module}").${name});
  export const ${name} = new Proxy(function () {}, {
    apply: (_, self, given) => real_${name}()(...given),
    construct: (_, given) => new (real_${name}())(...given),
    get: (_, key) => real_${name}()[key],
  });`;
const late = {
  name: "late",
  setup(builder) {
    builder.onResolve({ filter: /^node:(?:child_process|crypto|http|net|os|tty)$/ }, ({ path, importer }) => {
      if (importer.startsWith(`${root}/src/`)) return { path, namespace: "late" };
      // Packages may ask for any name of a module, and get all of it; the parser of command lines asks for none.
      const isWhole = importer.includes("/node_modules/commander/");
      return isWhole ? { path, namespace: "late-whole" } : { path, external: true };
    });
    builder.onLoad({ filter: /.*/, namespace: "late-whole" }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, key) => require("${path}")[key] });`,
      loader: "js",
    }));
    builder.onLoad({ filter: /.*/, namespace: "late" }, ({ path }) => ({
      contents: LATE[path].map((name) => standIn(path, name)).join("\n"),
      loader: "js",
    }));
  },
};

/**
 * To make the schemas of a whole bundle costs a hook six milliseconds, and few of them are asked: what is said of them
 * at a module's top is noted, and done when a schema is first looked into.
 */
const SCHEMA_WORDS = `
  array boolean catchall enum extend int literal looseObject maximum maxLength
  minimum minLength nullable number object optional pipe prefault record refine
  regex strictObject string transform trim undefined union unknown
`
  .trim()
  .split(/\s+/);
const lateSchemas = {
  name: "late-schemas",
  setup(builder) {
    builder.onResolve({ filter: /^zod\/mini$/ }, ({ path }) => ({ path, namespace: "late-schemas" }));
    builder.onLoad({ filter: /.*/, namespace: "late-schemas" }, () => ({
      contents: `
        const MAKE = Symbol();
        const made = (value) => {
          if (typeof value === "function") return value[MAKE]?.() ?? value;
          if (Array.isArray(value)) return value.map(made);
          if (typeof value !== "object" || value === null) return value;
          return Object.getPrototypeOf(value) === Object.prototype
            ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, made(one)]))
            : value;
        };
        const standIn = (first) => {
          let schema;
          const make = () => (schema ??= first());
          return new Proxy(() => {}, {
            get: (_, key) => {
              if (key === MAKE) return make;
              if (key === "check") return (...given) => standIn(() => make().check(...made(given)));
              return make()[key];
            },
            has: (_, key) => key in make(),
          });
        };
        const late = (word) => (...given) => standIn(() => require("./schemas.cjs")[word](...made(given)));
        ${SCHEMA_WORDS.map((word) => `const ${word}_ = late("${word}");`).join("\n")}
        export { ${SCHEMA_WORDS.map((word) => `${word}_ as ${word}`).join(", ")} };`,
      loader: "js",
    }));
    builder.onResolve({ filter: /^[.]\/schemas[.]cjs$/ }, ({ path }) => ({ path, external: true }));
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
const { yaml, ...others } = APART;
const parts = [];
// An end that nobody took is seldom made up for: the file that has it for a start serves every other event too.
const apartFromHooks = apartIn([
  ...Object.entries(APART).map(([name, source]) => [source, name]),
  ["src/core/boundary/make-up-ends.ts", "beyond-start"],
]);
for (const [name, source] of Object.entries({ hook: "src/hooks/main.ts", ...others })) {
  const plugins = [apartFromHooks, late];
  const { metafile } = await build({ ...commonJs, entryPoints: { [name]: source }, plugins });
  parts.push(metafile);
}
await build({ ...commonJs, entryPoints: { yaml } });
parts.push(
  (
    await build({
      ...commonJs,
      stdin: { contents: `export { ${SCHEMA_WORDS.join(", ")} } from "zod/mini";`, resolveDir: root },
      outdir: undefined,
      outExtension: undefined,
      outfile: `${fresh}/schemas.cjs`,
    })
  ).metafile,
  (
    await build({
      ...commonJs,
      entryPoints: { start: START },
      logOverride: { "import-is-undefined": "error" },
      plugins: [apartFromStart, late, lateSchemas],
    })
  ).metafile,
  (
    await build({
      ...commonJs,
      stdin: together(BEYOND_START),
      outdir: undefined,
      outExtension: undefined,
      outfile: `${fresh}/beyond-start.cjs`,
      plugins: [apart, late],
    })
  ).metafile,
);
// What a turn's end starts and does not wait for: one file, loaded whole.
const autosave = await build({ ...commonJs, entryPoints: { autosave: "src/hooks/autosave-main.ts" } });
parts.push(autosave.metafile);

/** The kit of MCP is half a megabyte: a server loads it for the first client that speaks it, a command never. */
const KIT = ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio"];

/** Libraries that draw, YAML and rules about secrets are seldom wanted: bundles of their own. */
const drawing = {
  name: "drawing",
  setup(builder) {
    builder.onResolve({ filter: /\/(?:console|once)[.]tsx$/ }, ({ path, kind }) =>
      kind === "dynamic-import"
        ? { path: `./${basename(path).replace(/[.]tsx$/, ".cjs")}`, external: true }
        : undefined,
    );
    builder.onResolve({ filter: /^@modelcontextprotocol\/server(?:\/stdio)?$/ }, () => ({
      path: "./mcp-kit.cjs",
      external: true,
    }));
    builder.onResolve({ filter: /\/(?:secretlint|yaml)[.]ts$/ }, ({ path }) => ({
      path: basename(path, ".ts"),
      namespace: "apart",
    }));
    builder.onLoad({ filter: /.*/, namespace: "apart" }, ({ path }) => ({
      contents:
        path === "yaml"
          ? // Whoever imports it may never call it.
            'export const parseYaml = (...given) => require("./yaml.cjs").parseYaml(...given);'
          : `module.exports = require("./${path}.cjs")`,
    }));
    builder.onResolve({ filter: /^[.]\/(?:secretlint|yaml)[.]cjs$/ }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};
/** What secretlint would print for its makers, of texts that may hold secrets: whatever DEBUG says, it prints nothing. */
const silent = {
  name: "silent",
  setup(builder) {
    builder.onResolve({ filter: /^debug$/ }, () => ({ path: "debug", namespace: "silent" }));
    builder.onLoad({ filter: /.*/, namespace: "silent" }, () => ({
      contents: "export default () => () => undefined;",
    }));
  },
};
// piscina starts its own worker.js by path and cannot be bundled.
const external = ["piscina"];
await build({
  ...commonJs,
  entryPoints: { secretlint: "src/core/continuity/secretlint.ts" },
  alias: { "@secretlint/profiler": `${root}/src/core/continuity/no-profiler.ts` },
  plugins: [silent],
});
await build({
  ...commonJs,
  stdin: { contents: KIT.map((name) => `export * from "${name}";`).join("\n"), resolveDir: root },
  outfile: `${fresh}/mcp-kit.cjs`,
  outdir: undefined,
  outExtension: undefined,
});
const { outputFiles } = await build({
  ...commonJs,
  entryPoints: { cli: "src/cli/main.ts" },
  supported: {},
  external,
  plugins: [lightLibraries(root), drawing, late],
  write: false,
});
// What is compiled by itself may not import, and the other bundles are required anyway.
for (const { path, text } of outputFiles) {
  writeFileSync(
    path,
    text.replaceAll(/\bimport\("([.]\/[\w-]+[.]cjs)"\)/g, 'Promise.resolve(require("$1"))'),
  );
}
// The console's first row: what it needs and no more, and then the command line.
await build({
  ...commonJs,
  entryPoints: { tui: "src/cli/console-main.ts" },
  plugins: [
    {
      name: "then the command line",
      setup(builder) {
        builder.onResolve({ filter: /\/main[.]ts$/ }, ({ kind }) =>
          kind === "dynamic-import" ? { path: "./cli.cjs", external: true } : undefined,
        );
      },
    },
    lightLibraries(root),
    late,
  ],
});
for (const name of ["console", "once"]) {
  await build({
    ...commonJs,
    entryPoints: { [name]: `src/tui/${name}.tsx` },
    plugins: [lightLibraries(root), drawing, late],
    // Where yoga lies is of no use to what is compiled in place.
    logOverride: { "empty-import-meta": "silent" },
  });
}
await build({
  ...commonJs,
  entryPoints: { worker: "src/workers/entry.ts" },
  external,
  plugins: [drawing, late],
});
// What V8 compiled of a bundle is kept here under its mark: see bin/compiled.js.
mkdirSync(`${root}/${fresh}/compiled`);
for (const name of readdirSync(`${root}/${fresh}`)) {
  if (!name.endsWith(".cjs")) continue;
  const path = `${root}/${fresh}/${name}`;
  const bundle = readFileSync(path);
  // One other character, as in a pattern, doubles what a process holds of a bundle, and the time to read it.
  if (bundle.some((byte) => byte > 0x7f)) throw new Error(`${name} is not plain ASCII`);
  const mark = createHash("sha256").update(bundle).digest("hex");
  appendFileSync(path, `//${mark}\n`);
}

const limit = 250 * 1024;
const largest = Math.max(
  ...parts.flatMap(({ outputs }) => Object.values(outputs)).map((output) => output.bytes),
);
const forbidden = parts
  .flatMap(({ inputs }) => Object.keys(inputs))
  .filter((path) =>
    /node_modules\/(ink|react|simple-git|piscina|zustand|yaml|@modelcontextprotocol)\//.test(path),
  );
if (largest > limit || forbidden.length > 0) {
  console.error(
    `hook bundle refused: ${largest} bytes of ${limit}; forbidden inputs: ${forbidden.join(", ") || "none"}`,
  );
  rmSync(`${root}/${fresh}`, { recursive: true, force: true });
  process.exit(1);
}

rmSync(`${root}/dist`, { recursive: true, force: true });
renameSync(`${root}/${fresh}`, `${root}/dist`);
