import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** An empty directory of this test's own, by its canonical path; removed when the test has ended. */
export function scratchDirectory(): string {
  const directory = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-test-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
