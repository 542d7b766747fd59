import { dirname, isAbsolute, join } from "node:path";
import * as z from "zod/mini";
import type { Clock } from "../base/clock.ts";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Random } from "../base/random.ts";
import { formatTimestamp } from "../base/time.ts";
import { readText } from "../fs/read.ts";
import { createExclusive, makeDirectory, writeAtomic } from "../fs/write.ts";
import { nodeIdOf, publicKeyOf } from "./signing.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What it takes to find this machine's key, and to make it. */
export interface DevicePlace {
  environment: Environment;
  clock: Clock;
  random: Random;
}

/** Letters, digits, `.`, `_` and `-` (records.md 14.1); the bound is ours, so that a label stays one short word. */
const LABEL = /^[A-Za-z0-9._-]{1,64}$/;
const LABEL_LENGTH = 8;
const SEED_BYTES = 32;
const MAXIMUM_BYTES = 16 * 1024;

/** The file, in the original's form and order; it shares this key with the original on the same machine. */
const Identity = z.strictObject({
  schema: z.literal("majordomus-mesh-identity/v1"),
  secret_key: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  display_name: z.optional(z.string()),
  created_at: z.string(),
});
type Identity = z.infer<typeof Identity>;

/** This machine, as its signatures name it. */
export interface Device {
  /** 32 hex. */
  node: string;
  /** 64 hex. */
  publicKey: string;
  /** 64 hex, the Ed25519 seed: never shown, never logged, never sent to another thread. */
  secretKey: string;
  /** What people call it; the first 8 hex of the node where nobody named it. */
  label: string;
}

/**
 * Where the key of this user on this machine lies.
 *
 * @throws MajordomusError 13 without `XDG_STATE_HOME` and `HOME`: there is no place for it.
 */
export function devicePath(environment: Environment): string {
  const state = environment["XDG_STATE_HOME"];
  if (state !== undefined && isAbsolute(state)) return join(state, "majordomus", "node.json");
  const home = environment["HOME"];
  if (home !== undefined && isAbsolute(home)) return join(home, ".local", "state", "majordomus", "node.json");
  throw new MajordomusError({
    code: "device.no_home",
    exit: EXIT.internal,
    message: "there is no place for the device key",
    remedy: "set HOME or XDG_STATE_HOME to an absolute path",
  });
}

function refuse(path: string, message: string): MajordomusError {
  return new MajordomusError({
    code: "device.unreadable",
    exit: EXIT.internal,
    subject: path,
    message,
    remedy: "it is never replaced; put the right file back, or move this one away to begin with a new key",
  });
}

function readIdentity(path: string): Identity | undefined {
  const text = readText(path, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) {
    if (text.error.kind === "absent") return undefined;
    throw refuse(path, text.error.message);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.value);
  } catch {
    throw refuse(path, "is not JSON");
  }
  const identity = Identity.safeParse(value);
  if (identity.success) return identity.data;
  const field = identity.error.issues[0]?.path.join(".") ?? "";
  // The value itself is never repeated: it may be most of a secret.
  throw refuse(path, field === "" ? "is not a device key" : `is not a device key: ${field} is not in order`);
}

function deviceOf(identity: Pick<Identity, "secret_key" | "display_name">): Device {
  const publicKey = publicKeyOf(identity.secret_key);
  const node = nodeIdOf(publicKey);
  const label = identity.display_name ?? "";
  return {
    node,
    publicKey,
    secretKey: identity.secret_key,
    label: LABEL.test(label) ? label : node.slice(0, LABEL_LENGTH),
  };
}

/** Two spaces, no trailing newline, and the original's order of fields (records.md 14.1). */
function serialise(identity: Identity): string {
  const { schema, secret_key, display_name, created_at } = identity;
  return JSON.stringify(
    { schema, secret_key, ...(display_name === undefined ? {} : { display_name }), created_at },
    null,
    2,
  );
}

/**
 * This machine's key, where it has one.
 *
 * @throws MajordomusError 13 for a file that is there and is no key, and where there is no place for one.
 */
export function readDevice(environment: Environment): Device | undefined {
  const identity = readIdentity(devicePath(environment));
  return identity === undefined ? undefined : deviceOf(identity);
}

/**
 * This machine's key, made on first use: of many at once one makes it, and all have the same. Only what
 * signs may call this; whatever only reads goes without a key or takes an {@link ephemeralDevice}.
 *
 * @throws MajordomusError 13 for a file that is there and is no key: it is never replaced.
 */
export function ensureDevice({ environment, clock, random }: DevicePlace): Device {
  const path = devicePath(environment);
  const known = readIdentity(path);
  if (known !== undefined) return deviceOf(known);
  makeDirectory(dirname(path), 0o700);
  const fresh: Identity = {
    schema: "majordomus-mesh-identity/v1",
    secret_key: random.hex(SEED_BYTES),
    created_at: formatTimestamp(clock.now()),
  };
  if (createExclusive(path, serialise(fresh), { mode: 0o600, durable: true })) return deviceOf(fresh);
  const winner = readIdentity(path);
  if (winner === undefined) throw refuse(path, "went away while it was read");
  return deviceOf(winner);
}

/**
 * Gives this machine a name, making its key when it has none.
 *
 * @throws MajordomusError 2 for a label outside the alphabet; 13 as {@link ensureDevice}.
 */
export function nameDevice(place: DevicePlace, label: string): Device {
  if (!LABEL.test(label)) {
    throw new MajordomusError({
      code: "device.label",
      exit: EXIT.usage,
      subject: label,
      message: "is not a device label",
      remedy: "letters, digits, `.`, `_` and `-`, at most 64",
    });
  }
  ensureDevice(place);
  const path = devicePath(place.environment);
  const identity = readIdentity(path);
  if (identity === undefined) throw refuse(path, "went away while it was read");
  const named = { ...identity, display_name: label };
  if (identity.display_name !== label) writeAtomic(path, serialise(named), { mode: 0o600, durable: true });
  return deviceOf(named);
}

/** A stand-in for a machine without a key: nothing is written, and it is another one each time. */
export function ephemeralDevice(random: Random): Device {
  return deviceOf({ secret_key: random.hex(SEED_BYTES) });
}
