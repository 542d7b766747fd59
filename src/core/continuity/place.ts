import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readDevice } from "../device/device-key.ts";
import type { Device } from "../device/device-key.ts";
import type { HeldLock } from "../fs/lock.ts";
import { withPatientLock } from "../fs/patient-lock.ts";
import { listDirectory } from "../fs/read.ts";
import { makeDirectory, writeAtomic } from "../fs/write.ts";
import {
  continuityMemory,
  continuityStatePath,
  formatContinuityState,
  readContinuityState,
} from "../records/continuity-cache.ts";
import type { ContinuityMemory, ContinuityState } from "../records/continuity-cache.ts";
import { admissionCachePath } from "./admission-cache.ts";
import { trunkDeclarations, workingDeclarations } from "./declaration.ts";
import { repositoryIdentity } from "./repository-identity.ts";
import type { StorePlace } from "./judge-files.ts";
import { judgeTrust } from "./trust.ts";
import type { TrustJudge } from "./trust.ts";

/** Everything about a checkout that its travelling records are judged with. */
export interface ContinuityPlace {
  checkout: Checkout;
  /** 32 hex. */
  repositoryId: string;
  store: StorePlace;
  memory: ContinuityMemory;
  /** This machine, where it has a key; reading never makes one. */
  device: Device | undefined;
  trust: TrustJudge;
}

function identified(checkout: Checkout, repositoryId: string): StorePlace {
  return {
    repository: checkout.repository,
    repositoryId,
    cache: admissionCachePath(checkout.common, repositoryId),
  };
}

function readDeclarations(checkout: Checkout) {
  const working = workingDeclarations(checkout);
  const trunk = trunkDeclarations(checkout);
  const committed = trunk.state === "read" ? trunk.declarations : undefined;
  return { working, trunk, declared: (working ?? committed)?.repository };
}

/**
 * Opens the store alone, for what needs nothing of this machine.
 *
 * @throws MajordomusError 10 where the repository has no identity, or a trust declaration cannot be read.
 */
export function openStore(checkout: Checkout): StorePlace {
  return identified(checkout, repositoryIdentity(checkout, readDeclarations(checkout).declared));
}

/**
 * Opens the travelling records of a checkout.
 *
 * @throws MajordomusError 10 where the repository has no identity, or a trust declaration cannot be read; 13
 *   for a device key that cannot be read.
 */
export function openContinuity(checkout: Checkout): ContinuityPlace {
  const { working, trunk, declared } = readDeclarations(checkout);
  const repositoryId = repositoryIdentity(checkout, declared);
  const device = readDevice(checkout.environment);
  return {
    checkout,
    repositoryId,
    store: identified(checkout, repositoryId),
    memory: continuityMemory(checkout.common.root),
    device,
    trust: judgeTrust(working, trunk, device?.publicKey),
  };
}

/**
 * What this checkout remembers.
 *
 * @throws MajordomusError 13 for a file that is there and cannot be read: it is never replaced.
 */
export function recallState({ checkout }: Pick<ContinuityPlace, "checkout">): ContinuityState {
  const path = continuityStatePath(checkout.layout.state);
  const state = readContinuityState(path);
  if (state.ok) return state.value;
  throw new MajordomusError({
    code: "continuity.state_unreadable",
    exit: EXIT.internal,
    subject: path,
    message: state.error,
    remedy: "it is never replaced; put it right, or move it away to begin without positions",
  });
}

/** Replaces what this checkout remembers, whole and on disk. */
export function rememberState(
  { checkout }: Pick<ContinuityPlace, "checkout">,
  state: ContinuityState,
  lock: HeldLock,
): void {
  makeDirectory(checkout.layout.state);
  lock.assertHeld();
  writeAtomic(continuityStatePath(checkout.layout.state), formatContinuityState(state), { durable: true });
}

/**
 * Does something while no other process changes this checkout's position.
 *
 * @throws LockTimeout when another one does so for too long.
 */
export function whilePositioned<Value>(
  { checkout }: Pick<ContinuityPlace, "checkout">,
  action: (lock: HeldLock) => Value,
): Value {
  makeDirectory(checkout.layout.locks);
  return withPatientLock(join(checkout.layout.locks, "continuity"), checkout.patience, action);
}

/** The records that are hidden on this machine, by id. */
export function hiddenRecords({ memory }: Pick<ContinuityPlace, "memory">): Set<string> {
  return new Set(listDirectory(memory.hidden).filter((name) => /^[0-9a-f]{32}$/.test(name)));
}
