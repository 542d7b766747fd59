import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FLOORS, judgeHouse, judgeSource, ROOT } from "./floors.ts";

describe("the house", () => {
  it("keeps its floors", () => {
    const { files, violations } = judgeHouse(ROOT);
    expect(violations.map(({ file, line, message }) => `src/${file}:${line}: ${message}`)).toEqual([]);
    // A check that looks at nothing also finds nothing.
    expect(files).toBeGreaterThan(10);
  });

  it("is the one that the documentation draws", () => {
    const page = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8");
    const table = page.split("<!-- floors -->")[1]?.split("<!-- /floors -->")[0] ?? "";
    const drawn = [...table.matchAll(/^\| \d\s*\| (?<groups>[^|]+)\|/gmu)].map((row) =>
      (row.groups?.["groups"] ?? "").split("<").map((group) => group.match(/(?<=`)[a-z/]+(?=`)/gu)),
    );
    expect(drawn).toEqual(FLOORS);
  });

  it("names every folder once", () => {
    const folders = FLOORS.flat(2);
    expect(new Set(folders).size).toBe(folders.length);
  });
});

describe("a planted import", () => {
  const refused: [string, string, RegExp][] = [
    ["core/base/id.ts", `import { inert } from "../text/inert.ts";`, /stands above/u],
    ["core/text/inert.ts", `export { run } from "../fs/read.ts";`, /neighbour/u],
    ["core/records/pointer.ts", `import { x } from "../ledger/line.ts";`, /stands above/u],
    ["core/episode/open.ts", `import { x } from "../context/briefing.ts";`, /neighbour/u],
    ["core/episode/open.ts", `const x = await import("../../tui/main.tsx");`, /stands above/u],
    ["core/boundary/start.ts", `import "../capabilities/registry.ts";`, /stands above/u],
    ["core/capabilities/run.ts", `import type { P } from "../../workers/pool.ts";`, /stands above/u],
    ["workers/entry.ts", `import { x } from "../cli/output.ts";`, /stands above/u],
    ["tui/main.tsx", `import { x } from "../hooks/main.ts";`, /neighbour/u],
    ["hooks/main.ts", `import { x } from "../workers/pool.ts";`, /may not import workers/u],
    [
      "hooks/main.ts",
      `import { x } from "../core/capabilities/run.ts";`,
      /may not import core\/capabilities/u,
    ],
    ["utilities/strings.ts", `import { x } from "../core/base/id.ts";`, /no folder/u],
    ["core/fs/read.ts", `import { x } from "../helpers/strings.ts";`, /no folder/u],
    ["core/fs/lock.ts", "const started = new Date();", /Clock/u],
    ["core/fs/lock.ts", "const started = new Date;", /Clock/u],
    ["core/fs/lock.ts", `import {\n  a,\n  b,\n} from "../git/run.ts";`, /stands above/u],
    ["core/git/run.ts", `new Worker(new URL("../../workers/entry.ts", import.meta.url))`, /stands above/u],
  ];
  it.each(refused)("in %s is refused: %s", (file, source, message) => {
    expect(judgeSource(file, source).map((violation) => violation.message)).toEqual([
      expect.stringMatching(message),
    ]);
  });

  const allowed: [string, string][] = [
    ["core/git/head.ts", `import { readText } from "../fs/read.ts";`],
    ["core/git/head.ts", `import { x } from "./run.ts";`],
    ["core/ledger/line.ts", `import { x } from "../checkout/open.ts";`],
    ["core/boundary/start.ts", `import { x } from "../episode/open.ts";`],
    ["hooks/main.ts", `import { x } from "../core/boundary/start.ts";`],
    ["cli/commands/tui.ts", `await import("../../tui/main.tsx");`],
    ["core/fs/lock.ts", `// import { x } from "../git/run.ts";`],
    ["core/base/time.ts", "new Date(milliseconds)"],
    ["core/base/time.ts", "/* new Date() */"],
  ];
  it.each(allowed)("in %s is allowed: %s", (file, source) => {
    expect(judgeSource(file, source)).toEqual([]);
  });
});

