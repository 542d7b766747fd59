import { composeDeferral, readCoordination } from "../capsule/coordination.ts";
import type { Coordination } from "../capsule/coordination.ts";
import { logError } from "../capsule/errors-log.ts";
import { MemoryRootError } from "../capsule/memory-declaration.ts";
import { isInUse, openMemory } from "../capsule/memory-tree.ts";
import type { MemoryTree } from "../capsule/memory-tree.ts";
import { composeOrientation, gatherOrientation } from "../capsule/orientation.ts";
import { quoteValue } from "../capsule/quote.ts";
import { RECEIPT_TAG, writeReceipt } from "../capsule/receipt.ts";
import { completeResume } from "../capsule/resume.ts";
import { selectCapsule } from "../capsule/select.ts";
import { claimNewest, giveBackUnheard } from "../capsule/spend.ts";
import type { Claimed } from "../capsule/spend.ts";
import { installBaseOf } from "../capsule/install-root.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { awaitAutosave } from "./capsule-wait.ts";
import { composeClear, ORIENTATION_BYTES } from "./capsule-told.ts";
import type { Briefing } from "./capsule-told.ts";
import type { LifecycleEvent } from "./event.ts";
import type { Steps } from "./steps.ts";

/** What the capsule part of a start adds to its briefing. */
export interface CapsuleTelling {
  /** Puts the capsule part before or behind the briefing, as the occasion wants it. */
  around(briefing: Briefing | undefined): string;
}

/** Of the 9,000 bytes, the briefing's share beside an orientation (decisions.md 1). */
const BRIEFING_BYTES = 6000;

function behind(line: string): CapsuleTelling {
  return { around: (briefing) => [briefing?.(BRIEFING_BYTES), line].filter((part) => part).join("\n") };
}

function before(line: string): CapsuleTelling {
  return { around: (briefing) => [line, briefing?.(BRIEFING_BYTES)].filter((part) => part).join("\n") };
}

/** The memory tree, or the fault that keeps us from it; every part after this one knows both. */
type Memory = { tree: MemoryTree } | { fault: string };

async function openTree(checkout: Checkout, steps: Steps): Promise<Memory> {
  const opened = await steps.run("memory_root", (note): Memory => {
    try {
      return { tree: openMemory(checkout) };
    } catch (error) {
      if (!(error instanceof MemoryRootError)) throw error;
      note({ result: "refused", reason: error.line });
      return { fault: error.line };
    }
  });
  return opened ?? { fault: `MEMORY-ROOT: ${quoteValue(steps.reasonOf("memory_root"), 240)}` };
}

async function leaveReceipt(
  checkout: Checkout,
  event: LifecycleEvent,
  tree: MemoryTree,
  steps: Steps,
): Promise<void> {
  if (!isInUse(tree)) {
    steps.skip("boot_receipt", "this install has no memory tree");
    return;
  }
  const written = await steps.run("boot_receipt", (note) => {
    const boot = { session: event.session, source: event.source ?? "startup" };
    const receipt = writeReceipt(tree, boot, checkout);
    if (!receipt.ok) {
      note({ result: "failed", reason: receipt.error });
      return undefined;
    }
    const { restarted } = receipt.value;
    // The first boot of a tree has nothing to go on from, and nobody lost anything.
    if (restarted !== undefined && tree.memory.exists) {
      const reason = `counting began anew: ${restarted}`;
      note({ result: "done", reason });
      logError(tree, checkout.clock, RECEIPT_TAG, reason);
    }
    return receipt.value;
  });
  if (written === undefined) {
    logError(tree, checkout.clock, RECEIPT_TAG, steps.reasonOf("boot_receipt") ?? "was not written");
  }
}

async function guard(checkout: Checkout, steps: Steps): Promise<Coordination> {
  const { base } = installBaseOf(checkout.environment, checkout.root);
  const coordination = readCoordination(checkout.environment, base);
  if (coordination.state === "off") return coordination;
  await steps.run("coordination", (note) => {
    if (coordination.state === "live") note({ result: "deferred", reason: coordination.reason });
    else if (coordination.state === "unreadable") note({ result: "skipped", reason: coordination.reason });
  });
  return coordination;
}

/** What a broken memory root leaves of a claim: nothing was read, and that is a reason of its own. */
const UNCLAIMED: Claimed = {
  selection: { capsule: undefined, rejected: [], unavailable: "bad-memory-root" },
  loaded: undefined,
};

