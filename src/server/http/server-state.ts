/** Where this server stands, as its lease says; asked at every request that wants to know. */
export interface ServerState {
  /** Whether the checkout's lease still names this server: the file is read when this is. */
  leaseholder: boolean;
  pid: number;
  /** The port that it listens on, on the loopback address. */
  port: number;
  /** UTC, seconds. */
  started_at: string;
}
