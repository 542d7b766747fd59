import type { Checkout } from "../checkout/checkout.ts";
import { parseTimestamp, minutesBetween, spanText } from "../base/time.ts";
import { containedPath } from "../fs/contain.ts";
import { stampOf } from "../fs/read.ts";
import type { Finding } from "../labels/terms.ts";
import { clip } from "../text/inert.ts";
import type { KnowledgeFacts, KnowledgeFile } from "./knowledge-reading.ts";
import { firstOf, judgement, shellWord } from "./judgement.ts";
import { shownPath } from "../checkout/shown-path.ts";

const SHOWN = 20;
const SHOWN_CHARACTERS = 120;
const CHECK = "majordomus knowledge check";
const REFERENCE = /^([a-z]+):(.+)$/s;
const STATUSES: ReadonlySet<string> = new Set(["candidate", "verified", "superseded"]);

/** What a reference names must be there; what another checkout keeps for itself cannot be judged here. */
function referenceFault(root: string, reference: string, ids: ReadonlySet<string>): string | undefined {
  const [, kind, target = ""] = REFERENCE.exec(reference) ?? [];
  const shown = clip(reference, SHOWN_CHARACTERS);
  if (kind === undefined || reference === "none") return `${shown} is no reference`;
  if (kind === "knowledge") return ids.has(target) ? undefined : `evidence ${shown} does not resolve`;
  if (kind !== "file" && kind !== "test") return undefined;
  try {
    return stampOf(containedPath(root, target)) === undefined
      ? `evidence ${shown} does not resolve`
      : undefined;
  } catch {
    return `evidence ${shown} leads out of the repository`;
  }
}

function formFaults({ fields, place, stem, origin, derivedFrom, body }: KnowledgeFacts): string[] {
  const value = (key: string): string => fields.get(key) ?? "";
  const status = value("status");
  const rules: [boolean, string][] = [
    [value("schema") !== "knowledge/v1", "its schema is not knowledge/v1"],
    [value("kind") !== "knowledge", "its kind is not knowledge"],
    [value("id") !== stem, `its id, ${clip(value("id"), SHOWN_CHARACTERS)}, is not its file's name`],
    [value("title") === "", "has no title"],
    [value("description") === "", "has no description"],
    [!/^[a-z-]+$/.test(value("class")), "has no class"],
    [!/^[a-z-]+$/.test(value("epistemics")), "has no epistemics"],
    [parseTimestamp(`${value("date")}T00:00:00Z`) === undefined, "has no date"],
    [!STATUSES.has(status), "its status is none of candidate, verified, superseded"],
    [status === "verified" && place === "candidates", "is verified and stands among the candidates"],
    [status === "verified" && origin === undefined, "is verified and names no origin"],
    [origin === "extracted" && derivedFrom.length === 0, "was extracted and names nothing it came from"],
    [
      status === "superseded" && value("superseded_by") === "" && !/^# Rejected\s*$/m.test(body),
      "is superseded, neither by another nor rejected",
    ],
  ];
  return rules.filter(([broken]) => broken).map(([, message]) => message);
}

/** The integrity of the knowledge store: form, unique ids, evidence that resolves. */
export function judgeKnowledge(
  level: "FAIL" | "DRIFT",
  root: string,
  files: readonly KnowledgeFile[],
): Finding[] {
  const records = files.filter((file): file is KnowledgeFacts => !("reason" in file));
  const count = new Map<string, number>();
  for (const { stem } of records) count.set(stem, (count.get(stem) ?? 0) + 1);
  const ids = new Set(count.keys());
  const faults = files.flatMap((file): Finding[] => {
    const path = shownPath(root, file.path);
    const show = `cat ${shellWord(path)}`;
    if ("reason" in file) return [judgement(level, "knowledge", path, file.reason, show)];
    const references = [...file.derivedFrom, ...file.targets].map((reference) =>
      referenceFault(root, reference, ids),
    );
    const messages = [
      ...formFaults(file),
      ...((count.get(file.stem) ?? 0) > 1 ? ["its id stands twice in the store"] : []),
      ...references.filter((message) => message !== undefined),
    ];
    return messages.map((message) => judgement(level, "knowledge", file.stem, message, show));
  });
  if (faults.length > 0) return firstOf(faults, SHOWN);
  return [judgement("OK", "knowledge", "records", `${records.length} record(s), their evidence resolves`)];
}

/** The review queue against the policy's advice; nothing here is a failure. */
export function judgeQueue({ settings, clock }: Checkout, files: readonly KnowledgeFile[]): Finding[] {
  const policy = settings.policy.knowledge;
  const waiting = files.filter(
    (file): file is KnowledgeFacts =>
      !("reason" in file) && file.place === "candidates" && file.fields.get("status") === "candidate",
  );
  const ages = waiting
    .map(({ fields }) => parseTimestamp(`${fields.get("date") ?? ""}T00:00:00Z`))
    .filter((time) => time !== undefined)
    .map((time) => minutesBetween(time, clock.now()));
  const old = ages.filter((minutes) => minutes >= policy.candidate_max_age_minutes);
  const reasons = [
    ...(old.length === 0
      ? []
      : [`${old.length} of them longer than ${spanText(policy.candidate_max_age_minutes)}`]),
    ...(waiting.length > policy.candidates_max_files
      ? [`the policy allows ${policy.candidates_max_files}`]
      : []),
  ];
  const message = [`${waiting.length} await review`, ...reasons].join(", ");
  const level = reasons.length === 0 ? "OK" : "WARN";
  return [judgement(level, "knowledge", "candidates", message, level === "OK" ? undefined : CHECK)];
}
