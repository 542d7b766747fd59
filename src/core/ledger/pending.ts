import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { readText, stampOf } from "../fs/read.ts";
import { removeFile, writeAtomic } from "../fs/write.ts";

/**
 * What is being done to a ledger in more than one step, beside it in one file: written before the first step
 * and removed after the last, under the ledger's lock. Whoever writes next brings to its end what was killed
 * between the two; one file, so that one look tells every writer that there is nothing.
 */
const Rotation = z.strictObject({
  /** The archive's file name. */
  archive: z.string(),
  /** How many bytes of the ledger the archive repeats. */
  bytes: z.int(),
  /** The ledger file that was not yet replaced. */
  inode: z.string(),
});
export type PendingRotation = z.infer<typeof Rotation>;

const Deferred = z.strictObject({
  /** The names of what waited: each has its lines in the ledger once `begun` is gone, or never. */
  ids: z.array(z.string()),
  /** Their write, until it is known to stand. */
  begun: z.optional(z.strictObject({ inode: z.string(), offset: z.int(), lines: z.array(z.string()) })),
});

const Pending = z.strictObject({
  schema: z.literal("majordomus-pending/v1"),
  rotation: z.optional(Rotation),
  deferred: z.optional(Deferred),
});
type Pending = Omit<z.infer<typeof Pending>, "schema">;

/** As much as one batch of deferred lines can come to, escaped. */
const MAXIMUM_BYTES = 64 * 1024 * 1024;

function pendingPath(ledger: string): string {
  return join(dirname(ledger), "ledger.pending.json");
}

/** Whether something is under way at this ledger, or was killed. */
export function isPending(ledger: string): boolean {
  return stampOf(pendingPath(ledger)) !== undefined;
}

/**
 * What is under way; nothing for a file that no version of ours wrote.
 *
 * @throws MajordomusError 13 when the disk does not give it: what is not known may not be overruled.
 */
export function readPending(ledger: string): Pending {
  if (!isPending(ledger)) return {};
  const text = readText(pendingPath(ledger), { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok && text.error.kind === "unreadable") {
    throw new MajordomusError({
      code: "ledger.pending_unreadable",
      exit: EXIT.internal,
      subject: text.error.path,
      message: text.error.message,
    });
  }
  if (!text.ok) return {};
  try {
    const parsed = Pending.safeParse(JSON.parse(text.value));
    if (!parsed.success) return {};
    const { rotation, deferred } = parsed.data;
    return { ...(rotation && { rotation }), ...(deferred && { deferred }) };
  } catch {
    return {};
  }
}

/** Says what is under way from now on. The caller holds the ledger's lock. */
export function writePending(ledger: string, pending: Pending, options: { durable?: boolean } = {}): void {
  const path = pendingPath(ledger);
  if (pending.rotation === undefined && pending.deferred === undefined) {
    removeFile(path);
    return;
  }
  writeAtomic(path, `${JSON.stringify({ schema: "majordomus-pending/v1", ...pending })}\n`, {
    mode: 0o600,
    ...options,
  });
}
