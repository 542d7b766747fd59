/** The program's version, put in by the build. */
declare const __MAJORDOMUS_VERSION__: string;

export const VERSION: string = __MAJORDOMUS_VERSION__;

/** How a ledger line names its writer (`by`). */
export const PRODUCER = `majordomus/${VERSION}`;
