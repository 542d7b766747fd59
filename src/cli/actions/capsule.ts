import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import {
  capsuleAbandon,
  capsuleCompact,
  capsuleList,
  capsuleResolve,
  capsuleSelect,
  capsuleShow,
  capsuleValidate,
  capsuleWrite,
} from "../../core/capabilities/capsule.ts";
import { ageText, minutesBetween } from "../../core/base/time.ts";
import type { CapsuleFile, CapsuleValues, MemoryView } from "../../core/capsule/answers.ts";
import { quoteValue } from "../../core/capsule/quote.ts";
import { ask } from "../ask.ts";
import { askCapsules } from "../ask-capsules.ts";
import type { CommandContext } from "../declaration.ts";
import { usageError } from "../failure.ts";
import { statusOfFindings } from "../findings.ts";
import { INTERRUPTED } from "../interruptible.ts";
import { readBody } from "../stdin.ts";

function verdictText({ verdict, detail, field }: Pick<CapsuleFile, "verdict" | "detail" | "field">): string {
  const about = detail ?? field;
  return about === undefined || verdict === "not-newest" ? verdict : `${verdict} (${quoteValue(about, 120)})`;
}

/** A broken memory root is told first, and is the exit status; its line begins with the token that people search for. */
function memoryFault({ output }: CommandContext, { error }: MemoryView): ExitStatus | undefined {
  if (error === undefined) return undefined;
  output.token(error);
  return EXIT.finding;
}

/** Lists every capsule file; the last line adds them up. */
export async function listCapsules(context: CommandContext): Promise<number> {
  const { output, json } = context;
  const answer = await askCapsules(context, capsuleList);
  if (answer === undefined) return INTERRUPTED;
  if (json) {
    output.json(answer);
    return answer.memory.error === undefined ? EXIT.ok : EXIT.finding;
  }
  const fault = memoryFault(context, answer.memory);
  if (fault !== undefined) return fault;
  for (const file of answer.files) {
    const told = file.objective === undefined ? "" : ` — ${quoteValue(file.objective, 80)}`;
    output.line(`${quoteValue(file.name, 120)}  ${verdictText(file)}${told}`);
  }
  const counts = new Map<string, number>();
  for (const { verdict } of answer.files) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([verdict, count]) => `${count} ${verdict}`);
  const why = answer.unavailable === undefined ? "" : `; ${answer.unavailable}`;
  output.line(`${answer.total} file(s)${parts.length === 0 ? "" : `: ${parts.join(", ")}`}${why}`);
  return EXIT.ok;
}

function valueLines(capsule: CapsuleValues, now: number): string[] {
  const age =
    capsule.created === undefined
      ? "unknown"
      : ageText(Math.max(0, minutesBetween(Date.parse(capsule.created), now)));
  return [
    `id:                ${quoteValue(capsule.id, 200)}`,
    `file:              ${quoteValue(capsule.path, 400)}`,
    `status:            ${quoteValue(capsule.status, 80)}`,
    `age:               ${age}${capsule.stale ? " (STALE)" : ""}, created_at ${quoteValue(capsule.created_at, 80)}`,
    `writer:            ${capsule.autosave ? "autosave" : "curated"}`,
    `objective:         ${quoteValue(capsule.objective)}`,
    `waiting_on:        ${quoteValue(capsule.waiting_on)}`,
    `next_valid_action: ${quoteValue(capsule.next_valid_action)}`,
    ...capsule.problems.map((problem) => `problem:           ${quoteValue(problem, 200)}`),
  ];
}

/** Shows what would be resumed now, and the rejections in groups. */
export async function selectCapsule(context: CommandContext): Promise<number> {
  const { output, json, surroundings } = context;
  const answer = await askCapsules(context, capsuleSelect);
  if (answer === undefined) return INTERRUPTED;
  if (json) {
    output.json(answer);
    return answer.memory.error === undefined ? EXIT.ok : EXIT.finding;
  }
  const fault = memoryFault(context, answer.memory);
  if (fault !== undefined) return fault;
  if (answer.capsule === null) output.line(`nothing would be resumed: ${answer.unavailable ?? "it is gone"}`);
  else for (const line of valueLines(answer.capsule, surroundings.clock.now())) output.line(line);
  if (answer.deferred !== undefined)
    output.line(`a conducted cycle is live (${answer.deferred}): a clear would read and spend nothing now`);
  if (answer.fell_back_to_placeholder) output.line("it is a placeholder: nothing else could be selected");
  for (const { reason, detail, count, names } of answer.groups) {
    const told = detail === undefined ? "" : ` (${quoteValue(detail, 120)})`;
    const shown = names.map((name) => quoteValue(name, 120));
    output.line(`${count}x ${reason}${told}: ${shown.join(", ")}${count > names.length ? ", …" : ""}`);
  }
  output.line(`${answer.total} file(s), ${answer.rejected.length} not selected`);
  return EXIT.ok;
}

/** Shows one capsule. */
export async function showCapsule(context: CommandContext, capsule: string): Promise<ExitStatus> {
  const { output, json, surroundings } = context;
  const answer = await ask(context, capsuleShow, { capsule });
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  output.line(`verdict:           ${verdictText(answer)}`);
  for (const line of valueLines(answer.capsule, surroundings.clock.now())) output.line(line);
  for (const lack of answer.framing) output.line(`framing:           ${lack}`);
  output.line("");
  output.block(answer.text.trimEnd());
  return EXIT.ok;
}

/** Validates capsules, or the text on standard input. */
export async function validateCapsules(
  context: CommandContext,
  names: readonly string[],
): Promise<ExitStatus> {
  const { output, json, stdin } = context;
  if (names.includes("-") && names.length > 1) throw usageError({ subject: "-", message: "stands alone" });
  const text = names[0] === "-" ? ((await readBody(stdin())) ?? "") : undefined;
  const capsules = text === undefined && names.length > 0 ? [...names] : undefined;
  const answer = await ask(context, capsuleValidate, { capsules, text });
  if (json) output.json(answer);
  else output.findings(answer.findings);
  return statusOfFindings(answer.findings);
}

/** Writes the capsule that stands on standard input. */
export async function writeCapsule(context: CommandContext): Promise<ExitStatus> {
  const { output, json, stdin } = context;
  const text = (await readBody(stdin())) ?? "";
  if (text.trim() === "") throw usageError({ subject: "standard input", message: "has no capsule" });
  const answer = await ask(context, capsuleWrite, { text });
  for (const lack of answer.framing) output.warn(`${answer.id}: ${lack}`);
  if (json) output.json(answer);
  else output.line(answer.path);
  return EXIT.ok;
}

/** Marks a capsule as finished or given up. */
export async function settleCapsule(
  context: CommandContext,
  capsule: string,
  status: "resolved" | "abandoned",
): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, status === "resolved" ? capsuleResolve : capsuleAbandon, { capsule });
  if (json) output.json(answer);
  else if (answer.state === "kept") output.line(`${answer.name} is ${status} already`);
  else output.line(`${answer.name}: ${quoteValue(answer.before, 80)} -> ${status}`);
  return EXIT.ok;
}

/** Puts the oldest links of a chain together. */
export async function compactChain(context: CommandContext, capsule: string): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, capsuleCompact, { capsule });
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  if (answer.state === "nothing") output.line(`a chain of ${answer.chain.length}: nothing to put together`);
  else
    output.line(
      `${answer.summary ?? ""} stands for ${answer.compacted.map((id) => quoteValue(id, 120)).join(", ")}`,
    );
  return EXIT.ok;
}
