import type { Finding } from "../../labels/terms.ts";
import type { Policy } from "../../policy/policy.ts";
import type { Profile } from "../../policy/profile.ts";
import { missingSections } from "../../records/body-sections.ts";
import { findIdentityLine } from "../../records/work-record.ts";
import { clip } from "../../text/inert.ts";
import type { FinishOutcome, Verification } from "../answers.ts";
import { judgement } from "../judgement.ts";
import { insideWords } from "./judge-scope.ts";
import type { ScopeDivision } from "./judge-scope.ts";
import type { TaskLabel } from "./task-here.ts";

/** Everything that the finish contract is judged by, gathered before anything is decided. */
export interface FinishFacts {
  outcome: FinishOutcome;
  label: TaskLabel;
  /** Changed paths as the scope divides them, or why they cannot be told. */
  changed: ScopeDivision | { reason: string };
  verify: Verification | undefined;
  /** What is unresolved in the index, or why that cannot be told. */
  blockers: { open: readonly { task: string; question: string }[] } | { reason: string };
  note: { from: string; body: string } | undefined;
  /** An entry of the decision log names the task. */
  decided: boolean | { reason: string };
}

/** What the contract asks: the policy's word, and the profile's. */
export interface FinishTerms {
  required: ReadonlySet<string>;
  sections: readonly string[];
  verifyAlways: boolean;
  verifyChanges: boolean;
  regression: boolean;
  decision: boolean;
}

type Verdict = "pass" | "fail" | "skipped";

/** One clause of the contract: its name in the ledger, its name for people, its judgement. */
export interface Clause {
  id: string;
  verdict: Verdict;
  finding: Finding;
}

/** Clauses that a policy may select (`verification.finish_requires`). */
export const SELECTABLE_CLAUSES: readonly string[] = [
  "scope_respected",
  "verification_ran",
  "state_updated",
  "no_open_blockers",
  "note_present",
];

/** The terms of policy and profile; a name that selects nothing is given back. */
export function termsOf(policy: Policy, profile: Profile): { terms: FinishTerms; unknown: string[] } {
  const required = new Set(policy.verification.finish_requires);
  return {
    terms: {
      required,
      sections: policy.handover.required_sections,
      verifyAlways: profile.verification.verify_command_required,
      verifyChanges: policy.verification.required_for_changes,
      regression: profile.verification.regression_test_required,
      decision: profile.verification.decision_record_required,
    },
    unknown: [...required].filter((name) => !SELECTABLE_CLAUSES.includes(name)),
  };
}

type Ruling = [Verdict, string] | [Verdict, string, Finding["level"]];

const SHOWN = 5;
const SHOWN_CHARACTERS = 120;
/** Paths by which a regression test is known. */
const TEST_PATH = /test\/|spec\/|_test\.|\.spec\./;

function some(paths: readonly string[]): string {
  const rest = paths.length - SHOWN;
  return `${paths.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

function judgeScope({ changed }: FinishFacts): Ruling {
  if ("reason" in changed) return ["fail", changed.reason];
  const { outside } = changed;
  if (outside.length === 0) return ["pass", insideWords(changed, "the scope")];
  return ["fail", `${outside.length} changed file(s) outside the scope: ${some(outside)}`];
}

function judgeVerification({ outcome, verify, changed }: FinishFacts, terms: FinishTerms): Ruling {
  if (outcome !== "completed") return ["skipped", `not asked for ${outcome}`];
  if (verify !== undefined) {
    const ran = `\`${clip(verify.command, SHOWN_CHARACTERS)}\``;
    if (verify.stopped !== undefined) return ["fail", `${ran} ${verify.stopped}`];
    const end = `${ran} ended with ${verify.exit} after ${verify.seconds} s`;
    return [verify.exit === 0 ? "pass" : "fail", end];
  }
  if (terms.verifyAlways) return ["fail", "the profile asks for a --verify-command"];
  const files = "reason" in changed ? 1 : changed.paths.length;
  if (terms.verifyChanges && files > 0) {
    return ["fail", "files were changed, and the policy then asks for a --verify-command"];
  }
  return ["skipped", "no command was given and none is asked for"];
}

function judgeState({ label }: FinishFacts): Ruling {
  return [label.trusted ? "pass" : "fail", `${label.divergence}: ${label.reason}`];
}

