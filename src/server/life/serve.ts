import { formatTimestamp } from "../../core/base/time.ts";
import { errnoOf, reasonOf } from "../../core/base/error.ts";
import type { Checkout } from "../../core/checkout/checkout.ts";
import { isLockTimeout } from "../../core/fs/lock.ts";
import { stampOf } from "../../core/fs/read.ts";
import { readHead } from "../../core/git/head.ts";
import type { HeldLease, LeaseNews } from "../../core/serving/hold-lease.ts";
import { PeerBoard } from "../../core/serving/peer-board.ts";
import { createPool } from "../../workers/pool.ts";
import { createAsking, withoutSession } from "../asking.ts";
import { createApplication } from "../http/application.ts";
import { listen } from "../http/listen.ts";
import type { Listening } from "../http/listen.ts";
import { watchActivity } from "./activity.ts";
import type { Activity } from "./activity.ts";
import { reasonToEnd } from "./end-of-life.ts";
import { ownAnswers } from "./own-answers.ts";
import { takeTurnOrders } from "./turn-orders.ts";
import type { TurnOrders } from "./turn-orders.ts";

export interface ServeOptions {
  /** Already claimed, for this process. */
  held: HeldLease;
  /** The entry of the pool's threads. */
  worker: string;
  /** What saves the state of a session whose turn ended. */
  autosave: string;
  idleMilliseconds: number;
  /** The port to try first. */
  port: number;
  /** Aborted when the server is asked to end. */
  signal: AbortSignal;
  /** Told the address as soon as the server can be asked. */
  onReady: (url: string) => void;
  /** How often it looks at its lease, the repository and its clients, in milliseconds. @default 1000 */
  pulseMilliseconds?: number;
}

const PULSE_MILLISECONDS = 1000;
/** How long the lease's lock may be waited for when a server comes and goes. */
const LOCK_MILLISECONDS = 2000;
/** What is being answered when a server ends is given this long to come to its end. */
const SETTLE_MILLISECONDS = 2000;

/** The port that is wanted, or any other where somebody has it, whether that one answers or not. */
async function listenSomewhere(fetch: Activity["fetch"], port: number): Promise<Listening> {
  try {
    return await listen(fetch, port);
  } catch (error) {
    const errno = errnoOf(error);
    if (port === 0 || (errno !== "EADDRINUSE" && errno !== "EACCES")) throw error;
    return listen(fetch, 0);
  }
}

function servedNow({ repository }: Checkout): LeaseNews {
  const { commit, branch } = readHead(repository);
  return { ...(commit === undefined ? {} : { served_head: commit }), served_branch: branch };
}

/** Writes into the lease which commit answers are about by now; a lock that is held just now is met the next time. */
function follow(checkout: Checkout, held: HeldLease): void {
  const now = servedNow(checkout);
  const { served_head, served_branch } = held.lease();
  if (now.served_head === served_head && now.served_branch === served_branch) return;
  try {
    held.tell(now, 0);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

/**
 * Answers for a checkout until nobody needs it, somebody else took its place, its work tree is gone, or it is asked to
 * end; then gives the lease back.
 *
 * @returns why it ended
 */
export async function serveCheckout(checkout: Checkout, options: ServeOptions): Promise<string> {
  const { held, signal, idleMilliseconds } = options;
  const now = (): number => performance.now();
  const environment = withoutSession(checkout.environment);
  const pool = createPool({ entry: options.worker, environment });
  let listening: Listening | undefined;
  let activity: Activity | undefined;
  let close: (() => Promise<void>) | undefined;
  let orders: TurnOrders | undefined;
  try {
    const board = new PeerBoard(checkout, () => held.touch());
    const { ask, recall } = createAsking({
      root: checkout.root,
      environment,
      pool,
      own: ownAnswers(checkout, held, board),
    });
    const begun = formatTimestamp(checkout.clock.now());
    const application = createApplication({
      root: checkout.root,
      ask,
      recall,
      token: held.token,
      state: () => ({
        get leaseholder() {
          return held.isHeld();
        },
        pid: process.pid,
        port: listening?.port ?? 0,
        started_at: begun,
      }),
      attendance: board,
    });
    close = application.close;
    const watched = watchActivity(application.fetch, held.token, now);
    activity = watched;
    listening = await listenSomewhere(watched.fetch, options.port);
    const url = `http://127.0.0.1:${listening.port}`;
    if (!held.tell({ state: "ready", url, ...servedNow(checkout) }, LOCK_MILLISECONDS))
      return "another server took its place";
    options.onReady(url);
    const taking = takeTurnOrders({ ...checkout, environment }, options.autosave, {
      onTaken: () => watched.touch(),
      onFault: (reason) =>
        process.stderr.write(`majordomus: what turns said is not saved from here: ${reason}\n`),
    });
    orders = taking;
    return await untilTheEnd(options.pulseMilliseconds ?? PULSE_MILLISECONDS, signal, () => {
      const leaseholder = held.isHeld();
      const rootExists = stampOf(checkout.root) !== undefined;
      if (leaseholder && rootExists) {
        follow(checkout, held);
        taking.look();
      }
      return reasonToEnd({
        interrupted: signal.aborted,
        leaseholder,
        rootExists,
        quietFor: watched.quietFor(),
        idleMilliseconds,
      });
    });
  } finally {
    orders?.close();
    giveBack(checkout, held);
    await activity?.settle(SETTLE_MILLISECONDS);
    await close?.();
    await listening?.close();
    await pool.close();
  }
}

/** Whoever finds a lease of a dead process takes it over: one that cannot be given back is no harm. */
function giveBack(checkout: Checkout, held: HeldLease): void {
  try {
    if (stampOf(checkout.root) !== undefined) held.release(LOCK_MILLISECONDS);
  } catch (error) {
    process.stderr.write(`majordomus: the lease stays: ${reasonOf(error)}\n`);
  }
}

function untilTheEnd(
  pulseMilliseconds: number,
  signal: AbortSignal,
  look: () => string | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const beat = (): void => {
      try {
        const reason = look();
        if (reason !== undefined) finish(() => resolve(reason));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    const timer = setInterval(beat, pulseMilliseconds);
    const finish = (settle: () => void): void => {
      clearInterval(timer);
      signal.removeEventListener("abort", beat);
      settle();
    };
    signal.addEventListener("abort", beat);
    beat();
  });
}
