/** What is kept of a client that has a session. */
export interface ClientMemory {
  /** The episode that it named last; its next calls are for that one too. */
  episode?: string;
  /** What the others know it by; what it announces is announced as that one's. */
  handle?: string;
}
