import { EXIT, MajordomusError } from "../base/error.ts";
import { judgeDepartingText, secretValues } from "../text/portability.ts";
import type { PortabilityFinding } from "../text/portability.ts";
import { lintSecrets } from "./lint-secrets.ts";
import type { ContinuityPlace } from "./place.ts";
import { findUnportable, textsOf } from "./portable.ts";
import { shapeFault } from "./record.ts";
import type { ContinuityRecord } from "./record.ts";

function refuse(kind: PortabilityFinding["kind"], pointer: string, what: string): MajordomusError {
  return new MajordomusError({
    code: `continuity.${kind}`,
    exit: EXIT.finding,
    subject: pointer,
    message: `has ${kind === "secret" ? `a credential (${what})` : what}, which may not leave this machine`,
    remedy: "nothing was published; take it out, and publish again",
  });
}

/**
 * Refuses a record that carries a credential or a path of this machine in any field, or breaks a bound of the
 * format (records.md 14.6). The refusal names the field and the kind, never the value.
 *
 * @throws MajordomusError 10.
 */
export function refuseUnportable(place: Pick<ContinuityPlace, "checkout">, record: ContinuityRecord): void {
  const { environment, root } = place.checkout;
  const knowledge = {
    secrets: secretValues(environment),
    directories: [environment["HOME"] ?? "", root].filter((path) => path !== ""),
  };
  const finding = findUnportable(record, (text) => judgeDepartingText(text, knowledge));
  if (finding !== undefined) throw refuse(finding.kind, finding.pointer, finding.shape);
  const fault = shapeFault(record);
  if (fault === undefined) return;
  throw new MajordomusError({
    code: "continuity.record_malformed",
    exit: EXIT.finding,
    subject: fault.pointer,
    message: `${fault.message}: it cannot travel`,
    remedy: "nothing was published; shorten or correct it, and publish again",
  });
}

/** Fields that this program makes by itself: ids, times, digests. */
const MADE_HERE =
  /^\/(?:schema|repository|device\/node|session|episode|line|parent|published_at|producer|source\/(?:head|working_tree|fingerprint)|handover\/id)$/;

/** The texts of a record that people and tools wrote. */
export function writtenTexts(record: ContinuityRecord): Map<string, string> {
  return new Map(
    textsOf(record)
      .filter(({ pointer }) => !MADE_HERE.test(pointer))
      .map(({ pointer, text }) => [text, pointer]),
  );
}

/**
 * Refuses texts in which secretlint finds a credential.
 *
 * @throws MajordomusError 10.
 */
export async function refuseLinted(texts: ReadonlyMap<string, string>): Promise<void> {
  const finding = await lintSecrets(texts.keys());
  if (finding !== undefined) throw refuse("secret", texts.get(finding.text) ?? "", finding.rule);
}
