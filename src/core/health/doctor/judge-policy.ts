import { basename, join } from "node:path";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { listDirectory } from "../../fs/read.ts";
import type { Finding } from "../../labels/terms.ts";
import { DERIVED_SECTIONS } from "../../records/body-sections.ts";
import { readProfile } from "../gate/profile-here.ts";
import { SELECTABLE_CLAUSES } from "../gate/finish-clauses.ts";
import { judgement, orWell } from "../judgement.ts";
import { shellWord } from "../../text/shell-word.ts";
import { showCommand } from "../../fs/show-command.ts";

const CATEGORY = "policy";

async function judgeProfiles(checkout: Checkout): Promise<Finding[]> {
  const { layout, settings, root } = checkout;
  const directory = join(layout.ai, settings.manifest.sections.profiles);
  const names = listDirectory(directory).filter((name) => name.endsWith(".yaml") && !name.startsWith("."));
  const findings: Finding[] = [];
  for (const file of names) {
    const path = shownPath(root, join(directory, file));
    const stem = basename(file, ".yaml");
    const show = `${showCommand(join(directory, file))} ${shellWord(path)}`;
    const profile = await readProfile(checkout, stem);
    if (!profile.ok) findings.push(judgement("FAIL", CATEGORY, path, profile.error, show));
    else if (profile.value.name !== stem) {
      findings.push(
        judgement("FAIL", CATEGORY, path, `its name, ${profile.value.name}, is not its file's`, show),
      );
    }
  }
  const preferred = settings.policy.profiles.default;
  if (!names.includes(`${preferred}.yaml`)) {
    const message = `profiles.default names a profile that there is not: ${preferred}`;
    findings.push(
      judgement("FAIL", CATEGORY, "policy.yaml", message, `ls ${shellWord(shownPath(root, directory))}`),
    );
  }
  return findings;
}

/**
 * Policy, switches and profiles. That the policy parses and has no unknown key is known already: without it
 * there is no checkout to judge.
 */
export async function judgePolicy(checkout: Checkout): Promise<Finding[]> {
  const { policy } = checkout.settings;
  const policyFile = join(checkout.layout.ai, checkout.settings.manifest.sections.policy);
  const show = `${showCommand(policyFile)} ${shellWord(shownPath(checkout.root, policyFile))}`;
  const strangers = policy.verification.finish_requires.filter((name) => !SELECTABLE_CLAUSES.includes(name));
  const underivable = policy.handover.required_sections.filter(
    (name) => !DERIVED_SECTIONS.some((section) => section === name),
  );
  const { fresh_minutes: fresh, stale_minutes: stale } = policy.session.freshness;
  const findings = [
    ...strangers.map((name) =>
      judgement(
        "FAIL",
        CATEGORY,
        "policy.yaml",
        `verification.finish_requires names no clause: ${name}`,
        show,
      ),
    ),
    ...(policy.session.handover_on_end && underivable.length > 0
      ? [
          judgement(
            "FAIL",
            CATEGORY,
            "policy.yaml",
            `handover.required_sections asks for ${underivable.join(", ")}, which nothing derives: no handover is ` +
              "written at a session's end (take it out, or set session.handover_on_end to false)",
            show,
          ),
        ]
      : []),
    ...(fresh !== undefined && stale !== undefined && fresh > stale
      ? [
          judgement(
            "WARN",
            CATEGORY,
            "policy.yaml",
            "session.freshness calls records stale before they age",
            show,
          ),
        ]
      : []),
    ...(policy.session.push_record_on_end
      ? [
          judgement(
            "WARN",
            CATEGORY,
            "policy.yaml",
            "session.push_record_on_end: no hook of ours pushes",
            show,
          ),
        ]
      : []),
    ...(await judgeProfiles(checkout)),
  ];
  return orWell(findings, judgement("OK", CATEGORY, "policy.yaml", "policy and profiles can be followed"));
}
