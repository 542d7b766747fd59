import { spawn } from "node:child_process";
import { copyFileSync, chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { providerParent } from "../../src/hooks/parent-process.ts";
import { scratchDirectory } from "../support/scratch.ts";

it("believes a parent that the process table calls by the provider's name, and no other", async () => {
  const program = join(scratchDirectory(), "claude");
  copyFileSync("/bin/sleep", program);
  chmodSync(program, 0o755);
  const child = spawn(program, ["60"], { stdio: "ignore" });
  await new Promise((resolve) => child.once("spawn", resolve));
  try {
    expect(providerParent("claude-code", child.pid ?? 0)).toBe(child.pid);
    expect(providerParent("codex", child.pid ?? 0)).toBeUndefined();
    expect(providerParent("claude-code", process.pid)).toBeUndefined();
  } finally {
    child.kill("SIGKILL");
  }
});

it("takes no parent where there is none, or where it has ended", () => {
  expect(providerParent("claude-code", 1)).toBeUndefined();
  expect(providerParent("claude-code", 2 ** 22 + 1)).toBeUndefined();
});
