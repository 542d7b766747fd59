import { constants } from "node:os";
import { MajordomusError, EXIT } from "../base/error.ts";
import { pause } from "./pause.ts";

/** The disk operations that can be made to fail. Each is announced just before it happens. */
export type DiskOperation =
  | "open"
  | "read"
  | "write"
  | "fsync"
  | "truncate"
  | "rename"
  | "link"
  | "unlink"
  | "mkdir"
  | "utimes"
  | "symlink";

const OPERATIONS: ReadonlySet<string> = new Set<DiskOperation>([
  "open",
  "read",
  "write",
  "fsync",
  "truncate",
  "rename",
  "link",
  "unlink",
  "mkdir",
  "utimes",
  "symlink",
]);

/** Stands before every disk operation: it may throw an errno error, delay, or kill the process. */
export interface FaultInjector {
  before(operation: DiskOperation, path: string): void;
}

/** One for the whole process: a hook is built from several bundles, each with its own copy of this module. */
const INJECTOR = Symbol.for("majordomus.fault-injector");
const shared = globalThis as typeof globalThis & { [INJECTOR]?: FaultInjector | undefined };

/** Sets this thread's injector; `undefined` makes the disk honest again. */
export function injectFaults(injector: FaultInjector | undefined): void {
  shared[INJECTOR] = injector;
}

/** Announces a disk operation. Nothing happens unless an injector is set. */
export function touch(operation: DiskOperation, path: string): void {
  shared[INJECTOR]?.before(operation, path);
}

interface Fault {
  effect: (operation: DiskOperation, path: string) => void;
  first: number;
  last: number;
  operations: ReadonlySet<string> | undefined;
  seen: number;
}

function killOurselves(): void {
  process.kill(process.pid, "SIGKILL");
  // The signal may land on another thread first: nothing more may reach the disk meanwhile.
  pause(60_000);
}

/** An error as the operating system would throw it, for an errno name that this system knows. */
function errnoError(name: string, operation: DiskOperation, path: string): Error {
  const number = constants.errno[name as keyof typeof constants.errno];
  const error = new Error(`${name}: injected, ${operation} '${path}'`);
  return Object.assign(error, { code: name, errno: -number, syscall: operation, path });
}

function effectOf(what: string): Fault["effect"] | undefined {
  if (what === "kill") return killOurselves;
  const delay = /^delay(\d{1,6})$/.exec(what);
  if (delay) return () => pause(Number(delay[1]));
  if (!Object.hasOwn(constants.errno, what)) return undefined;
  return (operation, path) => {
    throw errnoError(what, operation, path);
  };
}

const GRAMMAR = /^(\w+)@(\d{1,9})(?:x(\d{1,9}))?(?::([a-z]+(?:,[a-z]+)*))?$/;

function parseFault(text: string): Fault {
  const match = GRAMMAR.exec(text);
  const effect = match ? effectOf(match[1] ?? "") : undefined;
  const named = match?.[4]?.split(",");
  const first = Number(match?.[2] ?? 0);
  if (!effect || first < 1 || named?.some((name) => !OPERATIONS.has(name))) {
    throw new MajordomusError({
      code: "fault.plan",
      exit: EXIT.usage,
      subject: text,
      message: "not a fault plan",
      remedy: "write <what>@<n>[x<count>][:<operation>,...] with kill, delay<ms> or an errno name",
    });
  }
  const last = first + Number(match?.[3] ?? 1) - 1;
  return { effect, first, last, operations: named && new Set(named), seen: 0 };
}

/**
 * Reads a fault plan: `<what>@<n>[x<count>][:<operation>[,<operation>]]`, several divided by `;`.
 * `what` is `kill`, `delay<milliseconds>` or an errno name; `n` counts the matching operations from 1.
 * `kill@7` dies before the seventh operation, `EBUSY@1x4:rename` fails the first four renames.
 *
 * @throws MajordomusError 2 when the text is not a plan.
 */
export function parseFaultPlan(text: string): FaultInjector {
  const faults = text.split(";").map((part) => parseFault(part.trim()));
  return {
    before(operation, path) {
      for (const fault of faults) {
        if (fault.operations && !fault.operations.has(operation)) continue;
        fault.seen += 1;
        if (fault.seen >= fault.first && fault.seen <= fault.last) fault.effect(operation, path);
      }
    },
  };
}
