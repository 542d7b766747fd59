// Mutation tests of the rules that decide: `npm run test:mutation`, or `npm run test:mutation -- <rule> ...`.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { report } from "./report.mjs";
import { RULES } from "./rules.mjs";

const ROOT = dirname(dirname(import.meta.dirname));
const STRYKER = join(ROOT, "node_modules/@stryker-mutator/core/bin/stryker.js");
/** Results of sources and tests that have not changed since: a run that was cut short goes on where it was. */
const KEPT = join(ROOT, "node_modules/.cache/majordomus-mutation");
/** A score below it is a failure; so is a survivor that nobody has explained. */
const LEAST_SCORE = 90;

/** Mutants are planted into a copy: the work tree is never touched, whatever becomes of the run. */
function makeCopy() {
  const copy = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-mutation-")));
  for (const part of ["src", "test", "bin", "dist", "package.json"]) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

function configure(copy, source, tests) {
  const test = {
    include: tests.map((path) => `test/${path}`),
    testTimeout: 60_000,
    env: { CI: "false", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  };
  const vitest = { define: { __MAJORDOMUS_VERSION__: '"0.0.0-test"' }, test };
  writeFileSync(join(copy, "vitest.config.mjs"), `export default ${JSON.stringify(vitest)};\n`);
  const stryker = {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.config.mjs" },
    // Its own sandbox would ask the compiler's API about tsconfig.json, and TypeScript 7 has none.
    inPlace: true,
    mutate: [`src/${source}`],
    concurrency: 2,
    timeoutMS: 20_000,
    reporters: ["json", "clear-text"],
    jsonReporter: { fileName: "mutation.json" },
    clearTextReporter: { allowColor: false, allowEmojis: false, reportTests: false, logTests: false },
    allowConsoleColors: false,
  };
  writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(stryker));
}

function keptPath(source, tests) {
  const hash = createHash("sha256");
  for (const path of [`src/${source}`, ...tests.map((test) => `test/${test}`)]) {
    hash.update(readFileSync(join(ROOT, path)));
  }
  return join(KEPT, `${hash.digest("hex").slice(0, 32)}.json`);
}

function mutateSource(source, tests) {
  const kept = keptPath(source, tests);
  if (!existsSync(kept)) {
    const copy = makeCopy();
    try {
      configure(copy, source, tests);
      const { status } = spawnSync(process.execPath, [STRYKER, "run"], { cwd: copy, stdio: "inherit" });
      if (status !== 0) throw new Error(`Stryker ended with ${status}`);
      mkdirSync(KEPT, { recursive: true });
      cpSync(join(copy, "mutation.json"), kept);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
  return JSON.parse(readFileSync(kept, "utf8")).files;
}

function mutate(name) {
  const { sources, tests } = RULES[name];
  return { files: Object.assign({}, ...sources.map((source) => mutateSource(source, tests))) };
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(RULES, name));
if (unknown.length > 0) {
  process.stderr.write(`no such rule: ${unknown.join(", ")}; there are ${Object.keys(RULES).join(", ")}\n`);
  process.exit(2);
}
for (const name of asked.length > 0 ? asked : Object.keys(RULES)) {
  const { score, unexplained } = report(name, mutate(name));
  process.stdout.write(`${name}: ${score.toFixed(1)} %, ${unexplained.length} survivors without a reason\n`);
  for (const line of unexplained) process.stdout.write(`  ${line}\n`);
  if (score < LEAST_SCORE || unexplained.length > 0) process.exitCode = 1;
}
