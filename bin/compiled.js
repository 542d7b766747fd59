// Loads the program's CommonJS bundles with what V8 compiled of them the last time: to compile is a third of
// what a hook costs. The compiled form lies beside the bundles, where whoever may write could as well change
// the program itself; an installation that cannot be written to simply compiles each time.
"use strict";

const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const vm = require("node:vm");

const DIST = path.join(__dirname, "..", "dist");
/** Some fifty commands and a dozen events, each with a few bundles. */
const MOST_FILES = 192;
/** A line that was not understood has run next to nothing of its command. */
const USAGE = 2;
const ABANDONED_MILLISECONDS = 60_000;

/** One folder for each Node that runs the program: V8 refuses what another version compiled. */
function folderOfNode() {
  const { size, mtimeMs } = fs.statSync(process.execPath);
  return path.join(DIST, "compiled", `${process.version}-${process.arch}-${size}-${Math.floor(mtimeMs)}`);
}

/** The build ends each bundle with a comment that names its content. */
const MARK = /^\/\/[0-9a-f]{64}\n$/;
const MARK_BYTES = 67;

/**
 * The compiled form of exactly this source, undamaged. V8 compares neither, and dies of what is wrong: so
 * the file begins with the source's mark, and holds the compiled form twice.
 */
function recall(file, mark) {
  let kept;
  try {
    kept = fs.readFileSync(file);
  } catch {
    return undefined;
  }
  const middle = (kept.length + MARK_BYTES) / 2;
  if (!Number.isInteger(middle) || !kept.subarray(0, MARK_BYTES).equals(mark)) return undefined;
  const data = kept.subarray(MARK_BYTES, middle);
  return data.length > 0 && data.equals(kept.subarray(middle)) ? data : undefined;
}

/** Written once, whole or not at all; of several processes, one writes. */
function keep(file, script, mark) {
  const folder = path.dirname(file);
  const unfinished = `${file}.new`;
  try {
    fs.mkdirSync(folder, { recursive: true });
    if (fs.readdirSync(folder).length >= MOST_FILES) return;
    const left = fs.statSync(unfinished, { throwIfNoEntry: false });
    if (left !== undefined && Date.now() - left.mtimeMs > ABANDONED_MILLISECONDS) fs.unlinkSync(unfinished);
    const data = script.createCachedData();
    fs.writeFileSync(unfinished, Buffer.concat([mark, data, data]), { flag: "wx", flush: true });
    fs.renameSync(unfinished, file);
  } catch {
    // The next process compiles again.
  }
}

function importModule(wanted) {
  return import(pathToFileURL(path.join(DIST, wanted)).href);
}

/** What is to be kept of the bundles that this thread compiled. */
const compiled = [];

/** Keeps what was compiled up to now, once: at a process's end, or when a thread has done its first work. */
exports.keepCompiled = function keepCompiled() {
  const made = compiled.splice(0);
  if (process.exitCode === USAGE) return;
  for (const [file, script, mark] of made) keep(file, script, mark);
};

/**
 * Runs a bundle, and the bundles that it requires.
 *
 * @param name the bundle's file name in `dist`
 * @param task what this process does, a plain word: what it compiles is kept under it for the next such one
 */
exports.run = function run(name, task) {
  const folder = /^[A-Za-z-]{1,32}$/.test(task) ? folderOfNode() : undefined;
  const loaded = new Map();
  const load = (bundle) => {
    const known = loaded.get(bundle);
    if (known !== undefined) return known.exports;
    const filename = path.join(DIST, bundle);
    const source = fs.readFileSync(filename);
    const mark = source.subarray(-MARK_BYTES);
    const isMarked = MARK.test(mark.toString("latin1"));
    const file = isMarked && folder !== undefined ? path.join(folder, `${bundle}.${task}`) : undefined;
    const cachedData = file === undefined ? undefined : recall(file, mark);
    // What the build has marked is plain ASCII.
    const text = source.toString(isMarked ? "latin1" : "utf8");
    const wrapped = `(function (exports, require, module, __dirname, importModule) {${text}\n})`;
    const script = new vm.Script(wrapped, { filename, cachedData });
    if (file !== undefined && cachedData === undefined) {
      // Not yet: V8 compiles most of it when it is called.
      if (compiled.length === 0) process.once("exit", exports.keepCompiled);
      compiled.push([file, script, mark]);
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
