import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { dirname } from "node:path";
import { DIVERTING } from "../../core/boundary/autosave-start.ts";
import { handedOrders, orderDirectory } from "../../core/boundary/autosave-order.ts";
import { announceTaker, withdrawTaker } from "../../core/boundary/autosave-taker.ts";
import { startWorker } from "../../core/boundary/autosave-worker.ts";
import { reasonOf } from "../../core/base/error.ts";
import type { Checkout } from "../../core/checkout/checkout.ts";
import { ownProcess } from "../../core/fs/process.ts";
import { stampOf } from "../../core/fs/read.ts";

/** A server's part in the saving of what ended turns said. */
export interface TurnOrders {
  /** Starts a process for each order that lies there and has none yet. */
  look(): void;
  /** Takes no more, after what was left up to now. */
  close(): void;
}

type OrderPlace = Pick<Checkout, "root" | "common" | "environment">;

/**
 * Says what went wrong, once while it stays the same: a server that cannot take orders still answers, and hooks whose orders stay
 * save by themselves.
 */
function unlessItFails(say: (reason: string) => void): (action: () => void) => void {
  let said: string | undefined;
  return (action) => {
    try {
      action();
      said = undefined;
    } catch (error) {
      const reason = reasonOf(error);
      if (reason !== said) say(reason);
      said = reason;
    }
  };
}

/**
 * Takes the orders that the ends of turns leave for this work tree's server, as soon as they lie there, and when it is
 * asked to look.
 *
 * @param program what carries an order out.
 * @param heard told of each order, as somebody works here, and of what keeps orders from being taken.
 */
export function takeTurnOrders(
  { root, common, environment: own }: OrderPlace,
  program: string,
  heard: { onTaken: () => void; onFault: (reason: string) => void },
): TurnOrders {
  const environment = { ...own };
  for (const name of DIVERTING) delete environment[name];
  const attempt = unlessItFails(heard.onFault);
  /** What a process was started for: it takes the order away, and needs a moment for that. */
  let started = new Set<string>();
  const startAll = (): void => {
    const waiting = new Map(handedOrders(common, root).flatMap(versioned));
    const fresh = [...waiting].filter(([version]) => !started.has(version));
    started = new Set(waiting.keys());
    for (const [, order] of fresh) {
      heard.onTaken();
      startWorker(program, { order, directory: dirname(common.root), environment });
    }
  };
  const look = (): void => attempt(startAll);
  attempt(() => announceTaker(common, root, ownProcess()));
  const watcher = watchDirectory(orderDirectory(common), look);
  return {
    look,
    close: () => {
      watcher?.close();
      attempt(() => withdrawTaker(common, root, ownProcess()));
      look();
    },
  };
}

/** An order under a name that no other one has, the next of its session included; nothing where it was taken meanwhile. */
function versioned(path: string): [string, string][] {
  const stamp = stampOf(path);
  return stamp === undefined ? [] : [[`${path} ${stamp.inode} ${stamp.modified}`, path]];
}

/** Where a system has no watches left, orders wait for the next look. */
function watchDirectory(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(directory, { persistent: false }, onChange);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}
