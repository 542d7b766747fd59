import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  identifyProcess,
  judgeProcess,
  ownProcess,
  type ProcessIdentity,
} from "../../../src/core/fs/process.ts";

/** A living process that is none of ours to know. */
function sleeper(command = "sleep", ...arguments_: string[]): ChildProcess & { pid: number } {
  const child = spawn(command, arguments_.length > 0 ? arguments_ : ["60"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  if (child.pid === undefined) throw new Error(`${command} did not start`);
  return child as ChildProcess & { pid: number };
}

function identified(pid: number): ProcessIdentity {
  const identity = identifyProcess(pid);
  if (!identity) throw new Error(`process ${pid} is not seen`);
  return identity;
}

describe("a living process", () => {
  test("is identified alike every time, and judged alive", () => {
    const { pid } = sleeper();
    const identity = identified(pid);
    expect(identity).toEqual({ ...ownProcess(), pid, started: expect.stringMatching(/\S/) });
    expect(identifyProcess(pid)).toEqual(identity);
    expect(judgeProcess(identity)).toBe("alive");
  });

  test("that is stopped is alive", () => {
    const child = sleeper();
    const identity = identified(child.pid);
    child.kill("SIGSTOP");
    expect(judgeProcess(identity)).toBe("alive");
  });

  test("of ours is this one", () => {
    expect(ownProcess().pid).toBe(process.pid);
    expect(identifyProcess(process.pid)).toEqual(ownProcess());
    expect(judgeProcess(ownProcess())).toBe("alive");
  });

  test.runIf(process.platform === "linux")("may have spaces and parentheses in its name", () => {
    const { pid } = sleeper("bash", "-c", "exec -a x sleep 60");
    const odd = sleeper(process.execPath, "-e", "process.title = 'a) R 1 (b'; setInterval(() => {}, 1000)");
    expect(identified(pid).started).toMatch(/^\d+$/);
    expect(identified(odd.pid).started).toMatch(/^\d+$/);
    expect(judgeProcess(identified(odd.pid))).toBe("alive");
  });
});

describe("a process that is gone", () => {
  test("is told by its absence", async () => {
    const child = sleeper();
    const identity = identified(child.pid);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(identifyProcess(child.pid)).toBeUndefined();
    expect(judgeProcess(identity)).toBe("gone");
  });

  test("is told by another start time when its number is in use again", () => {
    const { pid } = sleeper();
    expect(judgeProcess({ ...identified(pid), started: "1" })).toBe("gone");
  });

  test("is gone although its parent has not fetched its end", async () => {
    const parent = sleeper("sh", "-c", "sleep 0 & echo $!; exec sleep 60");
    const [line] = (await once(parent.stdout ?? process.stdin, "data")) as [Buffer];
    const zombie = Number(line.toString());
    await vi.waitFor(() => expect(identifyProcess(zombie)).toBeUndefined());
    // The number is still taken: only its state tells.
    expect(() => process.kill(zombie, 0)).not.toThrow();
    expect(judgeProcess({ ...ownProcess(), pid: zombie, started: "1" })).toBe("gone");
  });
});

describe("what cannot be judged is unknown", () => {
  test.each([
    ["another boot", { boot: "another" }],
    ["another pid namespace", { namespace: "pid:[1]" }],
  ])("a process of %s, whether its number is in use or not", (_, elsewhere) => {
    const { pid } = sleeper();
    expect(judgeProcess({ ...identified(pid), ...elsewhere })).toBe("unknown");
    expect(judgeProcess({ ...identified(pid), ...elsewhere, pid: 2 ** 31 - 1 })).toBe("unknown");
  });

  test("a number in use without a start time", () => {
    const { pid } = sleeper();
    expect(judgeProcess({ ...identified(pid), started: null })).toBe("unknown");
  });

  test("a number that is not in use needs no start time to be gone", () => {
    expect(judgeProcess({ ...ownProcess(), pid: 2 ** 31 - 1, started: null })).toBe("gone");
  });

  test.each([0, -1, -process.pid, 1.5, Number.NaN, Infinity, 2 ** 31, 2 ** 53])("the number %d", (pid) => {
    expect(identifyProcess(pid)).toBeUndefined();
    expect(judgeProcess({ ...ownProcess(), pid })).toBe("unknown");
  });
});
