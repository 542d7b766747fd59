// What the console's libraries do while they are loaded, and its first frame does not need, is put off or left
// out of the bundle. Each change names what it expects to find: a library that became another fails the build.
import { readFileSync } from "node:fs";

/** Makes an object of one method when that is called for the first time. */
const whenCalled = (name, method, made) =>
  `let ${name}Made; const ${name} = { ${method}: (text) => (${name}Made ??= ${made}).${method}(text) };`;

/**
 * By file: what stands there, and what is put in its place. To make a segmenter loads its tables, 15 ms; the
 * pattern of all emoji takes 30 ms to read. Text of single cells needs neither.
 */
const CHANGES = [
  {
    file: /\/string-width\/index[.]js$/,
    changes: [
      [
        /^const (segmenter) = (new Intl[.]Segmenter\(\));$/m,
        (_, name, made) => whenCalled(name, "segment", made),
      ],
    ],
    perhaps: [[/^const (rgiEmojiRegex) = (.+);$/m, (_, name, made) => whenCalled(name, "test", made)]],
  },
  {
    file: /\/slice-ansi\/tokenize-ansi[.]js$/,
    changes: [
      [
        /^const (GRAPHEME_SEGMENTER) = (new Intl[.]Segmenter\(.+\));$/m,
        (_, name, made) => whenCalled(name, "segment", made),
      ],
    ],
  },
  {
    // Letters with marks are taken apart by tens of thousands, for a palette that nobody has opened yet.
    file: /\/fzf\/dist\/fzf[.]es[.]js$/,
    changes: [
      [
        /^(for \(let i = "\\u0300"[\s\S]+?^\}\n)(const ranges = [\s\S]+?^\};\n)(for \(const lowerChar of [\s\S]+?^\}\n)/m,
        "let isFilled = false; function fillNormalized() { isFilled = true;\n$1$2$3}\n",
      ],
      ["  const normalizedChar =", "  if (!isFilled) fillNormalized();\n  const normalizedChar ="],
    ],
  },
  {
    // Ink awaits at its top level only where its developer's tools are wanted; CommonJS cannot await there.
    file: /\/ink\/build\/reconciler[.]js$/,
    changes: [
      [/^if \(isDev\(\)\) \{\n {4}try \{\n {8}await import[\s\S]+?^\}\n/m, ""],
      ["? await loadPackageJson()", "? undefined"],
    ],
  },
  {
    // The size is always asked of our screen, and what others print is not caught: both would load much of Node.
    file: /\/ink\/build\/ink[.]js$/,
    changes: [
      ["import terminalSize from 'terminal-size';", "const terminalSize = () => undefined;"],
      ["import patchConsole from 'patch-console';", "const patchConsole = () => () => undefined;"],
    ],
  },
];

function changed({ file, changes, perhaps = [] }, path) {
  let text = readFileSync(path, "utf8");
  for (const [from, to] of changes) {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`${path}: nothing there looks like ${from}, see ${file}`);
    text = next;
  }
  for (const [from, to] of perhaps) text = text.replace(from, to);
  return text;
}

const YOGA = "yoga-layout/dist";
const BINARY = /"data:application\/octet-stream;base64,([^"]+)"/;

/**
 * Yoga awaits at its top level, and fetches itself from its own text: that loads Node's whole HTTP client, and
 * takes 45 ms. Compiled in place from its bytes it takes 10.
 */
function yogaInPlace(root) {
  const wasm = `${root}/node_modules/${YOGA}/binaries/yoga-wasm-base64-esm.js`;
  return `
    import load from ${JSON.stringify(wasm)};
    import wrapAssembly from ${JSON.stringify(`${root}/node_modules/${YOGA}/src/wrapAssembly.js`)};
    import bytes from "yoga.wasm";
    const library = {
      instantiateWasm(imports, receive) {
        const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
        receive(instance);
        return instance.exports;
      },
    };
    void load(library);
    export default wrapAssembly(library);
    export * from ${JSON.stringify(`${root}/node_modules/${YOGA}/src/generated/YGEnums.js`)};
  `;
}

/** The plugin of esbuild that bundles the libraries which draw. */
export function lightLibraries(root) {
  return {
    name: "light libraries",
    setup(builder) {
      builder.onResolve({ filter: /^yoga-layout$/ }, () => ({ path: "yoga", namespace: "in place" }));
      builder.onLoad({ filter: /^yoga$/, namespace: "in place" }, () => ({
        contents: yogaInPlace(root),
        resolveDir: root,
      }));
      builder.onResolve({ filter: /^yoga[.]wasm$/ }, () => ({ path: "wasm", namespace: "in place" }));
      builder.onLoad({ filter: /^wasm$/, namespace: "in place" }, () => {
        const text = readFileSync(`${root}/node_modules/${YOGA}/binaries/yoga-wasm-base64-esm.js`, "utf8");
        const encoded = BINARY.exec(text)?.[1];
        if (encoded === undefined) throw new Error("yoga-layout carries its binary in another way");
        return { contents: Buffer.from(encoded, "base64"), loader: "binary" };
      });
      builder.onLoad({ filter: /\/yoga-wasm-base64-esm[.]js$/ }, ({ path }) => ({
        contents: readFileSync(path, "utf8").replace(BINARY, '""'),
        loader: "js",
      }));
      // Imported as a module, it is copied name by name for each of the twenty files that do.
      builder.onResolve({ filter: /^(?:node:)?process$/ }, ({ kind }) =>
        kind === "import-statement" ? { path: "process", namespace: "in place" } : undefined,
      );
      builder.onLoad({ filter: /^process$/, namespace: "in place" }, () => ({
        contents:
          "const here = globalThis.process; export default here; export const { cwd, env, platform } = here;",
      }));
      for (const change of CHANGES) {
        builder.onLoad({ filter: change.file }, ({ path }) => ({
          contents: changed(change, path),
          loader: "js",
        }));
      }
      // Our rows are whole: see there.
      builder.onResolve({ filter: /^[.]\/output[.]js$/ }, ({ importer }) =>
        /\/ink\/build\/renderer[.]js$/.test(importer) ? { path: "rows", namespace: "in place" } : undefined,
      );
      builder.onLoad({ filter: /^rows$/, namespace: "in place" }, () => ({
        contents: `export { WholeRows as default } from ${JSON.stringify(`${root}/src/tui/screen/whole-rows.ts`)};`,
        resolveDir: root,
      }));
    },
  };
}
