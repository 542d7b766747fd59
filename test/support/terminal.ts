import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";

/** A program in a pseudo-terminal, and what a person would see of it. */
export interface TerminalSession {
  /** Everything that was sent to the terminal, byte for byte. */
  raw: () => string;
  /** The screen's rows, without trailing blanks. */
  rows: () => string[];
  /** The screen as one text. */
  text: () => string;
  /** One row as cells: a wide character is followed by an empty text. */
  cells: (row: number) => string[];
  /** `alternate` while the program has its own screen. */
  buffer: () => "normal" | "alternate";
  modes: () => { wraparound: boolean; bracketedPaste: boolean };
  write: (keys: string) => void;
  resize: (columns: number, rows: number) => void;
  /** The exit status of the program; -1 for one that a signal ended. */
  exited: () => number | undefined;
  /** Settles when all that was received has been drawn. */
  drawn: () => Promise<void>;
  kill: () => void;
}

export interface TerminalOptions {
  columns: number;
  rows: number;
  cwd?: string;
  environment?: Record<string, string>;
}

/** Starts a program in a pseudo-terminal; the screen is that of a headless xterm. */
export function openTerminal(
  command: string,
  arguments_: readonly string[],
  { columns, rows, cwd, environment = {} }: TerminalOptions,
): TerminalSession {
  // Ink draws nothing until the end when CI is set; colours must not depend on who runs the tests.
  const { CI: _ci, NO_COLOR: _none, FORCE_COLOR: _force, ...inherited } = process.env;
  const terminal = new headless.Terminal({ cols: columns, rows, scrollback: 200, allowProposedApi: true });
  const pty = spawn(command, [...arguments_], {
    // The name wins over TERM in the environment.
    name: environment["TERM"] ?? "xterm-256color",
    cols: columns,
    rows,
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...inherited, ...environment },
  });
  let raw = "";
  let status: number | undefined;
  let pending: Promise<void> = Promise.resolve();
  pty.onData((data) => {
    raw += data;
    pending = new Promise((resolve) => {
      terminal.write(data, resolve);
    });
  });
  pty.onExit(({ exitCode, signal }) => {
    status = signal === undefined || signal === 0 ? exitCode : -1;
  });
  const lineAt = (row: number) => terminal.buffer.active.getLine(terminal.buffer.active.baseY + row);
  const rowsNow = (): string[] =>
    Array.from({ length: terminal.rows }, (_, row) => lineAt(row)?.translateToString(true) ?? "");
  return {
    raw: () => raw,
    rows: rowsNow,
    text: () => rowsNow().join("\n"),
    cells: (row) =>
      Array.from({ length: terminal.cols }, (_, column) => lineAt(row)?.getCell(column)?.getChars() ?? ""),
    buffer: () => terminal.buffer.active.type,
    modes: () => ({
      wraparound: terminal.modes.wraparoundMode,
      bracketedPaste: terminal.modes.bracketedPasteMode,
    }),
    write: (keys) => pty.write(keys),
    resize: (newColumns, newRows) => {
      terminal.resize(newColumns, newRows);
      pty.resize(newColumns, newRows);
    },
    exited: () => status,
    drawn: () => pending,
    kill: () => pty.kill("SIGKILL"),
  };
}
