import type { RowKind, ViewId } from "./places.ts";
import { VIEWS } from "./places.ts";

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
  | "answer"
  | "finish"
  | "promote"
  | "reject"
  | "validate"
  | "resolve"
  | "abandon"
  | "procedure"
  | "review"
  | "editDraft"
  | "refresh"
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

/** The one key table: dispatch, help, footer and palette are drawn from it. No key means two things. */
export const KEYS: readonly Binding[] = [
  { action: "up", keys: ["up", "k"], title: "move up", moves: true },
  { action: "down", keys: ["down", "j"], title: "move down", hint: "move", moves: true },
  { action: "pageUp", keys: ["pageup"], title: "a page up", moves: true },
  { action: "pageDown", keys: ["pagedown"], title: "a page down", moves: true },
  { action: "first", keys: ["g", "home"], title: "first row", moves: true },
  { action: "last", keys: ["G", "end"], title: "last row", moves: true },
  { action: "left", keys: ["left", "h"], title: "pane to the left", moves: true },
  { action: "right", keys: ["right", "l"], title: "pane to the right", hint: "pane", moves: true },
  { action: "nextPane", keys: ["tab"], title: "next pane", hint: "next", moves: true },
  { action: "previousPane", keys: ["shift-tab"], title: "previous pane", moves: true },
  { action: "cancel", keys: ["X"], title: "cancel the running work", hint: "cancel" },
  { action: "open", keys: ["enter"], title: "open, confirm", hint: "open" },
  { action: "back", keys: ["escape"], title: "back, cancel", moves: true },
  {
    action: "recover",
    keys: ["r"],
    title: "recover (shows the plan first)",
    hint: "recover",
    rows: ["episodes", "recovery"],
  },
  {
    action: "recoverAll",
    keys: ["ctrl-r"],
    title: "recover all (shows the plan first)",
    hint: "all",
    rows: ["episodes", "recovery"],
  },
  {
    action: "close",
    keys: ["c"],
    title: "close the episode as interrupted (asks first)",
    hint: "close",
    rows: ["episodes"],
  },
  {
    action: "context",
    keys: ["w"],
    title: "open the episode's working context",
    hint: "context",
    rows: ["episodes"],
  },
  {
    action: "closed",
    keys: ["o"],
    title: "show or hide closed episodes",
    hint: "closed",
    rows: ["episodes"],
  },
  {
    action: "mark",
    keys: ["space"],
    title: "mark the row, for several at once",
    rows: ["episodes", "recovery", "knowledge", "capsules"],
  },
  {
    action: "repeat",
    keys: ["."],
    title: "repeat the last action on the next row",
  },
  {
    action: "new",
    keys: ["n"],
    title: "something new: the next key says what",
    hint: "new",
    rows: ["work"],
    moves: true,
  },
  {
    action: "newCheckpoint",
    after: "new",
    keys: ["c"],
    title: "new checkpoint",
    hint: "checkpoint",
    rows: ["work"],
  },
  {
    action: "newHandover",
    after: "new",
    keys: ["h"],
    title: "new handover",
    hint: "handover",
    rows: ["work"],
  },
  {
    action: "newQuestion",
    after: "new",
    keys: ["q"],
    title: "new question",
    hint: "question",
    rows: ["work"],
  },
  {
    action: "newDecision",
    after: "new",
    keys: ["d"],
    title: "new decision",
    hint: "decision",
    rows: ["work"],
  },
  {
    action: "answer",
    keys: ["A"],
    title: "answer the open question",
    hint: "answer",
    rows: ["work"],
  },
  {
    action: "finish",
    keys: ["f"],
    title: "finish the task (shows its contract first)",
    hint: "finish",
    rows: ["work"],
  },
  {
    action: "promote",
    keys: ["p"],
    title: "promote (asks class and evidence)",
    hint: "promote",
    rows: ["knowledge"],
  },
  { action: "reject", keys: ["x"], title: "reject (asks the reason)", hint: "reject", rows: ["knowledge"] },
  {
    action: "validate",
    keys: ["v"],
    title: "validate the capsule",
    hint: "validate",
    rows: ["capsules"],
  },
  {
    action: "resolve",
    keys: ["m"],
    title: "mark the capsule as resolved (asks first)",
    hint: "resolved",
    rows: ["capsules"],
  },
  {
    action: "abandon",
    keys: ["a"],
    title: "mark the capsule as abandoned (asks first)",
    hint: "abandon",
    rows: ["capsules"],
  },
  {
    action: "procedure",
    keys: ["u"],
    title: "the resume procedure of the capsule, as it would be printed",
    hint: "procedure",
    rows: ["capsules"],
  },
  { action: "edit", keys: ["e"], title: "open the record in $EDITOR", hint: "edit" },
  { action: "copy", keys: ["y"], title: "copy the id, the path or the command", hint: "copy" },
  { action: "filter", keys: ["/"], title: "filter the rows of this pane", hint: "filter" },
  { action: "palette", keys: [":", "ctrl-k"], title: "every action by name", hint: "palette" },
  ...VIEWS.map((view): Binding => ({
    action: `view:${view.id}`,
    keys: [view.digit],
    title: `view: ${view.title}`,
    fixed: true,
  })),
  { action: "refresh", keys: ["R"], title: "refresh now" },
  { action: "review", keys: ["ctrl-s"], title: "in a form: show whole what would be stored", moves: true },
  { action: "editDraft", keys: ["ctrl-e"], title: "in a form: write the text in $EDITOR", moves: true },
  { action: "suspend", keys: ["ctrl-z"], title: "suspend", fixed: true },
  { action: "help", keys: ["?"], title: "the keys of this view", hint: "help" },
  { action: "leave", keys: ["q", "ctrl-c"], title: "leave", hint: "leave" },
];
