import { dirname, join } from "node:path";
import { stampOf } from "../fs/read.ts";

/** The program that a server is started from. */
export interface Executable {
  /** What a shell starts, absolute. */
  path: string;
  /** Tells this build from the next one at the same place; undefined where there is none. */
  build: string | undefined;
}

/** Looks at the program behind a launcher: what is built beside it is what runs. */
export function executableAt(launcher: string): Executable {
  const stamp = stampOf(join(dirname(launcher), "..", "dist", "cli.cjs"));
  return {
    path: launcher,
    build: stamp === undefined ? undefined : `${stamp.inode}:${stamp.size}:${stamp.modified}`,
  };
}
