import type { RowKind, ViewId } from "./places.ts";

/** Everything that a key or the palette can do. */
export type ActionId =
  | "up"
  | "down"
  | "pageUp"
  | "pageDown"
  | "first"
  | "last"
  | "left"
  | "right"
  | "nextPane"
  | "previousPane"
  | "open"
  | "back"
  | "filter"
  | "palette"
  | "help"
  | "mark"
  | "repeat"
  | "recover"
  | "recoverAll"
  | "close"
  | "context"
  | "closed"
  | "edit"
  | "copy"
  | "new"
  | "newCheckpoint"
  | "newHandover"
  | "newQuestion"
  | "newDecision"
  | "newTask"
  | "answer"
  | "finish"
  | "promote"
  | "reject"
  | "validate"
  | "resolve"
  | "abandon"
  | "procedure"
  | "spend"
  | "spendNewest"
  | "sync"
  | "publish"
  | "plan"
  | "resume"
  | "hide"
  | "verify"
  | "review"
  | "editDraft"
  | "refresh"
  | "repaint"
  | "cancel"
  | "suspend"
  | "leave"
  | `view:${ViewId}`;

export interface Binding {
  action: ActionId;
  /** Names of keys: a character, `up`, `pagedown`, `shift-tab`, `ctrl-k`. */
  keys: readonly string[];
  /** The action whose key comes before them; then they are no keys of their own. */
  after?: ActionId;
  /** What the help and the palette call it. */
  title: string;
  /** What the footer calls it; absent for what needs no reminder. */
  hint?: string;
  /** Rows that it acts on. @default everywhere */
  rows?: readonly RowKind[];
  /** It moves about, or belongs to a form: no use in the palette. @default false */
  moves?: boolean;
  /** A digit or a key of the terminal itself, which cannot be given away. @default false */
  fixed?: boolean;
}
