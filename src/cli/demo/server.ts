import type { Checkout } from "../../core/checkout/checkout.ts";
import type { Cancellation } from "../../core/base/cancellation.ts";
import { readRoster } from "../../core/journal/roster.ts";
import { announceAtServer } from "../../core/serving/board-of-server.ts";
import { endServer } from "../../core/serving/end-server.ts";
import { ensureServer } from "../../core/serving/ensure.ts";
import { executableAt } from "../../core/serving/executable.ts";
import { judgeLease } from "../../core/serving/standing.ts";
import { ANNOUNCEMENTS } from "./story.ts";

/** The shared server of the demo, while somebody looks at it. */
export interface DemoServer {
  /** Ends it; nothing of the demo runs on. */
  end(): Promise<void>;
}

const READY_MILLISECONDS = 10_000;
const END_MILLISECONDS = 2000;
/** Whatever becomes of the demo, its server does not stay. */
const IDLE_SECONDS = 120;

async function play(checkout: Checkout, launcher: string, signal: Cancellation): Promise<void> {
  const ensured = await ensureServer(checkout, {
    executable: executableAt(launcher),
    idleSeconds: IDLE_SECONDS,
    // The port that is tried first belongs to real work.
    port: 0,
    waitMilliseconds: READY_MILLISECONDS,
    signal,
  });
  if (!ensured.ensured) return;
  const here = readRoster(checkout).entries.filter((entry) => entry.here);
  for (const [index, { text, paths }] of ANNOUNCEMENTS.entries()) {
    const peer = here[index]?.sessionId;
    if (peer !== undefined && !signal.aborted) await announceAtServer(checkout, { text, paths, peer });
  }
}

/**
 * Starts the demo's server beside the console, which shows it coming, and puts on its board what the demo's workers
 * are at. A demo without one goes on.
 */
export function serveDemo(checkout: Checkout, launcher: string): DemoServer {
  const controller = new AbortController();
  const played = play(checkout, launcher, controller.signal).catch(() => undefined);
  return {
    end: async () => {
      controller.abort();
      await played;
      const { lease } = judgeLease(checkout);
      if (lease !== undefined) await endServer(lease, END_MILLISECONDS);
    },
  };
}
