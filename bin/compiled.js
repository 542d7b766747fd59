// Keeps what V8 compiled of the bundles for the next process. It lies beside the bundles, where whoever may write
// could as well change the program itself; an installation that cannot be written to simply compiles each time.
"use strict";

const fs = require("node:fs");
const path = require("node:path");

/** Some fifty commands and a dozen events, each with a few bundles. */
const MOST_FILES = 192;
/** A line that was not understood has run next to nothing of its command. */
const USAGE = 2;
const ABANDONED_MILLISECONDS = 60_000;

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
    const whole = Buffer.concat([Buffer.from(mark, "latin1"), data, data]);
    fs.writeFileSync(unfinished, whole, { flag: "wx", flush: true });
    fs.renameSync(unfinished, file);
  } catch {
    // The next process compiles again.
  }
}

/** Keeps each `[file, script, mark]`. */
exports.keepAll = function keepAll(compiled) {
  if (process.exitCode === USAGE) return;
  for (const [file, script, mark] of compiled) keep(file, script, mark);
};
