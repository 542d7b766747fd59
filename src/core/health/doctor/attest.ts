import { join } from "node:path";
import { compactTimestamp, formatTimestamp } from "../../base/time.ts";
import { PRODUCER } from "../../base/version.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { headText } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { createExclusive, makeDirectory } from "../../fs/write.ts";
import type { Finding } from "../../labels/terms.ts";

/**
 * Keeps what the doctor found, as evidence of this moment: `.ai/local/evidence/doctor/<utc>.json`. A name that
 * is taken gets `-2`, `-3`.
 *
 * @returns the path, relative to the repository.
 */
export function attestFindings(checkout: Checkout, findings: readonly Finding[]): string {
  const directory = join(checkout.layout.local, "evidence", "doctor");
  const now = checkout.clock.now();
  const evidence = {
    schema: "majordomus-doctor/v1",
    at: formatTimestamp(now),
    by: PRODUCER,
    branch: checkout.branch,
    head: headText(checkout),
    failed: findings.filter(({ level }) => level === "FAIL").length,
    findings,
  };
  const text = `${JSON.stringify(evidence, null, 2)}\n`;
  makeDirectory(directory);
  for (let attempt = 1; ; attempt += 1) {
    const name = `${compactTimestamp(now)}${attempt === 1 ? "" : `-${attempt}`}.json`;
    const path = join(directory, name);
    if (createExclusive(path, text)) return shownPath(checkout.root, path);
  }
}