describe("a copy with planted faults", () => {
  let copy = "";

  function plant(file: string, source: string): void {
    const path = join(copy, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, source);
  }

  function lint(...files: string[]): { status: number | null; output: string } {
    const oxlint = join(ROOT, "node_modules", "oxlint", "bin", "oxlint");
    const run = spawnSync(
      process.execPath,
      [oxlint, "--type-aware", "--deny-warnings", "-f", "unix", ...files],
      {
        cwd: copy,
        encoding: "utf8",
      },
    );
    return { status: run.status, output: run.stdout + run.stderr };
  }

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), "majordomus-floors-"));
    for (const file of [".oxlintrc.json", "tsconfig.json", "package.json"]) {
      cpSync(join(ROOT, file), join(copy, file));
    }
    cpSync(join(ROOT, "src", "core", "base"), join(copy, "src", "core", "base"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  });

  afterAll(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  it("is judged by the floor check", () => {
    expect(judgeHouse(copy).violations).toEqual([]);
    plant("src/core/base/planted.ts", `export { x } from "../git/planted.ts";\n`);
    expect(judgeHouse(copy).violations).toEqual([
      { file: "core/base/planted.ts", line: 1, message: "core/base imports core/git, which stands above it" },
    ]);
    rmSync(join(copy, "src/core/base/planted.ts"));
  });

  it("passes the lint while nothing is planted", () => {
    expect(lint("src/core/base")).toMatchObject({ status: 0 });
  });

  const planted: [string, string, string, string][] = [
    [
      "a surface's package in core",
      "src/core/fs/a.ts",
      `export { render } from "ink";\n`,
      "no-restricted-imports",
    ],
    ["the heavy zod in core", "src/core/fs/b.ts", `export { z } from "zod";\n`, "no-restricted-imports"],
    [
      "a heavy package in a hook",
      "src/hooks/a.ts",
      `export { simpleGit } from "simple-git";\n`,
      "no-restricted-imports",
    ],
    [
      "React in the command line",
      "src/cli/a.ts",
      `export { useState } from "react";\n`,
      "no-restricted-imports",
    ],
    [
      "the clock in core",
      "src/core/fs/c.ts",
      "export const now = (): number => Date.now();\n",
      "no-restricted-properties",
    ],
    [
      "chance in core",
      "src/core/fs/d.ts",
      "export const x = (): number => Math.random();\n",
      "no-restricted-properties",
    ],
    [
      "the environment in core",
      "src/core/fs/e.ts",
      "export const x = process.env;\n",
      "no-restricted-properties",
    ],
    [
      "the directory in core",
      "src/core/fs/f.ts",
      "export const x = process.cwd();\n",
      "no-restricted-properties",
    ],
    ["any", "src/core/fs/g.ts", "export const x = (y: any): string => String(y);\n", "no-explicit-any"],
    ["a default export", "src/core/fs/h.ts", "export default 1;\n", "no-default-export"],
    ["a floating promise", "src/cli/b.ts", "Promise.resolve(1);\n", "no-floating-promises"],
  ];
  it.each(planted)("is refused by the lint for %s", (_name, file, source, rule) => {
    plant(file, source);
    const { status, output } = lint(file);
    expect(output).toContain(rule);
    expect(status).not.toBe(0);
  });

  it("is refused by the lint for a cycle", () => {
    plant(
      "src/core/text/one.ts",
      `import { two } from "./two.ts";\nexport const one = (): number => two();\n`,
    );
    plant(
      "src/core/text/two.ts",
      `import { one } from "./one.ts";\nexport const two = (): number => one();\n`,
    );
    const { status, output } = lint("src/core/text");
    expect(output).toContain("no-cycle");
    expect(status).not.toBe(0);
  });
});
