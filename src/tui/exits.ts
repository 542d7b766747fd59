import { EXIT } from "../core/base/error.ts";
import type { Screen } from "./screen.ts";

/** What a shell reports for a process that a signal ended: 128 and the signal's number. */
const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const;
const SIGNALS = Object.keys(SIGNAL_STATUS) as (keyof typeof SIGNAL_STATUS)[];

/** How long the rest of the program may take to end after the terminal was given back. */
const GRACE_MILLISECONDS = 3000;
/** A shell that cannot stop us (no job control) must not leave the console without its screen. */
const STOP_MILLISECONDS = 200;

export interface Exits {
  /** Gives the terminal back and ends the console. Only the first call counts. */
  leave: (status: number) => void;
  suspend: () => void;
  /** Gives the terminal to another program for as long as `borrow` runs. */
  lend: <Value>(borrow: () => Value) => Value;
  /** The status, once the console has ended. */
  ended: Promise<number>;
  /** Called when the console is left and the terminal is given back, before the process may end. */
  whenLeft: (listener: () => void) => void;
}

/**
 * Watches every way out of the process and gives the terminal back on each of them, first of all: on the
 * keys, on signals, on a terminal that is gone, and on an error that nobody caught.
 */
export function guardExits(screen: Screen): Exits {
  const leaving: (() => void)[] = [];
  let finish: ((status: number) => void) | undefined;
  const ended = new Promise<number>((resolve) => {
    finish = resolve;
  });
  let left = false;

  const leave = (status: number): void => {
    screen.close();
    if (left) return;
    left = true;
    // In the next turn: a library that finds itself alone with a signal sends it again, before anything could end.
    setImmediate(unguard);
    for (const listener of leaving) listener();
    finish?.(status);
    setTimeout(() => process.exit(status), GRACE_MILLISECONDS).unref();
  };

  const crash = (error: unknown): void => {
    screen.close();
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`majordomus tui: ${text}\n`);
    process.exit(EXIT.internal);
  };

  let lent = false;
  const lend = <Value>(borrow: () => Value): Value => {
    lent = true;
    screen.close();
    try {
      return borrow();
    } finally {
      screen.regain();
      // Signals of that time arrive in the next turn of the loop: a Ctrl-C was meant for the other program.
      setImmediate(() => setImmediate(() => (lent = false)));
    }
  };

  const onSignal = (signal: keyof typeof SIGNAL_STATUS): void => {
    if (!(lent && signal === "SIGINT")) leave(SIGNAL_STATUS[signal]);
  };
  const handlers = SIGNALS.map((signal) => [signal, () => onSignal(signal)] as const);
  const onContinue = (): void => {
    if (left) return;
    // A stopped process is not told of a new size: this makes Node ask the terminal for it.
    process.kill(process.pid, "SIGWINCH");
    screen.regain();
  };
  const onWindow = (): void => screen.windowChanged();
  const closeScreen = (): void => screen.close();
  const hangUp = (): void => leave(SIGNAL_STATUS.SIGHUP);

  const suspend = (): void => {
    screen.close();
    process.off("SIGTSTP", suspend);
    process.kill(0, "SIGTSTP");
    // Runs when the process goes on, or soon if nothing stopped it.
    setTimeout(() => {
      process.on("SIGTSTP", suspend);
      onContinue();
    }, STOP_MILLISECONDS);
  };

  const unguard = (): void => {
    // A second signal ends the process as usual: the terminal is already given back.
    for (const [signal, handler] of handlers) process.off(signal, handler);
    process.off("SIGCONT", onContinue);
    process.off("SIGTSTP", suspend);
    process.off("SIGWINCH", onWindow);
    process.stdin.off("end", hangUp);
  };

  for (const [signal, handler] of handlers) process.on(signal, handler);
  process.on("SIGCONT", onContinue);
  process.on("SIGTSTP", suspend);
  process.on("SIGWINCH", onWindow);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.on("exit", closeScreen);
  process.stdin.on("error", hangUp);
  process.stdin.on("end", hangUp);
  return { leave, suspend, lend, ended, whenLeft: (listener) => leaving.push(listener) };
}
