import type { Desk } from "../desk.ts";
import { enterMode } from "../desk.ts";
import type { Form } from "../form.ts";
import type { Proposal } from "../proposal.ts";
import { editInEditor } from "./edit-draft.ts";
import { dropDraft, openForm, reviewForm } from "./form-keys.ts";
import { runWork } from "./work.ts";

/** Shows what would be written. */
export function propose(desk: Desk, proposal: Proposal): void {
  enterMode(desk, { kind: "confirm", top: 0, question: { kind: "propose", proposal } });
}

/** Does what was confirmed, and says what was written; a refusal leads back to the form, with its reason. */
export async function carryOut(desk: Desk, proposal: Proposal): Promise<void> {
  const { act, root, form } = proposal;
  if (act === undefined) return;
  const { what, capability, input } = act;
  const answer = await runWork(desk, { what, writes: true, root, capability, input });
  desk.refresh(root);
  if (answer === undefined) {
    const { mode, message } = desk.store.getState();
    if (form === undefined || mode.kind !== "browse") return;
    openForm(desk, form);
    return desk.store.setState({ message });
  }
  const outcome = act.outcome(answer);
  if ("again" in outcome) return propose(desk, { ...outcome.again, ...(form === undefined ? {} : { form }) });
  if (form !== undefined) dropDraft(desk, form);
  desk.store.setState({ message: outcome });
}

/** Opens the text that was reviewed in the editor, and shows it again afterwards. */
export function editProposal(desk: Desk, form: Form): void {
  const field =
    form.fields.find((candidate) => candidate.kind === "text") ??
    form.fields.find((candidate) => candidate.kind === "line");
  if (field === undefined || field.kind === "choice") return;
  editInEditor(desk, form, field);
  reviewForm(desk, form);
}
