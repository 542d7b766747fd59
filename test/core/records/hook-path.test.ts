import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const RECORDS = fileURLToPath(new URL("../../../src/core/records/", import.meta.url));

/** The files that a module makes a program load, itself included, and the packages that they name. */
function reachable(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const statements = readFileSync(entry, "utf8").matchAll(
    /^(?:import|export) (?!type )(?:[^;"]* from )?"([^"]+)";$/gm,
  );
  for (const [, specifier = ""] of statements)
    if (specifier.startsWith(".")) reachable(resolve(dirname(entry), specifier), seen);
    else seen.add(specifier);
  return seen;
}

test.each([
  "open-episode",
  "closed-session",
  "session-store",
  "pointer",
  "record-name",
  "session-key",
  "questions",
  "task",
  "work-record",
  "working-context",
  "knowledge",
  "knowledge-store",
])("%s loads no YAML library: a hook must start fast", (module) => {
  const loaded = reachable(`${RECORDS}${module}.ts`);
  expect([...loaded].filter((name) => !name.startsWith("/") && !name.startsWith("node:"))).not.toContain(
    "yaml",
  );
  expect([...loaded].join("\n")).not.toMatch(/simple-git|\/front-matter\.ts$|\/yaml\.ts$/m);
});
