import type { Desk } from "../desk.ts";
import { enterMode, say } from "../desk.ts";
import type { Form } from "../form.ts";
import type { Outcome, Proposal } from "../proposal.ts";
import { editInEditor } from "./edit-draft.ts";
import { dropDraft, openForm, reviewForm } from "./form-keys.ts";
import { runWork } from "./work.ts";

/** Shows what would be written, and where it was written, if it was. */
export function propose(desk: Desk, proposal: Proposal, form?: Form): void {
  const from = form === undefined ? {} : { form };
  enterMode(desk, { kind: "confirm", top: 0, question: { kind: "propose", proposal, ...from } });
}

/** Does one act after the other; stops at the first that is refused, fails or is cancelled. */
async function carryOutAll(desk: Desk, { acts, root }: Proposal): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [index, { what, capability, input, outcome }] of acts.entries()) {
    const shown = acts.length === 1 ? what : `${what}, ${index + 1} of ${acts.length}`;
    const answer = await runWork(desk, { what: shown, writes: true, root, capability, input });
    if (answer === undefined) break;
    outcomes.push(outcome(answer));
  }
  return outcomes;
}

/** A refusal leads back to the form, with its reason and what was written there. */
function goBackTo(desk: Desk, form: Form | undefined, done: number, of: number): void {
  const { mode, message } = desk.store.getState();
  const said =
    message === undefined || done === 0
      ? message
      : { ...message, text: `${done} of ${of} done; ${message.text}` };
  if (form !== undefined && mode.kind === "browse") openForm(desk, form);
  desk.store.setState({ message: said });
}

/** What became of several acts, in one line. */
function reportAll(desk: Desk, outcomes: readonly Outcome[]): void {
  const changed = outcomes.filter((outcome) => "again" in outcome).length;
  const last = outcomes.findLast((outcome) => !("again" in outcome));
  const done = `${outcomes.length - changed} of ${outcomes.length} done`;
  const rest = changed === 0 ? "" : `; ${changed} changed since they were shown, and were left as they are`;
  const example = last === undefined || "again" in last ? "" : `, the last: ${last.text}`;
  say(desk, changed === 0 ? "good" : "warn", `${done}${rest}${example}`);
}

/** Does what was confirmed, and says what was written and where. */
export async function carryOut(desk: Desk, proposal: Proposal, form: Form | undefined): Promise<void> {
  const { acts, root, still } = proposal;
  const now = still === undefined ? undefined : await still();
  if (still !== undefined && now === undefined) return goBackTo(desk, form, 0, acts.length);
  if (now !== undefined && "instead" in now) return propose(desk, now.instead, form);
  const outcomes = await carryOutAll(desk, proposal);
  desk.refresh(root);
  if (outcomes.length < acts.length) return goBackTo(desk, form, outcomes.length, acts.length);
  const [only] = outcomes;
  if (outcomes.length === 1 && only !== undefined && "again" in only) {
    return propose(desk, only.again, form);
  }
  if (form !== undefined) dropDraft(desk, form);
  desk.store.setState({ marks: new Set() });
  if (outcomes.length === 1 && only !== undefined && !("again" in only)) {
    const { made, ...message } = only;
    desk.store.setState({ message });
    if (made === undefined) await desk.unshown.giveBack();
    else {
      enterMode(desk, { kind: "reader", reading: made, top: 0 });
      if (await desk.terminal.drawn()) desk.unshown.shown();
    }
  } else reportAll(desk, outcomes);
}

/** Opens the text that was reviewed in the editor, and shows it again afterwards. */
export function editProposal(desk: Desk, form: Form): void {
  const field =
    form.fields.find((candidate) => candidate.kind === "text") ??
    form.fields.find((candidate) => candidate.kind === "line");
  if (field === undefined || field.kind === "choice") return;
  editInEditor(desk, form, field);
  openForm(desk, form);
  reviewForm(desk, form);
}
