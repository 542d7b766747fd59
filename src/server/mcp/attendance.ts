/** Whoever keeps the list of who is connected; each is known by a handle, which its announcements name. */
export interface Attendance {
  /** @returns the handle of a client that has opened a session, made for it */
  attach: (client: { name: string }) => string;
  touch: (handle: string) => void;
  detach: (handle: string) => void;
}
