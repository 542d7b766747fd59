import type { Clock } from "../core/base/clock.ts";
import type { Answer } from "../core/capabilities/answer.ts";
import type { Progress } from "../core/capabilities/capability.ts";
import type { Spending } from "../core/capsule/spend.ts";
import type { Environment } from "./environment.ts";
import type { Place } from "./model/place.ts";
import type { Opened } from "./opening.ts";

/** How the console asks a capability; the worker pool is one, a test's fake another. */
export interface Ask {
  run(
    root: string,
    id: string,
    input: unknown,
    options?: {
      signal?: AbortSignal;
      onProgress?: (progress: Progress) => void;
      /** Known to only read: it may be stopped at any moment. */
      reads?: boolean;
    },
  ): Promise<Answer>;
  /** Gives back what was spent for an answer that nobody was shown; says what came of it. */
  giveBack?: (root: string, spendings: readonly Spending[]) => Promise<string>;
  /** Gets ready to answer, before anything is asked; settles when that was begun. */
  warm?(): Promise<void>;
}

/** What the live feed of one repository looks at, all paths absolute. */
export interface WatchPlan {
  /** Watched one level deep, never recursively. */
  directories: readonly string[];
  files: readonly string[];
  /** Workers whose end the disk does not show. */
  processes?: readonly number[];
  pollSeconds: number;
}

export interface ConsoleOptions {
  /** Top levels of the repositories to show; at least one. */
  roots: readonly string[];
  ask: Ask;
  watch: (root: string) => Promise<WatchPlan>;
  environment: Environment;
  clock: Clock;
  /** Print one full frame and end. @default false */
  once?: boolean;
  /** Linear text without boxes and escape sequences; prints once. @default false */
  plain?: boolean;
  /** No character outside ASCII in the chrome. @default false */
  ascii?: boolean;
  /** Columns of the one frame. @default the terminal's, else 120 */
  width?: number;
  /** Rows of the one frame. @default the terminal's, else 36 */
  height?: number;
  /** The parsed `.ai/local/keys.yaml`, if there is one. */
  keys?: unknown;
  /** The terminal, where it was opened before anything was asked. */
  opened?: Opened;
  /** Where the checkouts stand by git's files: shown until the first answer. */
  places?: readonly Place[];
  /** Called once, when the first screen is whole or the console is left before that: what is kept for the next start is there. */
  onWhole?: () => void;
}
