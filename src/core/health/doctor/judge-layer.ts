import { join } from "node:path";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { stampOf } from "../../fs/read.ts";
import { showCommand } from "../../fs/show-command.ts";
import { isWritable } from "../../fs/writable.ts";
import { runGit } from "../../git/run.ts";
import { lastResortLog } from "../../journal/last-resort.ts";
import type { Finding } from "../../labels/terms.ts";
import { listContextDocuments } from "../../records/context-document-store.ts";
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

/** What stands in a context document's place and is none: every reader passes it over. */
function judgeDocuments({ root, layout, settings }: Checkout): Finding[] {
  const { skipped } = listContextDocuments(layout, settings.manifest);
  return firstOf(
    skipped.map(({ path, reason }) => {
      const shown = shownPath(root, path);
      return judgement(
        "WARN",
        CATEGORY,
        shown,
        `is passed over: ${reason}`,
        `${showCommand(path)} ${shellWord(shown)}`,
      );
    }),
    SHOWN,
  );
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

/** Where nothing can be written every hook fails, and a hook never says so to whoever works. */
function judgeWritable({ root, layout, common, environment }: Checkout): Finding[] {
  const log = lastResortLog(environment);
  const told = log !== undefined && stampOf(log) !== undefined ? `; what hooks said of it is in ${log}` : "";
  return [layout.state, common.root]
    .filter((directory) => !isWritable(directory))
    .map((directory) => {
      const shown = shownPath(root, directory);
      const message = `cannot be written, so every hook that records here fails; give this user the right to write it, or mount it for writing${told}`;
      return judgement("FAIL", CATEGORY, shown, message, `ls -ld ${shellWord(shown)}`);
    });
}

/** The layer itself: every section that the manifest names, and the local half writable and out of git's sight. */
export function judgeLayer(checkout: Checkout): Finding[] {
  return orWell(
    [
      ...judgeSections(checkout),
      ...judgeDocuments(checkout),
      ...judgeWritable(checkout),
      ...judgeLocalHalf(checkout),
    ],
    judgement("OK", CATEGORY, ".ai", "every section is there, and the local half is kept out of git"),
  );
}
