/** A text that is read in the console: a record, a working context, a ledger line. */
export interface Reading {
  title: string;
  /** The file it was read from, absolute; absent for what is no file. */
  path?: string;
  text: string;
}
