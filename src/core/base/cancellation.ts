/** Whether somebody asked for work to stop; looked at between its parts. An `AbortSignal` is one. */
export interface Cancellation {
  readonly aborted: boolean;
}

/** Work that nobody can cancel. */
export const NEVER: Cancellation = { aborted: false };
