import type { Checkout } from "../checkout/checkout.ts";
import { relationOf } from "../git/relation.ts";
import { readRoster } from "../journal/roster.ts";
import type { Roster, RosterEntry } from "../journal/roster.ts";
import { strandingOf } from "../journal/stranding.ts";
import { labelDivergence } from "../labels/divergence.ts";
import type { Finding } from "../labels/terms.ts";
import { readRecordText } from "../records/record-file.ts";
import { findWorkingContext, parseWorkingContext } from "../records/working-context.ts";
import { parseFlat } from "../text/flat-yaml.ts";
import { splitFrontMatter } from "../text/split-front-matter.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { judgement } from "./judgement.ts";
import { shellWord } from "../text/shell-word.ts";
import { showCommand } from "../fs/show-command.ts";

const CATEGORY = "episodes";
const STATUS = "majordomus lifecycle episodes";
const RECOVER = "majordomus recover episodes --check";
/** Keys by which somebody would keep a conversation where only its frame belongs. */
const TRANSCRIPT_KEYS = /^(?:messages?|transcripts?|conversation|turns)$/;

function transcriptKey(source: string): string | undefined {
  const split = splitFrontMatter(source);
  const fields = split.ok ? parseFlat(split.value.head) : split;
  return fields.ok ? [...fields.value.keys()].find((key) => TRANSCRIPT_KEYS.test(key)) : undefined;
}

/** The working context of an open episode of this worktree (records.md 3.7). */
function judgeContext(checkout: Checkout, { key, sessionId }: RosterEntry): Finding {
  const path = findWorkingContext(checkout.layout.contexts, sessionId);
  if (path === undefined) {
    return judgement("FAIL", CATEGORY, key, `${sessionId} is open and has no working context`, STATUS);
  }
  const shown = shownPath(checkout.root, path);
  const judge = (level: Finding["level"], message: string): Finding =>
    judgement(
      level,
      CATEGORY,
      key,
      `${shown}: ${message}`,
      level === "OK" ? undefined : `${showCommand(path)} ${shellWord(shown)}`,
    );
  const source = readRecordText(path);
  if (!source.ok) return judge("FAIL", source.error);
  const kept = transcriptKey(source.value);
  if (kept !== undefined) return judge("FAIL", `its key ${kept} keeps a transcript`);
  const document = parseWorkingContext(source.value);
  if (!document.ok) return judge("FAIL", document.error);
  const { head, branch } = document.value.identity;
  if (head === undefined) return judge("FAIL", "names no head: nobody can tell how old it is");
  const label = labelDivergence({ branch, head }, checkout, (commit) =>
    relationOf(checkout.repository, commit, checkout.head ?? ""),
  );
  // What was frozen before the first commit has nothing to be compared with.
  const untold = label.divergence === "unknown" && head !== "NONE";
  const level = label.divergence === "diverged" || untold ? "WARN" : "OK";
  return judge(level, `frozen ${label.divergence}: ${label.reason}`);
}

function judgeEntry(checkout: Checkout, entry: RosterEntry): Finding[] {
  const { key, sessionId, standing, here } = entry;
  const reason = strandingOf(entry)?.reason;
  if (reason !== undefined) {
    const bare =
      here && findWorkingContext(checkout.layout.contexts, sessionId) === undefined
        ? ", and it has no working context here"
        : "";
    return [judgement("WARN", CATEGORY, key, `${sessionId}: ${reason}${bare}`, RECOVER)];
  }
  if (!here) return [];
  if (standing === "foreign") {
    const copy = `where its file was only copied here, rm ${shellWord(entry.path)} takes it away`;
    return [judgement("INFO", CATEGORY, key, `${sessionId} belongs to another worktree; ${copy}`, STATUS)];
  }
  return [judgeContext(checkout, entry)];
}

function judgePointer(checkout: Checkout, { pointer, entries }: Roster): Finding[] {
  const show = `ls -l ${shellWord(shownPath(checkout.root, checkout.layout.pointer))}`;
  const judge = (note: string): Finding[] => [
    judgement("WARN", CATEGORY, "session-current.yaml", note, show),
  ];
  if (pointer.layout !== "absent") return pointer.resolves ? [] : judge(pointer.note);
  return entries.some(({ here }) => here) ? judge(`${pointer.note}, although an episode is open here`) : [];
}

/** Every open episode that this checkout answers for, its pointer, and what stands in an episode's place. */
export function judgeEpisodes(checkout: Checkout): Finding[] {
  const roster = readRoster(checkout);
  const findings = [
    ...roster.entries.flatMap((entry) => judgeEntry(checkout, entry)),
    ...judgePointer(checkout, roster),
    ...roster.unreadable.map(({ path, reason }) => {
      const shown = shownPath(checkout.root, path);
      return judgement("FAIL", CATEGORY, shown, reason, `${showCommand(path)} ${shellWord(shown)}`);
    }),
    ...roster.leftBehind.map(({ sessionId }) =>
      judgement(
        "INFO",
        CATEGORY,
        sessionId,
        "was closed, and its registration is left: the next start retires it",
        STATUS,
      ),
    ),
  ];
  if (findings.length > 0) return findings;
  return [judgement("OK", CATEGORY, "sessions-open", "no episode is open here")];
}
