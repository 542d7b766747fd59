import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import {
  continuityDevice,
  continuityHide,
  continuityPublish,
  continuityRecords,
  continuityShow,
  continuityStatus,
  continuityVerify,
} from "../../core/capabilities/continuity.ts";
import type { ContinuityRecord } from "../../core/continuity/record.ts";
import type { StatusAnswer } from "../../core/continuity/status.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import type { Output } from "../output.ts";
import { showContinuations } from "./continuity-plan.ts";
import { recordText, short, showDiagnostics, showNext, showRows, storeText } from "./continuity-text.ts";

/** This machine's name, and what others need to trust it. */
export async function showDevice(context: CommandContext, label: string | undefined): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityDevice, { label });
  if (json) output.json(answer);
  else {
    showRows(output, [
      ["Label", answer.label],
      ["Node", answer.node],
      ["Public key", answer.public_key],
      ["Kept at", answer.path],
    ]);
    output.line("who is to trust this machine puts the public key into trust.allow of a mesh declaration");
  }
  return EXIT.ok;
}

/** Publishes a handover into the store. */
export async function publish(
  context: CommandContext,
  request: { handover: string | undefined; issue: string | undefined; milestone: string | undefined },
): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityPublish, request);
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  const { record, written, handover } = answer;
  const after = record.parent === undefined ? "begins a line" : `goes on from ${short(record.parent)}`;
  output.line(
    written
      ? `published ${record.id} from ${handover}: ${after}`
      : `nothing new: ${record.id} says the same already`,
  );
  showNext(output, answer.next);
  return EXIT.ok;
}

function lineRows(output: Output, { lines }: Pick<StatusAnswer, "lines">): void {
  for (const { id, state, records, heads } of lines) {
    const where =
      state === "diverged" ? `continued ${heads.length} times: ${heads.map(short).join(", ")}` : "";
    output.line(`Line:        ${short(id)}  ${records} record(s)  ${state} ${where}`.trimEnd());
  }
}

/** Where this checkout stands among the machines. */
export async function showStatus(context: CommandContext): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityStatus, {});
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  const { device, position, last_sync: last, branch, head, working_tree: tree } = answer;
  const detail = last?.detail === undefined ? "" : ` (${last.detail})`;
  showRows(output, [
    ["Repository", answer.repository],
    ["Device", device === undefined ? "no key yet" : `${device.label} (${device.node})`],
    ["Branch", `${branch} at ${head?.slice(0, 7) ?? "no commit yet"}, ${tree}`],
    [
      "Position",
      position === undefined ? "none" : `${short(position.record)} (${position.via} at ${position.at})`,
    ],
    ["Store", storeText(answer.store, last?.outcome)],
    [
      "Last sync",
      last === undefined ? "never" : `${last.outcome} with ${last.remote} at ${last.at}${detail}`,
    ],
  ]);
  lineRows(output, answer);
  if (answer.resumable.length === 0) output.line("Resumable:   nothing waits");
  for (const record of answer.resumable) output.line(`Resumable:   ${recordText(record)}`);
  showDiagnostics(output, answer.diagnostics);
  showNext(output, answer.next);
  return EXIT.ok;
}

/** Every record, line by line. */
export async function showRecords(context: CommandContext): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityRecords, {});
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  if (answer.records.length === 0) output.line("No record.");
  for (const { id, state } of answer.lines) {
    output.line(`line ${short(id)} (${state})`);
    for (const record of answer.records) if (record.line === id) output.line(`  ${recordText(record)}`);
  }
  showDiagnostics(output, answer.diagnostics);
  return EXIT.ok;
}

/** One record whole. */
export async function showRecord(context: CommandContext, id: string): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityShow, { record: id });
  if (json) {
    output.json(answer);
    return EXIT.ok;
  }
  const { record, lineage, signed } = answer;
  // The schema of the answer leaves it open; it was judged before it came here.
  const travelled = signed.record as unknown as ContinuityRecord;
  const { source, session, task, decisions = [], handover } = travelled;
  showRows(output, [
    ["Record", record.id],
    ["File", `${answer.reference}:${answer.path}`],
    ["Device", `${record.device.label} (${record.device.node}), ${record.trust}`],
    ["Public key", signed.public_key],
    ["Published", record.published_at],
    [
      "Source",
      `${source.branch ?? "no branch"} at ${source.head?.slice(0, 12) ?? "no commit"}, ${source.working_tree}`,
    ],
    [
      "Changed",
      source.changed_total === 0
        ? undefined
        : `${source.changed_total}: ${(source.changed ?? []).join(", ")}`,
    ],
    ["Session", session],
    ["Issue", handover.issue],
    ["Milestone", handover.milestone],
    ["Task", task === undefined ? undefined : `${task.id} ${task.title}`],
    ["Line", `${short(lineage.line)} (${lineage.state}), ${lineage.chain.length} back to its beginning`],
    ["Parent", record.parent],
    ["Children", lineage.children.length === 0 ? undefined : lineage.children.map(short).join(", ")],
  ]);
  for (const { title } of decisions) output.line(`Decision:    ${title}`);
  showContinuations(output, answer.continuations);
  output.line("---");
  output.block(handover.body.trimEnd());
  return EXIT.ok;
}

/** Hides a record on this machine, or offers it again. */
export async function hide(context: CommandContext, record: string, undo: boolean): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityHide, { record, undo });
  if (json) output.json(answer);
  else {
    const word = answer.hidden ? "hidden on this machine; it stays in the store" : "offered again";
    output.line(`${answer.record.id} ${answer.changed ? "is" : "was already"} ${word}`);
  }
  return EXIT.ok;
}

/** Proves one record with its chain, or all of them. */
export async function verify(context: CommandContext, record: string | undefined): Promise<ExitStatus> {
  const { output, json } = context;
  const answer = await ask(context, continuityVerify, { record });
  const status = answer.holds ? EXIT.ok : EXIT.finding;
  if (json) {
    output.json(answer);
    return status;
  }
  for (const link of answer.chain ?? []) {
    const { device, branch = "no branch", head, head_here: here } = link;
    const where =
      head === undefined
        ? branch
        : `${branch} at ${head.slice(0, 12)}${here === false ? " (not in this clone)" : ""}`;
    output.line(
      link.holds
        ? `OK   ${link.record}  ${device?.label ?? ""} ${device?.node ?? ""}  ${link.published_at ?? ""}  ${where}`
        : `FAIL ${link.record}  ${link.code ?? ""}: ${link.message ?? ""}`,
    );
  }
  const { broken } = answer;
  output.line(
    broken === undefined
      ? `verified: ${answer.records} record(s) of ${answer.reference}, offline`
      : `does not hold: ${broken.record} — ${broken.code}: ${broken.message}`,
  );
  return status;
}
