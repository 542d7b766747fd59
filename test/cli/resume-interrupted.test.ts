import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { initialiseLayer } from "../../src/core/boundary/initialise.ts";
import { leavableBefore } from "../../src/cli/interruptible.ts";
import { PROGRAM } from "../support/built.ts";
import { capsuleText } from "../core/capsule/support/memory.ts";
import { newRepository } from "../support/repository.ts";

async function newCapsule(): Promise<{ root: string; path: string }> {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await initialiseLayer(root, { extend: false });
  const capsules = join(root, ".ai/local/memory/capsules");
  mkdirSync(capsules, { recursive: true });
  const path = join(capsules, "one.md");
  writeFileSync(path, capsuleText({ id: "one", created_at: new Date().toISOString() }));
  return { root, path };
}

const isSpent = (path: string): boolean => readFileSync(path, "utf8").includes("status: resumed");

const pause = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve, 2));

it.each([
  ["SIGINT", ["resume", "--spend"]],
  ["SIGTERM", ["resume", "--spend", "--capsule", "one"]],
  ["SIGHUP", ["run", "capsule.resume", "--input", '{"spend":true}']],
] as const)("what was spent is told whole, though %s comes between the two: %j", async (signal, words) => {
  const { root, path } = await newCapsule();
  // The lock goes once the capsule is spent: there is the time in which the signal falls.
  const environment = { ...process.env, MAJORDOMUS_FAULT: "delay120@1x99:unlink" };
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: root, env: environment });
  let told = "";
  child.stdout.on("data", (bytes: Buffer) => (told += bytes.toString("utf8")));
  const ended = new Promise((resolve) => {
    child.on("close", (status, name) => resolve(status ?? name));
  });
  while (!isSpent(path) && child.exitCode === null) await pause();
  expect(told).toBe("");
  child.kill(signal);
  expect(await ended).toBe(0);
  expect(isSpent(path)).toBe(true);
  expect(told).toContain("[RESUME VERB]");
  expect(told).toMatch(/\n$/u);
});

it("is left before anything is spent, where the signal comes while it still reads", async () => {
  let acted = false;
  const act = async (): Promise<number> => {
    acted = true;
    return 0;
  };
  const interrupted = async (): Promise<void> => {
    process.kill(process.pid, "SIGHUP");
    await pause();
  };
  expect(await leavableBefore(interrupted, act)).toBeUndefined();
  expect(acted).toBe(false);
  expect(await leavableBefore(async () => undefined, act)).toBe(0);
});
