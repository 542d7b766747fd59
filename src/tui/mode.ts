import type { RecoverPlanAnswer } from "../core/episode/recovery-answers.ts";
import type { EpisodeView } from "../core/lifecycle/answers.ts";
import type { Form } from "./form.ts";
import type { ActionId } from "./binding.ts";
import type { PaneId } from "./places.ts";
import type { Proposal } from "./proposal.ts";
import type { Reading } from "./reading.ts";

/** What a person is asked before something is written. */
export type Question =
  | {
      kind: "recover";
      root: string;
      subject: "episodes" | "all";
      plan: RecoverPlanAnswer;
      /** The actions that would be taken, in the plan's order. */
      only: readonly string[];
      /** The plan that was confirmed no longer held, and nothing was done. */
      changed: boolean;
    }
  | { kind: "close"; root: string; episode: EpisodeView }
  | {
      kind: "propose";
      proposal: Proposal;
      /** Where it was written; a refusal leads back there. */
      form?: Form;
    }
  | {
      kind: "leave";
      /** What is still being written. */
      running: string | undefined;
      /** Texts that are not stored. */
      drafts: number;
    };

/** What the keyboard talks to. */
export type Mode =
  | { kind: "browse" }
  | { kind: "filter"; pane: PaneId; text: string; before: string }
  | { kind: "palette"; query: string; index: number }
  /** A key was pressed that another one follows. */
  | { kind: "prefix"; prefix: ActionId }
  /** Something is written; its texts are drafts, so that they outlive the form. */
  | { kind: "form"; form: Form; field: number; caret: number }
  | { kind: "help"; top: number }
  | { kind: "reader"; reading: Reading; top: number }
  | { kind: "confirm"; question: Question; top: number };

/** Work that was started from the keyboard and is still running. */
export interface Busy {
  what: string;
  /** It changes something on disk: leaving asks first. */
  writes: boolean;
  done?: number;
  total?: number;
  abort: AbortController;
}

/** What `.` does again, and the row that it was done on. */
export interface Done {
  action: Repeatable;
  row: string | undefined;
}

/** An action that `.` can do again. */
export type Repeatable = Extract<
  ActionId,
  "recover" | "close" | "context" | "open" | "copy" | "edit" | "mark"
>;
