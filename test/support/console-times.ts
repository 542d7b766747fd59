/** The moment and the place of all made-up answers. */
export const NOW = Date.parse("2026-09-04T18:00:00Z");
export const ROOT = "/home/mira/app";

/** A timestamp so many minutes before the tests' now. */
export function ago(minutes: number): string {
  return `${new Date(NOW - minutes * 60_000).toISOString().slice(0, 19)}Z`;
}
