// Loads the program's CommonJS bundles with what V8 compiled of them the last time: to compile is a third of
// what a hook costs. The compiled form lies beside the bundles, where whoever may write could as well change
// the program itself; an installation that cannot be written to simply compiles each time.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");

const DIST = path.join(__dirname, "..", "dist");
const MOST_FILES = 64;
const ABANDONED_MILLISECONDS = 60_000;

/** One folder for each Node that runs the program: V8 refuses what another version compiled. */
function folderOfNode() {
  const { size, mtimeMs } = fs.statSync(process.execPath);
  return path.join(DIST, "compiled", `${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}`);
}

/**
 * The compiled form of exactly this source, undamaged. V8 compares neither, and dies of what is wrong: so
 * the file holds the compiled form twice, and the source behind it.
 */
function recall(file, source) {
  let kept;
  try {
    kept = fs.readFileSync(file);
  } catch {
    return undefined;
  }
  const length = (kept.length - source.length) / 2;
  if (!Number.isInteger(length) || length <= 0 || !kept.subarray(2 * length).equals(source)) return undefined;
  const compiled = kept.subarray(0, length);
  return compiled.equals(kept.subarray(length, 2 * length)) ? compiled : undefined;
}

/** Written once, whole or not at all; of several processes, one writes. */
function keep(file, script, source) {
  const folder = path.dirname(file);
  const unfinished = `${file}.new`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    if (fs.readdirSync(folder).length >= MOST_FILES) return;
    const left = fs.statSync(unfinished, { throwIfNoEntry: false });
    if (left !== undefined && Date.now() - left.mtimeMs > ABANDONED_MILLISECONDS) fs.unlinkSync(unfinished);
    const compiled = script.createCachedData();
    fs.writeFileSync(unfinished, Buffer.concat([compiled, compiled, source]), { flag: "wx", flush: true });
    fs.renameSync(unfinished, file);
  } catch {
    // The next process compiles again.
  }
}

function importModule(wanted) {
  return import(pathToFileURL(path.join(DIST, wanted)).href);
}

/**
 * Runs a bundle, and the bundles that it requires.
 *
 * @param name the bundle's file name in `dist`
 * @param task what this process does, a plain word: what it compiles is kept under it for the next such one
 */
exports.run = function run(name, task) {
  const folder = /^[A-Za-z][A-Za-z-]{0,31}$/.test(task) ? folderOfNode() : undefined;
  const loaded = new Map();
  const load = (bundle) => {
    const known = loaded.get(bundle);
    if (known !== undefined) return known.exports;
    const filename = path.join(DIST, bundle);
    const source = fs.readFileSync(filename);
    const file = folder === undefined ? undefined : path.join(folder, `${bundle}.${task}`);
    const cachedData = file === undefined ? undefined : recall(file, source);
    const wrapped = `(function (exports, require, module, __dirname, importModule) {${source}\n})`;
    const script = new vm.Script(wrapped, { filename, cachedData });
    if (file !== undefined && cachedData === undefined) {
      // At the end, when V8 has compiled what such a process needs.
      process.once("exit", () => keep(file, script, source));
    }
    const module = { exports: {} };
    loaded.set(bundle, module);
    const requireFrom = (wanted) =>
      wanted.startsWith("./") && wanted.endsWith(".cjs") ? load(wanted.slice(2)) : require(wanted);
    script.runInThisContext()(module.exports, requireFrom, module, DIST, importModule);
    return module.exports;
  };
  return load(name);
};
