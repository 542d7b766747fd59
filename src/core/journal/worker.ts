import { judgeProcess } from "../fs/process.ts";
import type { WorkerState } from "../labels/terms.ts";
import type { Registration } from "./registration.ts";

export interface WorkerJudgement {
  state: WorkerState;
  note: string;
}

/**
 * Whether the worker of an episode still runs: by process id *and* start time, boot and namespace, and only
 * where the provider named its own process (decisions.md 2). No clock is involved.
 */
export function judgeWorker(registration: Pick<Registration, "process"> | undefined): WorkerJudgement {
  const identity = registration?.process;
  if (identity === undefined) return { state: "unknown", note: "the provider named no process" };
  const state = judgeProcess(identity);
  if (state === "alive") return { state, note: `pid ${identity.pid} runs` };
  if (state === "gone") return { state, note: `pid ${identity.pid} ended` };
  return { state, note: `pid ${identity.pid} belongs to another boot or namespace` };
}