function judgeBlockers({ outcome, blockers }: FinishFacts): Ruling {
  const unreadable = "reason" in blockers;
  const said = unreadable
    ? blockers.reason
    : `${blockers.open.length} unresolved question(s)${blockers.open
        .slice(0, 1)
        .map(
          ({ task, question }) => `: ${clip(question, SHOWN_CHARACTERS)} (${clip(task, SHOWN_CHARACTERS)})`,
        )
        .join("")}`;
  if (outcome === "blocked") return ["skipped", said, "INFO"];
  if (outcome !== "completed") return ["skipped", `not asked for ${outcome}`];
  return [unreadable || blockers.open.length > 0 ? "fail" : "pass", said];
}

/** Sections that the note must fill, by how the task ends. */
function sectionsFor(outcome: FinishOutcome, sections: readonly string[]): readonly string[] {
  const wanted: Record<FinishOutcome, readonly string[]> = {
    completed: sections,
    partial: ["Next Action"],
    blocked: ["Next Action"],
    no_match: ["Reason"],
    failed: ["Reason"],
  };
  return wanted[outcome];
}

function judgeNote({ outcome, note }: FinishFacts, terms: FinishTerms): Ruling {
  const wanted = sectionsFor(outcome, terms.sections);
  const names = wanted.map((name) => `# ${name}`).join(", ");
  if (note === undefined) return ["fail", `no handover names the task and no --note was given; ${names}`];
  const identity = findIdentityLine(note.body);
  if (identity !== undefined) {
    return ["fail", `${note.from} states what git says: ${clip(identity, SHOWN_CHARACTERS)}`];
  }
  const missing = missingSections(note.body, wanted);
  if (missing.length === 0) return ["pass", `${note.from} has ${names}`];
  return ["fail", `${note.from}: missing or empty section(s): ${missing.join(", ")}`];
}

function judgeRegression({ outcome, changed }: FinishFacts, terms: FinishTerms): Ruling {
  if (!terms.regression) return ["skipped", "the profile asks for none"];
  if (outcome !== "completed") return ["skipped", `not asked for ${outcome}`];
  const tests = "reason" in changed ? [] : changed.paths.filter((path) => TEST_PATH.test(path));
  const crude = "judged by paths alone, which is crude: what the test proves, nobody has looked at";
  if (tests.length > 0) return ["pass", `${some(tests)} changed; ${crude}`];
  return ["fail", `no changed path has test/, spec/, _test. or .spec.; ${crude}`];
}

function judgeDecision({ outcome, decided }: FinishFacts, terms: FinishTerms): Ruling {
  if (!terms.decision) return ["skipped", "the profile asks for none"];
  if (outcome !== "completed") return ["skipped", `not asked for ${outcome}`];
  if (typeof decided === "object") return ["fail", decided.reason];
  return decided
    ? ["pass", "the log has an entry of this task"]
    : ["fail", "the log has no entry of this task; record one with `majordomus decision add`"];
}

/** The contract in the order in which it is judged and shown. */
const CLAUSES: readonly {
  id: string;
  category: string;
  judge: (facts: FinishFacts, terms: FinishTerms) => Ruling;
}[] = [
  { id: "scope_respected", category: "scope", judge: judgeScope },
  { id: "verification_ran", category: "verification", judge: judgeVerification },
  { id: "state_updated", category: "state", judge: judgeState },
  { id: "no_open_blockers", category: "blockers", judge: judgeBlockers },
  { id: "note_present", category: "note", judge: judgeNote },
  { id: "regression_test", category: "regression", judge: judgeRegression },
  { id: "decision_recorded", category: "decision", judge: judgeDecision },
];

const LEVELS: Record<Verdict, Finding["level"]> = { pass: "OK", fail: "FAIL", skipped: "OK" };

/**
 * Judges every clause of the finish contract; pure.
 *
 * @param only judge these clauses alone.
 */
export function judgeContract(
  task: string,
  facts: FinishFacts,
  terms: FinishTerms,
  only?: readonly string[],
): Clause[] {
  return CLAUSES.filter(({ id }) => only === undefined || only.includes(id)).map(
    ({ id, category, judge }) => {
      // A command that was given is judged even where the policy would not ask for one.
      const given = id === "verification_ran" && facts.verify !== undefined;
      const selected = given || !SELECTABLE_CLAUSES.includes(id) || terms.required.has(id);
      const [verdict, message, level]: Ruling = selected
        ? judge(facts, terms)
        : ["skipped", "the policy does not ask for it"];
      const shown = verdict === "skipped" && level === undefined ? `skipped: ${message}` : message;
      return { id, verdict, finding: judgement(level ?? LEVELS[verdict], category, task, shown) };
    },
  );
}
