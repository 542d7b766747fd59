/** How much a client may ask of the server. */
export const LIMITS = {
  /** Of one request's body. */
  bodyBytes: 4 * 1024 * 1024,
  /** How long one answer may take. An act may run a repository's own checks. */
  milliseconds: { read: 30_000, write: 600_000 },
  /** Requests that carry the token: enough for 50 connections of a console, not for a loop gone mad. */
  known: { burst: 20_000, perSecond: 4_000 },
  /** Requests that do not, live and ready among them: enough for probes, not for guessing. */
  unknown: { burst: 200, perSecond: 20 },
  /** Requests that are answered at the same time. */
  atOnce: 256,
} as const;
