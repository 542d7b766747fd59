import { afterEach, describe, expect, test } from "vitest";
import { MajordomusError, errnoOf } from "../../../src/core/base/error.ts";
import { injectFaults, parseFaultPlan, touch, type DiskOperation } from "../../../src/core/fs/fault.ts";

afterEach(() => injectFaults(undefined));

/** Runs operations through a plan and tells, for each, the errno that it failed with, or `ok`. */
function outcomes(plan: string, operations: readonly DiskOperation[]): string[] {
  const injector = parseFaultPlan(plan);
  return operations.map((operation) => {
    try {
      injector.before(operation, "/some/file");
      return "ok";
    } catch (error) {
      return errnoOf(error) ?? "other";
    }
  });
}

describe("a fault plan", () => {
  test("strikes at the operation of its number, once", () => {
    expect(outcomes("ENOSPC@2", ["open", "write", "write"])).toEqual(["ok", "ENOSPC", "ok"]);
  });

  test("strikes as often as it says", () => {
    expect(outcomes("EBUSY@2x2", ["open", "read", "write", "fsync"])).toEqual(["ok", "EBUSY", "EBUSY", "ok"]);
  });

  test("counts only the operations that it names", () => {
    const operations: DiskOperation[] = ["rename", "open", "link", "write", "rename"];
    expect(outcomes("EIO@2:rename,link", operations)).toEqual(["ok", "ok", "EIO", "ok", "ok"]);
  });

  test("may hold several faults, each with its own count", () => {
    const operations: DiskOperation[] = ["open", "rename", "rename"];
    expect(outcomes("EROFS@1:open; EPERM@2:rename", operations)).toEqual(["EROFS", "ok", "EPERM"]);
  });

  test("may delay and then let the operation happen", () => {
    expect(outcomes("delay1@1x2", ["open", "write"])).toEqual(["ok", "ok"]);
  });

  test.each([
    "",
    "kill",
    "kill@0",
    "kill@x",
    "EWHAT@1",
    "ENOSPC@1:sneeze",
    "ENOSPC@1:",
    "ENOSPC@-1",
    "ENOSPC@1;",
    "delay@1",
    "toString@1",
    "ENOSPC @1",
  ])("%j is refused as a mistake in usage", (plan) => {
    expect(() => parseFaultPlan(plan)).toThrow(MajordomusError);
    expect(() => parseFaultPlan(plan)).toThrow(expect.objectContaining({ exit: 2 }));
  });
});

describe("touch", () => {
  test("does nothing until an injector is set, and nothing after it is taken away", () => {
    touch("open", "/some/file");
    injectFaults(parseFaultPlan("EIO@1x9"));
    expect(() => touch("open", "/some/file")).toThrow(/^EIO: injected, open '\/some\/file'$/);
    injectFaults(undefined);
    touch("open", "/some/file");
  });

  test("an injected error looks like the system's own", () => {
    injectFaults(parseFaultPlan("ENOSPC@1"));
    expect(() => touch("write", "/some/file")).toThrow(
      expect.objectContaining({ code: "ENOSPC", syscall: "write", path: "/some/file", errno: -28 }),
    );
  });
});
