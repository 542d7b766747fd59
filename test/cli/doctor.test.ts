import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { initialiseLayer } from "../../src/core/boundary/initialise.ts";
import { PROGRAM } from "../support/built.ts";
import { newRepository } from "../support/repository.ts";
import { runLine } from "../support/run-program.ts";
import { scratchDirectory } from "../support/scratch.ts";

async function layered(): Promise<string> {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await initialiseLayer(root, { extend: false });
  return root;
}

const EVIDENCE = ".ai/local/evidence/doctor";

describe("doctor", () => {
  it("judges in the pool: without a thread nothing is judged, and nothing attested", async () => {
    const root = await layered();
    const run = await runLine(["doctor", "--attest"], { directory: root, worker: "/nowhere/worker.cjs" });
    expect(run).toMatchObject({ status: 13, stdout: "" });
    expect(run.stderr).toMatch(/^majordomus: no worker thread can be started: [^\n]+\n$/u);
    expect(existsSync(join(root, EVIDENCE))).toBe(false);
  });

  it("is interrupted as a terminal does it: one line, 130, and no evidence of the half", async () => {
    const root = await layered();
    const shims = scratchDirectory();
    const asked = join(shims, "asked");
    mkdirSync(shims, { recursive: true });
    writeFileSync(join(shims, "git"), `#!/bin/sh\necho asked >> '${asked}'\nexec sleep 9\n`, { mode: 0o755 });
    // A group of its own, as a shell gives each job: its git is interrupted with it.
    const child = spawn(process.execPath, [PROGRAM, "doctor", "--attest"], {
      cwd: root,
      detached: true,
      env: { ...process.env, MAJORDOMUS_SERVER: "off", PATH: `${shims}${delimiter}${process.env["PATH"]}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const heard = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (heard.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (heard.stderr += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => {
      child.on("close", resolve);
    });
    await vi.waitFor(() => expect(existsSync(asked)).toBe(true), { timeout: 20_000 });
    process.kill(-(child.pid ?? 0), "SIGINT");
    expect(await ended).toBe(130);
    expect(heard).toEqual({
      stdout: "",
      stderr: "majordomus: interrupted; nothing was judged to its end\n",
    });
    // Whoever was interrupted asks git nothing more, and waits for no second answer.
    expect(readFileSync(asked, "utf8")).toBe("asked\n");
    expect(existsSync(join(root, EVIDENCE))).toBe(false);
  });
});
