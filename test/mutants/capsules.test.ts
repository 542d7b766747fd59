import { spawnSync } from "node:child_process";
import {
  cpSync,
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
import { afterAll, expect, test } from "vitest";
import { FULL } from "../support/full.ts";

const ROOT = dirname(dirname(import.meta.dirname));

interface Mutant {
  name: string;
  file: string;
  from: string;
  to: string;
  /** The test files that must notice. */
  tests: readonly string[];
}

/** Faults that somebody could bring in by a plausible edit; each must turn a test red. */
const MUTANTS: readonly Mutant[] = [
  {
    name: "a selector that discards without recording",
    file: "core/capsule/select.ts",
    from: "rejected.push(judged);",
    to: "",
    tests: ["core/capsule/select.test.ts"],
  },
  {
    name: "a selector that forgets what lost on date",
    file: "core/capsule/select.ts",
    from: "rejected.push(lost(name, judged)) - 1",
    to: "rejected.length",
    tests: ["core/capsule/select.test.ts"],
  },
  {
    name: "a ledger without the newest where another one is named",
    file: "core/capsule/resume-named.ts",
    from: "inOrder([...others, passed])",
    to: "inOrder(passed.name === name ? [passed] : others)",
    tests: ["core/capsule/resume-named.test.ts"],
  },
  {
    name: "a ledger that is computed and never printed",
    file: "core/capsule/procedure.ts",
    from: "...rejectionBlock(facts, depth),",
    to: "",
    tests: ["core/capsule/procedure.test.ts"],
  },
  {
    name: "no check that a capsule is active",
    file: "core/capsule/judge.ts",
    from: 'if (status !== "active")',
    to: 'if (status === "never")',
    tests: ["core/capsule/select.test.ts"],
  },
  {
    name: "a renderer of raw scalars",
    file: "core/capsule/procedure.ts",
    from: "`  ${label}: ${quoteValue(value, values.characters, bounds)}`",
    to: "`  ${label}: ${value.slice(0, values.characters + Object.keys(bounds).length)}`",
    tests: ["core/capsule/procedure.test.ts"],
  },
  {
    name: "a moved threshold of staleness",
    file: "core/capsule/age.ts",
    from: "STALE_AFTER = 7 * DAY",
    to: "STALE_AFTER = 8 * DAY",
    tests: ["core/capsule/procedure.test.ts"],
  },
  {
    name: "an autosave's label read from its prose",
    file: "core/capsule/judge.ts",
    from: 'return document.text("trigger") === AUTOSAVE_TRIGGER || hasAutosaveTag(document);',
    to: 'return /autosave|stop-delta/.test(document.text("objective") + document.text("tags") + document.text("trigger"));',
    tests: ["core/capsule/load.test.ts"],
  },
  {
    name: "no line about the age",
    file: "core/capsule/procedure.ts",
    from: "...ageLines(loaded, now).map((line) => `  ${line}`),",
    to: "...(now === 0 ? ageLines(loaded, now) : []),",
    tests: ["core/capsule/procedure.test.ts"],
  },
  {
    name: "a spend that is not read back",
    file: "core/capsule/spend.ts",
    from: 'if (hasStatus(found.path, "resumed"))',
    to: 'if (written.ok || hasStatus(found.path, "resumed"))',
    tests: ["core/capsule/spend.test.ts"],
  },
  {
    name: "a cursor that moves to the end of the file",
    file: "core/capsule/autosave/transcript.ts",
    from: "if (stuck || offset >= size) return { delta: collector.delta(), offset, more: false };",
    to: "if (stuck || offset >= size) return { delta: collector.delta(), offset: size, more: false };",
    tests: ["core/capsule/autosave/capture.test.ts"],
  },
  {
    name: "an autosave that takes a sub-agent at its word",
    file: "core/capsule/autosave/delta.ts",
    from: 'row["isSidechain"] === true || ',
    to: "",
    tests: ["core/capsule/autosave/capture.test.ts"],
  },
];

let copy = "";

/** A copy of the sources and of the tests that must notice, where a fault can be planted. */
function makeCopy(): string {
  if (copy !== "") return copy;
  copy = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-mutants-")));
  cpSync(join(ROOT, "src"), join(copy, "src"), { recursive: true });
  for (const part of ["core/capsule", "support", "fixtures/payloads/claude-code"]) {
    mkdirSync(join(copy, "test", dirname(part)), { recursive: true });
    cpSync(join(ROOT, "test", part), join(copy, "test", part), { recursive: true });
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  const config = `export default { define: { __MAJORDOMUS_VERSION__: '"0.0.0-test"' }, test: { include: ["test/**/*.test.ts"] } };\n`;
  writeFileSync(join(copy, "vitest.config.mjs"), config);
  writeFileSync(join(copy, "package.json"), '{"type":"module"}\n');
  return copy;
}

afterAll(() => {
  if (copy !== "") rmSync(copy, { recursive: true, force: true });
});

function runTests(tests: readonly string[]): number | null {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const files = tests.map((file) => `test/${file}`);
  return spawnSync(process.execPath, [vitest, "run", "--bail=1", ...files], {
    cwd: makeCopy(),
    stdio: "ignore",
    timeout: 120_000,
  }).status;
}

test("the tests are green without a fault", () => {
  const tests = FULL
    ? [...new Set(MUTANTS.flatMap((mutant) => mutant.tests))]
    : ["core/capsule/procedure.test.ts"];
  expect(runTests(tests)).toBe(0);
});

// All of them with `npm run test:full`; in the quick run the first and the fastest ones stand for the rest.
test.each(FULL ? MUTANTS : MUTANTS.slice(0, 3))("$name turns a test red", ({ file, from, to, tests }) => {
  const path = join(makeCopy(), "src", file);
  const source = readFileSync(path, "utf8");
  expect(source.split(from), "the place of the fault").toHaveLength(2);
  try {
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    expect(runTests(tests)).toBe(1);
  } finally {
    writeFileSync(path, source);
  }
});
