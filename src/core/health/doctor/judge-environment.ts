import { VERSION } from "../../base/version.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { gitText } from "../../git/run.ts";
import { findOnPath, isOlder, programVersion } from "../../installation/program-version.ts";
import type { Finding } from "../../labels/terms.ts";
import { judgement } from "../judgement.ts";
import { shellWord } from "../../text/shell-word.ts";

const CATEGORY = "environment";

/** What this program runs on, and whether a shell would start an older one. */
export function judgeEnvironment(checkout: Checkout): Finding[] {
  const git = gitText(checkout.repository, ["--version"]);
  const findings = [
    judgement("INFO", CATEGORY, "majordomus", VERSION),
    judgement("INFO", CATEGORY, "node", process.versions.node),
    git.ok
      ? judgement("INFO", CATEGORY, "git", git.value.replace(/^git version /, ""))
      : judgement("FAIL", CATEGORY, "git", git.error, "git --version"),
  ];
  const program = findOnPath("majordomus", checkout.environment["PATH"] ?? "");
  const version = program === undefined ? undefined : programVersion(program);
  if (program === undefined || version === undefined || !isOlder(version, VERSION)) return findings;
  return [
    ...findings,
    judgement(
      "FAIL",
      CATEGORY,
      program,
      `a shell finds this version, ${version}, older than this program, ${VERSION}`,
      `${shellWord(program)} --version`,
    ),
  ];
}
