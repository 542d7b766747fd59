import { EXIT, MajordomusError } from "../base/error.ts";
import { formatTimestamp } from "../base/time.ts";
import { VERSION } from "../base/version.ts";
import { withLock } from "../fs/lock.ts";
import { ownProcess } from "../fs/process.ts";
import { makeDirectory, removeFile, touchFile } from "../fs/write.ts";
import type { Executable } from "./executable.ts";
import { leaseLockPath, leasePath, readLease, sweepUnfinished, writeLease } from "./lease.ts";
import type { Lease, LeasePlace } from "./lease.ts";
import { judgeLease } from "./standing.ts";
import type { ServerJudgement } from "./standing.ts";

/** What the holder tells through its lease. */
export type LeaseNews = Partial<Pick<Lease, "state" | "url" | "served_head" | "served_branch">>;

/** The right to be a checkout's server, in our hands until somebody takes it. */
export interface HeldLease {
  readonly token: string;
  /** What this process wrote into it last. */
  lease(): Lease;
  /** Whether the file still is ours: read anew at each call. */
  isHeld(): boolean;
  /**
   * Writes what is new into the lease.
   *
   * @param waitMilliseconds how long its lock may be waited for: nothing is answered meanwhile.
   * @returns false when it is ours no more; nothing is written then.
   * @throws LockTimeout when the lock stays with somebody else.
   */
  tell(news: LeaseNews, waitMilliseconds: number): boolean;
  /** Lets whoever watches the lease see that something about its server has changed. */
  touch(): void;
  /** Takes the lease away, if it is still ours; its lock may be waited for as long. */
  release(waitMilliseconds: number): void;
}

export type LeaseClaim = { held: HeldLease } | { refused: ServerJudgement };

export interface ClaimRequest {
  executable: Executable;
  /** The token of a lease that was found dead by asking: its place may be taken. */
  dead?: string | undefined;
}

/** The lease that whoever started this process has written for it. */
function writtenForUs(checkout: LeasePlace): Lease | undefined {
  const reading = readLease(checkout);
  if (reading.kind !== "held") return undefined;
  const { lease } = reading;
  const own = ownProcess();
  const ours = lease.pid === own.pid && lease.started === own.started && lease.boot === own.boot;
  return ours && lease.root === checkout.root ? lease : undefined;
}

/**
 * Claims to be the server of a checkout, for this process. A server that stands keeps its place; a dead one's, a
 * copied lease and one that was found dead are replaced.
 *
 * @throws MajordomusError 13 where there is no built program to name; LockTimeout; the errno error of the disk.
 */
export function claimLease(checkout: LeasePlace, { executable, dead }: ClaimRequest): LeaseClaim {
  const { build } = executable;
  if (build === undefined) {
    throw new MajordomusError({
      code: "server.not_built",
      exit: EXIT.internal,
      subject: executable.path,
      message: "is not built",
      remedy: "run `npm run build`, or install the package again",
    });
  }
  makeDirectory(checkout.layout.locks);
  return underLock(checkout, checkout.patience.remaining(), () => {
    const mine = writtenForUs(checkout);
    if (mine !== undefined) return { held: holding(checkout, mine) };
    const judgement = judgeLease(checkout, executable);
    const found = judgement.lease?.token;
    if (!judgement.replaceable && (found === undefined || found !== dead)) return { refused: judgement };
    const lease: Lease = {
      schema: "majordomus-server-lease/v1",
      token: checkout.random.hex(32),
      state: "starting",
      root: checkout.root,
      executable: executable.path,
      version: VERSION,
      build,
      ...ownProcess(),
      begun_at: formatTimestamp(checkout.clock.now()),
    };
    sweepUnfinished(checkout);
    writeLease(checkout, lease);
    return { held: holding(checkout, lease) };
  });
}

function underLock<Value>(checkout: LeasePlace, waitMilliseconds: number, action: () => Value): Value {
  return withLock(leaseLockPath(checkout), { waitMilliseconds }, () => action());
}

function holding(checkout: LeasePlace, claimed: Lease): HeldLease {
  let lease = claimed;
  const { token } = claimed;
  const isHeld = (): boolean => {
    const reading = readLease(checkout);
    return reading.kind === "held" && reading.lease.token === token;
  };
  return {
    token,
    lease: () => lease,
    isHeld,
    tell: (news, waitMilliseconds) =>
      underLock(checkout, waitMilliseconds, () => {
        if (!isHeld()) return false;
        lease = { ...lease, ...news };
        writeLease(checkout, lease);
        return true;
      }),
    touch: () => {
      if (isHeld()) touchFile(leasePath(checkout), checkout.clock.now());
    },
    release: (waitMilliseconds) =>
      underLock(checkout, waitMilliseconds, () => {
        if (isHeld()) removeFile(leasePath(checkout));
      }),
  };
}
