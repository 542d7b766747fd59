import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "majordomus-tests-";
const NEEDED_BYTES = 2 ** 31;
const DAY_MILLISECONDS = 86_400_000;

function startsPrograms(directory: string): boolean {
  const program = join(directory, "probe");
  writeFileSync(program, "#!/bin/sh\nexit 0\n");
  chmodSync(program, 0o755);
  return spawnSync(program).status === 0;
}

/** A run that was killed left its directory behind, and memory is dear. */
function sweep(): void {
  for (const name of readdirSync(MEMORY).filter((entry) => entry.startsWith(PREFIX))) {
    const path = join(MEMORY, name);
    if (statSync(path).mtimeMs < Date.now() - DAY_MILLISECONDS)
      rmSync(path, { recursive: true, force: true });
  }
}

/**
 * A new directory in memory for the files that tests make, or nothing where the machine has none that is
 * large enough and may hold programs; then they lie where temporary files lie. The tests make tens of
 * thousands of small files whose writers wait for the disk: what a kill leaves is the same on both, what
 * a power cut leaves no test can tell.
 */
export function memoryRoom(): string | undefined {
  let room: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    sweep();
    room = mkdtempSync(join(MEMORY, PREFIX));
    if (startsPrograms(room)) return room;
  } catch {
    // No such place on this machine.
  }
  if (room !== undefined) rmSync(room, { recursive: true, force: true });
  return undefined;
}
