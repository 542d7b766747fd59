import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { identifyProcess, ownProcess } from "../../../src/core/fs/process.ts";
import { claimLease } from "../../../src/core/serving/hold-lease.ts";
import type { HeldLease } from "../../../src/core/serving/hold-lease.ts";
import { leasePath, readLease } from "../../../src/core/serving/lease.ts";
import { judgeLease } from "../../../src/core/serving/standing.ts";
import { startServer } from "../../../src/core/serving/start-server.ts";
import { anotherProcess, fakeProgram, place, putLease, readyLease, TOKEN } from "./support.ts";

function heldBy(claim: ReturnType<typeof claimLease>): HeldLease {
  if ("held" in claim) return claim.held;
  throw new Error(claim.refused.note);
}

/** Ends what a test started; false when it was not there any more. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

describe("a claim", () => {
  it("makes a lease that only its owner may read, with a token of its own", async () => {
    const { checkout, program } = place();
    const held = heldBy(claimLease(checkout, { executable: program }));
    expect(statSync(leasePath(checkout)).mode & 0o777).toBe(0o600);
    expect(readLease(checkout)).toMatchObject({
      kind: "held",
      lease: { token: held.token, state: "starting", pid: process.pid, started: ownProcess().started },
    });
  });

  it("is refused while another server lives, and succeeds after its death", async () => {
    const { checkout, program } = place();
    const server = await anotherProcess();
    putLease(checkout, readyLease(checkout, program, server));
    expect(claimLease(checkout, { executable: program })).toMatchObject({ refused: { standing: "ready" } });
    await server.kill();
    const held = heldBy(claimLease(checkout, { executable: program }));
    expect(held.token).not.toBe(TOKEN);
  });

  it("takes the place of the very lease that was found dead by asking, and of no later one", async () => {
    const { checkout, program } = place();
    const silent = await anotherProcess();
    putLease(checkout, readyLease(checkout, program, silent));
    const other = claimLease(checkout, { executable: program, dead: "b".repeat(64) });
    expect(other).toMatchObject({ refused: { standing: "ready" } });
    heldBy(claimLease(checkout, { executable: program, dead: TOKEN }));
  });

  it("leaves a lease of a foreign shape as it is, byte for byte", async () => {
    const { checkout, program } = place();
    putLease(checkout, '{"url":"http://127.0.0.1:9","token":"theirs"}');
    expect(claimLease(checkout, { executable: program, dead: TOKEN })).toMatchObject({
      refused: { standing: "foreign" },
    });
    const outcome = startServer(checkout, { executable: program, dead: TOKEN, waitMilliseconds: 1000 });
    expect(outcome).toMatchObject({ state: "stands", judgement: { standing: "foreign" } });
    expect(readFileSync(leasePath(checkout), "utf8")).toBe('{"url":"http://127.0.0.1:9","token":"theirs"}');
  });

  it("never writes through a link in the lease's place", async () => {
    const { checkout, program } = place();
    const target = join(checkout.root, "notes.txt");
    writeFileSync(target, "mine\n");
    putLease(checkout, "x");
    const { rmSync } = await import("node:fs");
    rmSync(leasePath(checkout));
    symlinkSync(target, leasePath(checkout));
    expect(claimLease(checkout, { executable: program })).toMatchObject({ refused: { standing: "foreign" } });
    expect(readFileSync(target, "utf8")).toBe("mine\n");
  });
});

describe("a held lease", () => {
  it("tells what is new until somebody takes it, and then writes nothing more", async () => {
    const { checkout, program } = place();
    const held = heldBy(claimLease(checkout, { executable: program }));
    expect(held.tell({ state: "ready", url: "http://127.0.0.1:8741", served_branch: "main" }, 1000)).toBe(
      true,
    );
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "ready" });
    const other = readyLease(checkout, program, await anotherProcess());
    putLease(checkout, other);
    expect(held.isHeld()).toBe(false);
    expect(held.tell({ served_branch: "lane" }, 1000)).toBe(false);
    held.release(1000);
    expect(readLease(checkout)).toEqual({ kind: "held", lease: other });
  });

  it("is gone after its release", async () => {
    const { checkout, program } = place();
    const held = heldBy(claimLease(checkout, { executable: program }));
    held.release(1000);
    expect(readLease(checkout)).toEqual({ kind: "absent" });
    expect(held.isHeld()).toBe(false);
  });

  it("stands as it was when a write of it fails at any operation", async () => {
    const { checkout, program } = place();
    const held = heldBy(claimLease(checkout, { executable: program }));
    held.tell({ state: "ready", url: "http://127.0.0.1:8741" }, 1000);
    const before = readFileSync(leasePath(checkout), "utf8");
    onTestFinished(() => injectFaults(undefined));
    let failures = 0;
    for (let operation = 1; ; operation += 1) {
      injectFaults(parseFaultPlan(`ENOSPC@${operation}:write,rename,fsync`));
      try {
        held.tell({ served_branch: `lane-${operation}` }, 1000);
        break;
      } catch {
        failures += 1;
        injectFaults(undefined);
        expect(readFileSync(leasePath(checkout), "utf8")).toBe(before);
      }
    }
    expect(failures).toBeGreaterThan(1);
    expect(held.isHeld()).toBe(true);
  });
});

describe("a start", () => {
  it("writes the lease for the process that it starts, which adopts it", async () => {
    const { checkout, program } = place();
    const outcome = startServer(checkout, { executable: program, waitMilliseconds: 1000 });
    if (outcome.state !== "started") throw new Error(JSON.stringify(outcome));
    onTestFinished(() => endProcess(outcome.pid));
    const identity = identifyProcess(outcome.pid);
    expect(readLease(checkout)).toMatchObject({ kind: "held", lease: { state: "starting", ...identity } });
    const second = startServer(checkout, { executable: program, waitMilliseconds: 1000 });
    expect(second).toMatchObject({ state: "stands", judgement: { standing: "starting" } });
  });

  it("starts a process that has none of our streams, nor anything of the session around it", async () => {
    const report = "process.env.REPORT_TO";
    const source = `require("node:fs").writeFileSync(${report}, JSON.stringify({
      arguments: process.argv.slice(2), cwd: process.cwd(),
      session: process.env.CLAUDE_CODE_SESSION_ID ?? null, fault: process.env.MAJORDOMUS_FAULT ?? null }));
      console.log("said"); setTimeout(() => {}, 600_000);`;
    const { checkout: opened, program } = place(source);
    const told = join(opened.root, ".git", "told.json");
    const environment = {
      ...opened.environment,
      REPORT_TO: told,
      CLAUDE_CODE_SESSION_ID: "a-session",
      MAJORDOMUS_FAULT: "kill@1",
    };
    const checkout = { ...opened, environment };
    const outcome = startServer(checkout, { executable: program, idleSeconds: 7, waitMilliseconds: 1000 });
    if (outcome.state !== "started") throw new Error(JSON.stringify(outcome));
    onTestFinished(() => endProcess(outcome.pid));
    const log = join(checkout.layout.state, "mcp", "server.log");
    await vi.waitFor(() => expect(readFileSync(log, "utf8")).toBe("said\n"), { timeout: 20_000 });
    expect(JSON.parse(readFileSync(told, "utf8"))).toEqual({
      arguments: ["serve", "--fallback", "--repo", checkout.root, "--idle", "7"],
      cwd: checkout.common.root,
      session: null,
      fault: null,
    });
    expect(statSync(log).mode & 0o777).toBe(0o600);
  });

  it("says why there is none: not built, not writable", async () => {
    const { checkout } = place();
    const absent = { path: join(checkout.root, "nowhere", "bin", "majordomus"), build: undefined };
    expect(startServer(checkout, { executable: absent, waitMilliseconds: 0 })).toEqual({
      state: "failed",
      reason: "the executable is not built (run `npm run build`)",
    });
    const program = fakeProgram(join(checkout.root, ".git", "program"));
    onTestFinished(() => injectFaults(undefined));
    injectFaults(parseFaultPlan("EROFS@1x99:mkdir,open"));
    const outcome = startServer(checkout, { executable: program, waitMilliseconds: 0 });
    expect(outcome).toEqual({ state: "failed", reason: ".ai/local/state/mcp is not writable" });
  });
});
