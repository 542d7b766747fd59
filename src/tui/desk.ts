import type { TypedText } from "../core/journal/typed-text.ts";
import type { Data } from "./data.ts";
import type { Binding } from "./binding.ts";
import type { Message } from "./message.ts";
import type { Mode } from "./mode.ts";
import type { Environment } from "./environment.ts";
import type { Ask } from "./options.ts";
import type { RowSource } from "./row-source.ts";
import type { ConsoleState, Store } from "./store.ts";
import type { Unshown } from "./unshown.ts";

/** What an action needs of the terminal. */
export interface TerminalControl {
  /** Sends a sequence that draws nothing. */
  control: (sequence: string) => void;
  /** Draws everything anew on an empty screen. */
  repaint: () => void;
  /** Gives the terminal to another program for as long as `borrow` runs. */
  lend: <Value>(borrow: () => Value) => Value;
  /** Gives the terminal to the shell until the process is continued. */
  suspend: () => void;
  /** Settles when what the store holds now stands on the screen: whether it does. */
  drawn: () => Promise<boolean>;
}

/** Everything that an action works with. */
export interface Desk {
  store: Store;
  ask: Ask;
  data: Data;
  rowsOf: RowSource;
  bindings: readonly Binding[];
  works: (binding: Binding, state: ConsoleState) => boolean;
  terminal: TerminalControl;
  environment: Environment;
  /** Texts that were typed in an editor, by the form's draft and the field; on disk until their record stands. */
  typed: Map<string, TypedText>;
  unshown: Unshown;
  /** Ends the console with an exit status. */
  leave: (status: number) => void;
  /** Asks for every slice anew after an act; for what rests long only when a person asks for just that. */
  refresh: (root: string, asked?: boolean) => void;
}

export function say(desk: Desk, tone: Message["tone"], text: string): void {
  desk.store.setState({ message: { tone, text } });
}

export function enterMode(desk: Desk, mode: Mode): void {
  desk.store.setState({ mode });
}
