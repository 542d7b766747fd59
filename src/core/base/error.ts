/** Exit statuses of the command line (records.md 6). */
export const EXIT = {
  ok: 0,
  usage: 2,
  finding: 10,
  drift: 11,
  missing: 12,
  internal: 13,
  refused: 15,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

export interface ErrorFacts {
  /** Stable, dotted, for programs: `manifest.absent`, `session.already_open`. */
  code: string;
  exit: ExitStatus;
  /** What went wrong, in one clause. */
  message: string;
  /** The file, field, id or argument that it went wrong with. */
  subject?: string;
  /** What a person can do about it, in one clause. */
  remedy?: string;
  cause?: unknown;
}

/** The one error that is meant for people: what, where, what to do, and the exit status that says so. */
export class MajordomusError extends Error {
  readonly code: string;
  readonly exit: ExitStatus;
  readonly subject: string | undefined;
  readonly remedy: string | undefined;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "MajordomusError";
    this.code = facts.code;
    this.exit = facts.exit;
    this.subject = facts.subject;
    this.remedy = facts.remedy;
  }

  /** The error as one line: `subject: message; remedy`. */
  get line(): string {
    const subject = this.subject === undefined ? "" : `${this.subject}: `;
    const remedy = this.remedy === undefined ? "" : `; ${this.remedy}`;
    return `${subject}${this.message}${remedy}`;
  }
}

/** The errno name of a failed system call (`ENOENT`), or undefined for any other error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** A reason for a log line or a receipt, whatever was thrown. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // By its shape: a hook is built from several bundles, and each has a class of its own.
  return "line" in error && typeof error.line === "string" ? error.line : error.message;
}
