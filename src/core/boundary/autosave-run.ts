import { reasonOf } from "../base/error.ts";
import { captureDelta } from "../capsule/autosave/capture.ts";
import type { Captured, CaptureOutcome } from "../capsule/autosave/capture.ts";
import { openMemory } from "../capsule/memory-tree.ts";
import type { Site, Surroundings } from "../checkout/checkout.ts";
import { locateSite } from "../checkout/site.ts";
import { stampOf } from "../fs/read.ts";
import { ORDER_VARIABLE, parseOrder, takeOrder } from "./autosave-order.ts";
import type { AutosaveOrder } from "./autosave-order.ts";
import { tellOutcome } from "./autosave-outcome.ts";

/** How one run of the worker ended; its one line on standard output. */
export type WorkerOutcome = CaptureOutcome | "noop:killed" | "noop:bad-payload";

/**
 * Does what a turn's end ordered: takes the transcript into the session's capsule, stretch by stretch, until nothing
 * new is left or its time has run out.
 *
 * @param orderPath where the order lies; undefined where the environment tells it.
 * @param mayGoOn false once the time has run out.
 */
export function runAutosave(
  orderPath: string | undefined,
  surroundings: Surroundings,
  mayGoOn: () => boolean,
): WorkerOutcome {
  if (surroundings.environment["LIFECYCLE_KILL_STOP_WRITER"] === "1") return "noop:killed";
  const order =
    orderPath === undefined
      ? parseOrder(surroundings.environment[ORDER_VARIABLE] ?? "")
      : takeOrder(orderPath);
  const site = order === undefined ? undefined : locateSite(order.root, surroundings);
  if (order === undefined || site === undefined) return "noop:bad-payload";
  try {
    const { outcome, reason } = captureWhole(site, order, mayGoOn);
    tellOutcome(site, order, outcome.startsWith("error:") ? (reason ?? outcome) : undefined);
    return outcome;
  } catch (error) {
    tellOutcome(site, order, reasonOf(error));
    throw error;
  }
}

/** Takes stretch after stretch, with what is written meanwhile. */
function captureWhole(
  site: Site,
  order: AutosaveOrder,
  mayGoOn: () => boolean,
): Pick<Captured, "outcome" | "reason"> {
  const tree = openMemory(site);
  const request = {
    session: order.session,
    transcript: order.transcript,
    lastAssistantMessage: order.reply,
  };
  let wrote = false;
  for (;;) {
    const before = stampOf(order.transcript)?.size;
    const captured = captureDelta(tree, request, { ...site, mayGoOn });
    const { outcome } = captured;
    wrote ||= outcome === "flushed";
    // What was written meanwhile is taken too: a turn that ended just now may have found this one at work.
    const grown = stampOf(order.transcript)?.size !== before;
    if ((outcome !== "flushed" && outcome !== "noop:no-delta") || !grown || !mayGoOn()) {
      return wrote && outcome === "noop:no-delta" ? { outcome: "flushed" } : captured;
    }
  }
}
