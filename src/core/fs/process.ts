import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { errnoOf } from "../base/error.ts";

/** What proves which process a number stands for, where and when. */
export interface ProcessIdentity {
  pid: number;
  /** The start time as the system tells it: only good for comparing. */
  started: string | null;
  /** The boot in which the number means something. */
  boot: string | null;
  /** The pid namespace in which the number means something; always null where there are none. */
  namespace: string | null;
}

export type ProcessVerdict = "alive" | "gone" | "unknown";

interface Sighting {
  started: string;
  zombie: boolean;
}

/** How a system tells about processes. */
interface ProcessTable {
  look(pid: number): Sighting | undefined;
  boot(): string | null;
  namespace(): string | null;
}

function attempt<Value>(action: () => Value): Value | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Reads `/proc/<pid>/stat`. The name in parentheses may itself hold spaces and parentheses. */
function parseStat(text: string): (Sighting & { pid: number }) | undefined {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  if (!state || !started) return undefined;
  return { pid: Number.parseInt(text, 10), started, zombie: state === "Z" || state === "X" };
}

const linux: ProcessTable = {
  look: (pid) => attempt(() => parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"))),
  boot: () => attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()) ?? null,
  namespace: () => attempt(() => readlinkSync("/proc/self/ns/pid")) ?? null,
};

function ask(tool: string, arguments_: readonly string[]): string {
  return execFileSync(tool, arguments_, {
    encoding: "utf8",
    timeout: 2000,
    stdio: ["ignore", "pipe", "ignore"],
    // `lstart` is local time in the user's language: fix both, so that two sightings compare.
    env: { PATH: "/bin:/usr/bin:/sbin:/usr/sbin", LC_ALL: "C", TZ: "UTC" },
  }).trim();
}

const darwin: ProcessTable = {
  look: (pid) =>
    attempt(() => {
      const line = ask("ps", ["-o", "lstart=,stat=", "-p", `${pid}`]);
      const [, started, state] = /^(.*\S)\s+(\S+)$/.exec(line) ?? [];
      return started && state ? { started, zombie: state.startsWith("Z") } : undefined;
    }),
  boot: () => attempt(() => ask("sysctl", ["-n", "kern.bootsessionuuid"])) ?? null,
  namespace: () => null,
};

const mute: ProcessTable = { look: () => undefined, boot: () => null, namespace: () => null };

const TABLES: Partial<Record<NodeJS.Platform, ProcessTable>> = { linux, darwin };

/** The table of this system, or the mute one when `/proc` shows another namespace's processes. */
function chooseTable(): ProcessTable {
  const table = TABLES[process.platform] ?? mute;
  if (table !== linux) return table;
  const self = attempt(() => parseStat(readFileSync("/proc/self/stat", "latin1")));
  return self?.pid === process.pid ? linux : mute;
}

interface Surroundings {
  table: ProcessTable;
  own: ProcessIdentity;
}

let surroundings: Surroundings | undefined;

function surroundingsOfOurs(): Surroundings {
  if (surroundings) return surroundings;
  const table = chooseTable();
  const started = table.look(process.pid)?.started ?? null;
  const own = { pid: process.pid, started, boot: table.boot(), namespace: table.namespace() };
  surroundings = { table, own };
  return surroundings;
}

/** This process. Found out once. */
export function ownProcess(): ProcessIdentity {
  return surroundingsOfOurs().own;
}

function isPid(pid: number): boolean {
  // 0 and negative numbers are groups of processes to the system.
  return Number.isInteger(pid) && pid > 0 && pid <= 0x7fff_ffff;
}

/** Whether a process has this number, whichever one it is by now. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) !== "ESRCH";
  }
}

/**
 * Identifies a running process by its number, as it means something to us: boot and namespace are ours.
 *
 * @returns undefined when there is none; a zombie is none.
 */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (!isPid(pid) || !exists(pid)) return undefined;
  const { table, own } = surroundingsOfOurs();
  const seen = table.look(pid);
  if (seen?.zombie) return undefined;
  return { ...own, pid, started: seen?.started ?? null };
}

/**
 * Whether a recorded process seems to run, as far as a turn's end can afford to know: where only a program can tell when a process
 * began, another one that has its number by now is taken for it.
 */
export function seemsToRun({ pid, started }: Pick<ProcessIdentity, "pid" | "started">): boolean {
  if (!isPid(pid) || !exists(pid)) return false;
  const seen = process.platform === "linux" ? linux.look(pid) : undefined;
  return seen === undefined || (!seen.zombie && seen.started === started);
}

/**
 * Judges whether a recorded process still runs. No clock is asked: only its number and start time, and
 * those only in the same boot and pid namespace. A stopped process is alive, a zombie is gone.
 */
export function judgeProcess(identity: ProcessIdentity): ProcessVerdict {
  const { own } = surroundingsOfOurs();
  if (!isPid(identity.pid)) return "unknown";
  if (identity.boot !== null && identity.boot !== own.boot) return "unknown";
  if (identity.namespace !== null && identity.namespace !== own.namespace) return "unknown";
  const now = identifyProcess(identity.pid);
  if (!now) return "gone";
  if (identity.started === null || now.started === null) return "unknown";
  return now.started === identity.started ? "alive" : "gone";
}

/** Whether a process was of another start of a machine whose first pid namespace is also ours: of an earlier one of this, mostly. */
export function isOfAnotherBoot({ boot, namespace }: ProcessIdentity): boolean {
  const { own } = surroundingsOfOurs();
  return boot !== null && own.boot !== null && boot !== own.boot && namespace === own.namespace;
}

/**
 * Judges whoever left something in the store: as `judgeProcess`, and gone as well where an earlier start of this
 * machine ran it, whatever its number means today. Another namespace may be another machine's, and proves nothing.
 */
export function judgeHolder(identity: ProcessIdentity): ProcessVerdict {
  const verdict = judgeProcess(identity);
  if (verdict !== "unknown") return verdict;
  return isOfAnotherBoot(identity) ? "gone" : "unknown";
}
