import { join } from "node:path";
import type { Checkout } from "../../checkout/checkout.ts";
import { stampOf } from "../../fs/read.ts";
import { runGit } from "../../git/run.ts";
import type { Finding } from "../../labels/terms.ts";
import { firstOf, judgement, orWell } from "../judgement.ts";
import { shellWord } from "../../text/shell-word.ts";

const CATEGORY = "layer";
const SHOWN = 20;

/** Sections of which the layer has none until somebody writes one. */
const OPTIONAL: ReadonlySet<string> = new Set(["scope"]);

function judgeSections({ layout, settings }: Checkout): Finding[] {
  return Object.entries(settings.manifest.sections).flatMap(([section, path]) => {
    if (path === undefined || OPTIONAL.has(section) || stampOf(join(layout.ai, path)) !== undefined)
      return [];
    const message = `the manifest names it as the section ${section}, and it is not there`;
    return [judgement("FAIL", CATEGORY, `.ai/${path}`, message, `ls ${shellWord(`.ai/${path}`)}`)];
  });
}

/** Whether the local half is kept out of git, and nothing of it slipped in (records.md 1.1). */
function judgeLocalHalf({ repository, settings }: Checkout): Finding[] {
  const local = `.ai/${settings.manifest.local.path}`;
  const probe = `${local}/state/ledger.jsonl`;
  const ignored = runGit(repository, ["check-ignore", "--no-index", "--quiet", "--", probe]);
  const listed = runGit(repository, ["ls-files", "-z", "--", local]);
  const tracked = listed.stdout
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "");
  return [
    ...(ignored.status === 0
      ? []
      : [
          judgement(
            "FAIL",
            CATEGORY,
            local,
            "is not ignored by git: state of this machine would be committed",
            `git check-ignore --no-index -v ${shellWord(probe)}`,
          ),
        ]),
    ...firstOf(
      tracked.map((path) =>
        judgement(
          "FAIL",
          CATEGORY,
          path,
          "is tracked by git, and belongs to this machine alone",
          `git ls-files ${local}`,
        ),
      ),
      SHOWN,
    ),
  ];
}

/** The layer itself: every section that the manifest names, and the local half out of git's sight. */
export function judgeLayer(checkout: Checkout): Finding[] {
  return orWell(
    [...judgeSections(checkout), ...judgeLocalHalf(checkout)],
    judgement("OK", CATEGORY, ".ai", "every section is there, and the local half is kept out of git"),
  );
}
