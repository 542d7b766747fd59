import { execFileSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makePlace } from "../../scenario/support/place.ts";
import type { Place } from "../../scenario/support/place.ts";

const MEBIBYTE = 1024 * 1024;
const PAGE = 4096;

/** A disk of one mebibyte with a repository on it. */
export interface SmallDisk {
  place: Place;
  /** Fills it up to so many pages of 4 KiB. */
  fill(pagesLeft: number): void;
  free(): void;
}

/** Mounts one mebibyte; returns how to take it away again, or why this machine does not let us. */
export function mountSmall(directory: string): (() => void) | string {
  try {
    if (process.platform === "darwin") return mountRam(directory);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${MEBIBYTE}`, "tmpfs", directory], { stdio: "pipe" });
    return () => execFileSync("umount", ["-l", directory], { stdio: "pipe" });
  } catch (error) {
    return `a file system of 1 MiB cannot be mounted here: ${String(error).split("\n")[0] ?? ""}`;
  }
}

function mountRam(directory: string): () => void {
  const device = execFileSync("hdiutil", ["attach", "-nomount", "ram://2048"], { encoding: "utf8" }).trim();
  const detach = (): void => void execFileSync("hdiutil", ["detach", "-force", device], { stdio: "pipe" });
  try {
    execFileSync("newfs_hfs", [device], { stdio: "pipe" });
    execFileSync("mount", ["-t", "hfs", device, directory], { stdio: "pipe" });
    return detach;
  } catch (error) {
    detach();
    throw error;
  }
}

/**
 * Makes a repository on a disk of one mebibyte that is no simulation. It goes away when the test ends.
 *
 * @returns why there can be none on this machine: to mount one takes rights that a user may not have.
 */
export async function makeSmallDisk(): Promise<SmallDisk | string> {
  const mounted = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-small-")));
  onTestFinished(() => rmSync(mounted, { recursive: true, force: true }));
  const unmount = mountSmall(mounted);
  if (typeof unmount === "string") return unmount;
  onTestFinished(unmount);
  const elsewhere = await makePlace();
  cpSync(elsewhere.directory, mounted, { recursive: true });
  const environment = Object.fromEntries(
    Object.entries(elsewhere.environment).map(([name, value]) => [
      name,
      value.replace(elsewhere.directory, mounted),
    ]),
  );
  const filler = join(mounted, "filler");
  return {
    place: { directory: mounted, root: join(mounted, "app"), environment },
    fill: (pagesLeft) => fillUp(filler, pagesLeft),
    free: () => rmSync(filler, { force: true }),
  };
}

/** Writes a file until the disk is full, and takes so many pages of 4 KiB back. */
export function fillUp(filler: string, pagesLeft: number): void {
  const descriptor = openSync(filler, "w");
  const page = Buffer.alloc(PAGE, 1);
  let size = 0;
  try {
    for (;;) size += writeSync(descriptor, page);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    ftruncateSync(descriptor, Math.max(0, size - pagesLeft * PAGE));
  } finally {
    closeSync(descriptor);
  }
}
