import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeDirectory } from "../../../src/core/fs/write.ts";
import { scratchDirectory } from "../../support/scratch.ts";

/** Mounts a disk that cannot be written to; false where this machine does not let us. */
function mountReadOnly(directory: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=65536", "tmpfs", directory], { stdio: "pipe" });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", directory], { stdio: "pipe" }));
  mkdirSync(join(directory, "there"));
  execFileSync("mount", ["-o", "remount,ro", directory], { stdio: "pipe" });
  return true;
}

test.skipIf(process.platform !== "linux")(
  "a disk that is read-only is said to be that, not to lack what was to be made",
  ({ skip }) => {
    const disk = scratchDirectory();
    if (!mountReadOnly(disk)) return skip("a file system cannot be mounted here");
    for (const path of ["runtime", "there/runtime", "there/runtime/locks"]) {
      const refused = expect.objectContaining({ code: "EROFS" });
      expect(() => makeDirectory(join(disk, path), 0o700), path).toThrow(refused);
    }
    makeDirectory(join(disk, "there"));
  },
);
