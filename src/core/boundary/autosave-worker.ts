import { spawn } from "node:child_process";

export interface WorkerStart {
  /** Where its order lies; absent where the environment tells it. */
  order?: string;
  /** A directory that outlives every work tree. */
  directory: string;
  environment: Readonly<Record<string, string | undefined>>;
}

/** Starts the process that carries out an order, with no stream of ours and in a group of its own, and does not wait for it. */
export function startWorker(program: string, { order, directory, environment }: WorkerStart): void {
  const child = spawn(process.execPath, [program, ...(order === undefined ? [] : [order])], {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  // A start that fails later than a hook lives is seen by the next one: the cursor has not moved.
  child.on("error", () => undefined);
  child.unref();
}
