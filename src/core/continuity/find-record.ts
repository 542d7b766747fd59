import { EXIT, MajordomusError } from "../base/error.ts";
import type { Store } from "./store.ts";
import type { RecordSummary } from "./summary.ts";

const PREFIX = /^[0-9a-f]{1,32}$/;

/** The admitted records whose ids begin with what a person typed. */
export function recordsNamed(store: Pick<Store, "records">, given: string): RecordSummary[] {
  const prefix = given.trim().toLowerCase();
  if (!PREFIX.test(prefix)) return [];
  const exact = store.records.get(prefix);
  if (exact !== undefined) return [exact];
  return [...store.records.values()].filter(({ id }) => id.startsWith(prefix));
}

/** The refused file that a person may have meant. */
export function refusedNamed(
  store: Pick<Store, "refused">,
  given: string,
): Store["refused"][number] | undefined {
  const prefix = given.trim().toLowerCase();
  return PREFIX.test(prefix) ? store.refused.find(({ path }) => path.includes(prefix)) : undefined;
}

/**
 * The one record that a person named.
 *
 * @throws MajordomusError 12 where there is none, 10 where its file was refused, 2 where there are several.
 */
export function findRecord(store: Store, given: string): RecordSummary {
  const [only, ...others] = recordsNamed(store, given);
  if (only !== undefined && others.length === 0) return only;
  if (only !== undefined) {
    throw new MajordomusError({
      code: "continuity.record_ambiguous",
      exit: EXIT.usage,
      subject: given,
      message: `begins ${others.length + 1} records`,
      remedy: "give more of its digits",
    });
  }
  const refused = refusedNamed(store, given);
  if (refused !== undefined) {
    const { code, message, path } = refused;
    throw new MajordomusError({ code, exit: EXIT.finding, subject: path, message });
  }
  throw new MajordomusError({
    code: "continuity.record_unknown",
    exit: EXIT.missing,
    subject: given,
    message: "is no record of this store",
    remedy: "`majordomus continuity records` lists them; `majordomus continuity sync` fetches new ones",
  });
}