async function resume(
  checkout: Checkout,
  event: LifecycleEvent,
  memory: Memory,
  steps: Steps,
): Promise<CapsuleTelling> {
  const now = checkout.clock.now();
  const tree = "tree" in memory ? memory.tree : undefined;
  let cleared: string[] = [];
  const claimed = await steps.run("capsule", (note): Claimed => {
    if (tree === undefined) {
      note({ result: "refused", reason: "the memory root cannot be used" });
      return UNCLAIMED;
    }
    cleared = awaitAutosave(checkout, tree, event);
    const claim = claimNewest(tree, { now, patience: checkout.patience });
    const { notSpent, loaded, selection } = claim;
    if (notSpent !== undefined) {
      const reason = `${quoteValue(notSpent.name, 120)} could not be spent: ${quoteValue(notSpent.reason, 240)}`;
      logError(tree, checkout.clock, "resume-verb", reason);
      note({ result: "failed", reason });
    } else if (loaded === undefined) note({ result: "skipped", reason: selection.unavailable ?? "none" });
    const { spending } = claim;
    if (spending !== undefined) steps.ifUnheard(() => void giveBackUnheard(tree, checkout, spending));
    return claim;
  });
  const unavailable = claimed === undefined ? "bad-memory-root" : claimed.selection.unavailable;
  const facts = completeResume(checkout, memory, {
    now,
    occasion: "clear",
    cleared,
    loaded: claimed?.loaded,
    spent: claimed?.loaded !== undefined,
    rejected: claimed?.selection.rejected ?? [],
    ...(claimed?.notSpent === undefined ? {} : { notSpent: claimed.notSpent }),
    ...(unavailable === undefined ? {} : { unavailable }),
    session: event.session,
  });
  const { warning } = facts.acknowledgement;
  if (warning !== null && tree !== undefined) logError(tree, checkout.clock, "resume-verb", warning);
  return { around: (briefing) => composeClear(facts, briefing) };
}

async function orient(checkout: Checkout, memory: Memory, steps: Steps): Promise<CapsuleTelling> {
  if ("fault" in memory) return behind(`${memory.fault}\n`);
  const { tree } = memory;
  if (!isInUse(tree)) return { around: (briefing) => briefing?.(BRIEFING_BYTES) ?? "" };
  const text = await steps.run("capsule", () => {
    const now = checkout.clock.now();
    const facts = gatherOrientation(tree, selectCapsule(tree.memory.root, now), now);
    if (facts.selection.capsule !== undefined && facts.loaded === undefined) {
      logError(tree, checkout.clock, "orientation", "the selected capsule became unreadable");
    }
    const said = tree.diverted
      ? `AIGENT_STATE_HOME_DIR is set: memory is read from ${quoteValue(tree.base, 240)}, not from this repository.\n`
      : "";
    return said + composeOrientation(facts, ORIENTATION_BYTES - Buffer.byteLength(said));
  });
  return behind(text ?? `Capsules could not be read: ${quoteValue(steps.reasonOf("capsule"), 240)}\n`);
}

/**
 * The capsule part of a start (decisions.md 1, capsules.md 8): the boot receipt, the coordination guard, then at a
 * clear the newest capsule, spent and told by the resume procedure; at any other start a pointer to it, and
 * nothing is spent. Nothing is told, and therefore nothing is spent, where the provider would drop it.
 */
export async function tellCapsules(
  checkout: Checkout,
  event: LifecycleEvent,
  steps: Steps,
): Promise<CapsuleTelling | undefined> {
  const memory = await openTree(checkout, steps);
  if ("tree" in memory) await leaveReceipt(checkout, event, memory.tree, steps);
  if (event.told !== true) return undefined;
  const coordination = await guard(checkout, steps);
  if (coordination.state === "live") return before(composeDeferral(coordination.reason, event.source));
  const telling =
    event.source === "clear"
      ? await resume(checkout, event, memory, steps)
      : await orient(checkout, memory, steps);
  if (coordination.state !== "unreadable") return telling;
  const said = `The coordination state cannot be read (${quoteValue(coordination.reason, 160)}); nobody is taken to conduct.\n`;
  return { around: (briefing) => `${telling.around(briefing)}${said}` };
}
