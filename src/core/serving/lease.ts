import { join } from "node:path";
import * as z from "zod/mini";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listDirectory, readText } from "../fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";

/** What of a checkout its server's lease is about. */
export type LeasePlace = Pick<
  Checkout,
  "root" | "layout" | "common" | "environment" | "clock" | "random" | "patience"
>;

/** Who may write this schema is us alone; any other is somebody else's file. */
const SCHEMA = "majordomus-server-lease/v1";

const text = z.string().check(z.minLength(1), z.maxLength(4096));
const processFact = z.nullable(z.string().check(z.maxLength(200)));

/**
 * The right to be the one server of a checkout, and what a client needs to reach it (records.md 15). The file is
 * private: whoever can read its token may ask the server for anything.
 */
export const Lease = z.strictObject({
  schema: z.literal(SCHEMA),
  /** 64 hex: proves whose lease it is, and is what clients show. */
  token: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  state: z.enum(["starting", "ready"]),
  /** Nothing but this machine's own loopback: the token is sent there. */
  url: z.optional(z.string().check(z.regex(/^http:\/\/127\.0\.0\.1:[1-9][0-9]{0,4}$/))),
  /** The work tree that it answers for. */
  root: text,
  executable: text,
  version: text,
  /** Which build of the executable runs; another one at the same place has replaced it. */
  build: text,
  pid: z.int(),
  started: processFact,
  boot: processFact,
  namespace: processFact,
  begun_at: text,
  /** The commit that answers are about; absent before the first one. */
  served_head: z.optional(text),
  served_branch: z.optional(text),
});
export type Lease = z.infer<typeof Lease>;

/** What stands in the lease's place. */
export type LeaseReading =
  | { kind: "absent" }
  /** Not written by us: reported, never replaced (decisions.md 8). */
  | { kind: "foreign"; reason: string }
  | { kind: "held"; lease: Lease };

export const LEASE_BYTES = 64 * 1024;
/** Only its owner may read it. */
export const LEASE_MODE = 0o600;

export function servingDirectory({ layout }: Pick<LeasePlace, "layout">): string {
  return join(layout.state, "mcp");
}

/** `S/mcp/server.json` (records.md 1.2). */
export function leasePath(checkout: Pick<LeasePlace, "layout">): string {
  return join(servingDirectory(checkout), "server.json");
}

/** The lock around every change of the lease. */
export function leaseLockPath({ layout }: Pick<LeasePlace, "layout">): string {
  return join(layout.locks, "server");
}

/** Reads the lease as it stands; nothing of ours is ever half written. */
export function readLease(checkout: Pick<LeasePlace, "layout">): LeaseReading {
  const content = readText(leasePath(checkout), { maximumBytes: LEASE_BYTES });
  if (!content.ok) {
    return content.error.kind === "absent"
      ? { kind: "absent" }
      : { kind: "foreign", reason: content.error.message };
  }
  // What a power cut leaves of a rename that was not yet on the disk.
  if (content.value === "") return { kind: "absent" };
  const parsed = Lease.safeParse(jsonOf(content.value));
  return parsed.success
    ? { kind: "held", lease: parsed.data }
    : { kind: "foreign", reason: "is no lease of this program" };
}

function jsonOf(text_: string): unknown {
  try {
    return JSON.parse(text_);
  } catch {
    return undefined;
  }
}

/** Replaces the lease whole. Only while the lease's lock is held. */
export function writeLease(checkout: Pick<LeasePlace, "layout">, lease: Omit<Lease, "schema">): void {
  makeDirectory(servingDirectory(checkout), 0o700);
  writeAtomic(leasePath(checkout), `${JSON.stringify({ schema: SCHEMA, ...lease }, undefined, 2)}\n`, {
    mode: LEASE_MODE,
  });
}

/** Takes away what writers that were killed left unfinished. Only while the lease's lock is held: nobody else writes here. */
export function sweepUnfinished(checkout: Pick<LeasePlace, "layout">): void {
  const directory = servingDirectory(checkout);
  for (const name of listDirectory(directory)) {
    if (name.startsWith(".tmp.")) removeFile(join(directory, name));
  }
}

/** How the lease's file is named to people. */
export function shownLease(checkout: Pick<LeasePlace, "layout" | "root">): string {
  return shownPath(checkout.root, leasePath(checkout));
}
