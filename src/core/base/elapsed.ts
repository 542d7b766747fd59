/**
 * Milliseconds of monotonic time, since the process began: for spans, never for the time of day. `performance`
 * says the same, and to name it loads a module of several milliseconds.
 */
export function elapsedMilliseconds(): number {
  return process.uptime() * 1000;
}
