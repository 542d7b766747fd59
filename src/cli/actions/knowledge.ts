import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import {
  knowledgeCandidates,
  knowledgeCheck,
  knowledgeDerive,
  knowledgePromote,
  knowledgeShow,
  knowledgeSources,
} from "../../core/capabilities/knowledge.ts";
import { clip } from "../../core/text/inert.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import type { DeriveAnswer, ShowAnswer } from "../../core/knowledge/answers.ts";
import { ask, askIn, openHere } from "../ask.ts";
import { askInPool } from "../ask-pool.ts";
import { withAuthoredBody } from "../authored-body.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";
import { showFindings, statusOfFindings } from "../findings.ts";
import { INTERRUPTED } from "../interruptible.ts";

/** Of a title in a list; the record itself has it whole. */
const LONGEST_TITLE = 160;

interface DeriveRequest {
  episode: string | undefined;
  dry_run: boolean;
}

function showDerived({ output, json }: CommandContext, answer: DeriveAnswer): void {
  if (json) {
    output.json(answer);
    return;
  }
  const { written, unchanged, skipped, episode, episodes, dry_run: dryRun } = answer;
  for (const path of written) output.line(`${dryRun ? "would write" : "written"} ${path}`);
  for (const path of unchanged) output.line(`unchanged ${path}`);
  for (const { path, why } of skipped) output.line(`skipped ${path} (${why})`);
  const whose = episode === null ? `${episodes} closed episode(s)` : `episode ${episode}`;
  if (answer.without_ledger > 0) {
    output.line(
      `${answer.without_ledger} closed record(s) have their ledger elsewhere: nothing to derive from here`,
    );
  }
  if (answer.left > 0) output.line(`cancelled: ${answer.left} episode(s) left; run it again`);
  output.line(
    `knowledge derive: ${written.length} written, ${unchanged.length} unchanged, ${skipped.length} skipped for ${whose}`,
  );
}

/** Derives from one episode, named or this process's own. */
export async function deriveOne(context: CommandContext, request: DeriveRequest): Promise<ExitStatus> {
  const answer = await ask(context, knowledgeDerive, { ...request, all: undefined });
  if (answer.episode === null && !context.json) {
    context.output.line(
      "No episode to derive from; name one with --episode, or take all closed ones with --all.",
    );
  } else showDerived(context, answer);
  return EXIT.ok;
}

/** Derives from every closed episode, in the pool; Ctrl-C ends it between two episodes. */
export async function deriveAll(context: CommandContext, request: DeriveRequest): Promise<number> {
  const { episode, dry_run } = request;
  const input = { all: true, dry_run, ...(episode === undefined ? {} : { episode }) };
  await openHere(context);
  const derived = await askInPool(context, knowledgeDerive, input, "episode(s)");
  if (derived === undefined) return INTERRUPTED;
  showDerived(context, derived);
  return derived.left > 0 ? INTERRUPTED : EXIT.ok;
}

/** The review queue, one candidate a line. */
export async function listCandidates(context: CommandContext, all: boolean): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, knowledgeCandidates, { all });
  output.skipped(answer.skipped);
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  for (const candidate of answer.candidates) {
    const { id, class: kind, evidence, date, branch, title, question, status, faults } = candidate;
    const standing = status === "candidate" ? "" : ` [${status}]`;
    const asked = question === undefined ? "" : ` (answers: ${clip(question, LONGEST_TITLE)})`;
    output.line(
      `${id}  ${kind.padEnd(10)} ${evidence.padEnd(8)} ${date.padEnd(10)} ${(branch ?? "-").padEnd(12)} ${clip(title, LONGEST_TITLE)}${asked}${standing}`,
    );
    for (const fault of faults) output.line(`  ${fault}`);
  }
  output.line(`knowledge candidates: ${answer.awaiting} awaiting review`);
  return EXIT.ok;
}

function showChain(word: string, chain: ShowAnswer["supersedes"]): string[] {
  return chain.map(({ id, title, status }) => `${word} ${id}  ${title} (${status})`);
}

/** One record: what is known about it, then its text. */
export async function showKnowledge(context: CommandContext, id: string): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, knowledgeShow, { id });
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  const { record, evidence, signature } = answer;
  output.line(`Record:    ${record.path} (${record.status})`);
  output.line(`Episode:   ${record.episode ?? "none named"} on ${record.branch ?? "a branch unknown here"}`);
  output.line(`Signature: ${signature.reason}`);
  for (const { reference, state, reason } of evidence)
    output.line(`Evidence:  ${state} ${reference} — ${reason}`);
  for (const line of showChain("Before:   ", answer.supersedes)) output.line(line);
  for (const line of showChain("After:    ", answer.superseded_by)) output.line(line);
  if (answer.chain_fault !== null) output.line(`Fault:     ${answer.chain_fault}`);
  for (const fault of record.faults) output.line(`Fault:     ${fault}`);
  output.block(`---\n${record.text.trimEnd()}`);
  return EXIT.ok;
}

/** Makes a candidate verified by the evidence on standard input; prints the record's path. */
export async function promoteKnowledge(
  context: CommandContext,
  id: string,
  options: { class: string | undefined; sign: boolean },
): Promise<ExitStatus> {
  const { output, json } = context;
  const checkout = await openHere(context);
  const request = {
    name: "evidence",
    template: "",
    command: `majordomus knowledge promote ${shellWord(id)}${options.class === undefined ? "" : ` --class ${shellWord(options.class)}`}${options.sign ? " --sign" : ""}`,
  };
  const answer = await withAuthoredBody(context, request, (evidence) => {
    if (evidence === undefined) {
      throw usageError({
        subject: "standard input",
        message: "stays open and silent; evidence is wanted there",
      });
    }
    return askIn(checkout, knowledgePromote, {
      id,
      evidence,
      class: options.class,
      sign: options.sign,
      expect: undefined,
      dry_run: undefined,
    });
  });
  for (const note of answer.notes) output.warn(`${id} ${note}`);
  if (json) output.json(answer);
  else output.line(answer.path);
  return EXIT.ok;
}

/** Judges every record of the store, in the pool. */
export async function checkKnowledge(context: CommandContext): Promise<number> {
  await openHere(context, knowledgeCheck.effect);
  const judged = await askInPool(context, knowledgeCheck, {}, "record(s)");
  if (judged === undefined) {
    context.output.warn("interrupted; nothing was judged to its end");
    return INTERRUPTED;
  }
  const { records, findings } = judged;
  showFindings(context, findings);
  const wrong = findings.filter(({ level }) => level === "FAIL").length;
  if (!context.json) context.output.line(`knowledge check: ${records} record(s), ${wrong} finding(s)`);
  return statusOfFindings(findings);
}

/** The derivation table. */
export async function showSources(context: CommandContext): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, knowledgeSources, {});
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  for (const source of answer.sources) {
    output.line(`${source.event}, when ${source.condition}`);
    output.line(`  ${source.class}, ${source.epistemics}, tagged derived and ${source.tag}`);
    output.line(`  title:       ${source.title_with_reason ?? source.title}`);
    output.line(`  description: ${source.description}`);
    output.line(`  id of:       ${source.canonical_lines.join(", ")}`);
  }
  output.line("Anything else yields nothing.");
  return EXIT.ok;
}
