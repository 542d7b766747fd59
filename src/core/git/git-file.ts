import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs";

const MAXIMUM_BYTES = 64 * 1024 * 1024;

/**
 * Reads one of git's own small files as UTF-8, or undefined when there is no such regular file.
 *
 * Unlike records, git's files may be symbolic links (a linked `config` or `packed-refs` is a supported
 * layout), so links are followed; a FIFO or device in their place is never waited for.
 */
export function readGitFile(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAXIMUM_BYTES) return undefined;
    return readFileSync(descriptor, "utf8");
  } catch {
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether `path` is a directory, links followed. Never throws. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
