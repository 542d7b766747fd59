import { dirname, isAbsolute } from "node:path";
import { errnoOf, EXIT } from "../base/error.ts";
import { failureOf, statEntry } from "../fs/read.ts";
import { showCommand } from "../fs/show-command.ts";
import type { Finding } from "../labels/terms.ts";
import { shellWord } from "../text/shell-word.ts";
import { shownPath } from "./shown-path.ts";

/** A place of the store that is there and cannot be read, and why. */
interface Refusal {
  path: string;
  message: string;
}

/** A directory that may not be searched is what cannot be read, and not everything that was looked for in it. */
function nearestSeen(path: string): string {
  let seen = path;
  while (!canBeSeen(seen) && dirname(seen) !== seen) seen = dirname(seen);
  return seen;
}

function canBeSeen(path: string): boolean {
  try {
    statEntry(path);
    return true;
  } catch {
    return false;
  }
}

/** What the system refused, whichever of our readers met it; undefined for anything else that was thrown. */
function refusalIn(error: unknown): Refusal | undefined {
  if (!(error instanceof Error)) return undefined;
  if (errnoOf(error) !== undefined && "path" in error && typeof error.path === "string") {
    return { path: error.path, message: failureOf(error, error.path).message };
  }
  // By its shape: a hook is built from several bundles, and each has a class of its own.
  const { exit, subject } = error as { exit?: unknown; subject?: unknown };
  if (exit !== EXIT.internal || typeof subject !== "string" || !isAbsolute(subject)) return undefined;
  return { path: subject, message: error.message };
}

/**
 * Reads stores one by one: of one that is there and cannot be read it is told once which and why, with a command that
 * shows it, and the others are read all the same (promises 29, 49).
 */
export class Readings {
  readonly #root: string;
  readonly #level: Finding["level"];
  readonly #byPath = new Map<string, Finding>();
  readonly #reasons = new Map<string, string>();

  /**
   * @param root what paths are told relative to.
   * @param level of the findings.
   */
  constructor(root: string, level: Finding["level"]) {
    this.#root = root;
    this.#level = level;
  }

  /** One for each place that could not be read, in the order in which they were met. */
  get findings(): Finding[] {
    return [...this.#byPath.values()];
  }

  /**
   * @param category of the finding, where there is one.
   * @returns what was read; undefined, with a finding, where the system refused it.
   * @throws whatever else `read` throws.
   */
  attempt<Value>(category: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      this.#note(category, error);
      return undefined;
    }
  }

  /** The same for what is not read at once. */
  async attemptLater<Value>(category: string, read: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await read();
    } catch (error) {
      this.#note(category, error);
      return undefined;
    }
  }

  /** Why something of a category could not be read, in one clause; undefined where everything of it could. */
  reasonOf(category: string): string | undefined {
    return this.#reasons.get(category);
  }

  #note(category: string, error: unknown): void {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    const { message } = refusal;
    const path = nearestSeen(refusal.path);
    const subject = shownPath(this.#root, path);
    this.#reasons.set(category, `${subject}: ${message}`);
    if (this.#byPath.has(path)) return;
    const reproduce = `${showCommand(path)} ${shellWord(subject)}`;
    this.#byPath.set(path, { level: this.#level, category, subject, message, reproduce });
  }
}
