import { MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { readDevice } from "../device/device-key.ts";
import { listDirectory, stampOf } from "../fs/read.ts";
import type { Finding } from "../labels/terms.ts";
import { continuityMemory, continuityStatePath } from "../records/continuity-cache.ts";
import type { ContinuityState } from "../records/continuity-cache.ts";
import { workingDeclarations } from "./declaration.ts";
import { resumableHere } from "./offers.ts";
import { openContinuity, recallState } from "./place.ts";
import type { ContinuityPlace } from "./place.ts";
import { repositoryIdentity } from "./repository-identity.ts";
import { diagnose, statusOfStore } from "./store-status.ts";
import { readTip } from "./store-files.ts";
import { judgeAhead, readStore, STORE_REFERENCE } from "./store.ts";
import type { Store } from "./store.ts";

const CATEGORY = "continuity";
const STATUS = "majordomus continuity status";

function finding(level: Finding["level"], subject: string, message: string, reproduce = STATUS): Finding {
  return { level, category: CATEGORY, subject, message, reproduce };
}

/** Why nothing can travel here at all; nothing is wrong with that while nothing does. */
const CANNOT_TRAVEL: ReadonlySet<string> = new Set([
  "continuity.no_commits",
  "continuity.shallow",
  "device.no_home",
]);

/** Whether anything ever travelled here: records, notes, or what this machine published. */
function hasTravelled({ repository, layout, common }: Checkout): boolean {
  return (
    readTip(repository, STORE_REFERENCE) !== undefined ||
    stampOf(continuityStatePath(layout.state)) !== undefined ||
    listDirectory(continuityMemory(common.root).published).length > 0
  );
}

/** What would have to be in order for the first record; git is asked as little as can be. */
function judgeUnused(checkout: Checkout): Finding[] {
  repositoryIdentity(checkout, workingDeclarations(checkout)?.repository);
  readDevice(checkout.environment);
  return [{ level: "OK", category: CATEGORY, subject: "store", message: "nothing travels from here yet" }];
}

/**
 * A machine without a key is no finding: who never published needs none. Nothing here fails the doctor: what
 * others have put into the store nobody here can take out of it again.
 */
function storeFindings(place: ContinuityPlace, store: Store): Finding[] {
  return diagnose(place, store)
    .filter(({ severity }) => severity !== "info")
    .map(({ code, message, subject }) => finding("WARN", subject ?? "store", `${message} (${code})`));
}

function syncFindings(place: ContinuityPlace, store: Store, state: ContinuityState): Finding[] {
  const found: Finding[] = [];
  const { lastSync: last } = state;
  if (last !== undefined && last.outcome !== "ok") {
    const why = last.detail ?? "no reason was noted";
    found.push(finding("WARN", last.remote, `the last sync, at ${last.at}, was ${last.outcome}: ${why}`));
  }
  const { sync } = statusOfStore(place, store, state);
  if (sync === "pending" || sync === "never_synced") {
    found.push(finding("INFO", "store", `records wait to be sent (${sync})`));
  }
  const offers = resumableHere(place, store, state).length;
  if (offers > 0) {
    const message = `${offers} handover(s) of other machines wait to be resumed`;
    found.push(finding("INFO", "offers", message, "majordomus continuity plan"));
  }
  return found;
}

async function judgeUsed(checkout: Checkout): Promise<Finding[]> {
  const place = openContinuity(checkout);
  const state = recallState(place);
  await judgeAhead(place.store);
  const store = readStore(place.store);
  if (store.nested !== undefined) {
    const message = `holds no store of records: it has the directory ${store.nested}; nothing can be published`;
    return [finding("FAIL", STORE_REFERENCE, message)];
  }
  const wrong = storeFindings(place, store);
  const found = [...wrong, ...syncFindings(place, store, state)];
  if (wrong.length > 0) return found;
  const message = `${store.records.size} record(s), all of them admitted`;
  return [{ level: "OK", category: CATEGORY, subject: "store", message }, ...found];
}

/**
 * Judges what travels between machines: the store, its lines, the last sync, this machine's key and notes.
 * A repository from which nothing travels is in order. No network, and nothing written but what was judged.
 *
 * @throws MajordomusError where key, notes, declarations or the reference cannot be read.
 */
export async function judgeContinuity(checkout: Checkout): Promise<Finding[]> {
  const travelled = hasTravelled(checkout);
  try {
    return travelled ? await judgeUsed(checkout) : judgeUnused(checkout);
  } catch (error) {
    if (!(error instanceof MajordomusError) || !CANNOT_TRAVEL.has(error.code)) throw error;
    return [finding(travelled ? "WARN" : "INFO", "repository", `no record can travel: ${error.line}`)];
  }
}
