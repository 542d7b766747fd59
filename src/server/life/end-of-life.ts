/** What a server looks at from time to time. */
export interface Pulse {
  /** A signal asked it to end. */
  interrupted: boolean;
  /** Whether the lease still is this server's. */
  leaseholder: boolean;
  /** Whether the work tree that it answers for is still there. */
  rootExists: boolean;
  /** Milliseconds since somebody last wanted something. */
  quietFor: number;
  /** After how many of them it is not needed any more. */
  idleMilliseconds: number;
}

/** Why a server ends now; undefined while it goes on. */
export function reasonToEnd(pulse: Pulse): string | undefined {
  if (pulse.interrupted) return "it was asked to";
  if (!pulse.rootExists) return "the work tree is gone";
  if (!pulse.leaseholder) return "another server took its place, or its lease was taken away";
  if (pulse.quietFor >= pulse.idleMilliseconds) {
    return `nobody asked for anything for ${pulse.idleMilliseconds / 1000} s`;
  }
  return undefined;
}
