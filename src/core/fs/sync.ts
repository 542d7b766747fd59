import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { touch } from "./fault.ts";
import { namePath, syncDirectory } from "./temporary.ts";

/**
 * Makes many files that were written without waiting survive a power cut, with their directories: much
 * cheaper than to wait for each as it is written, for the first wait takes the others along.
 *
 * @throws the errno error of the first file that cannot be synced; all of them stand nevertheless.
 */
export function syncFiles(paths: readonly string[]): void {
  for (const path of paths) {
    touch("fsync", path);
    const descriptor = openSync(path, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } catch (error) {
      throw namePath(error, path);
    } finally {
      closeSync(descriptor);
    }
  }
  for (const directory of new Set(paths.map((path) => dirname(path)))) syncDirectory(directory);
}
