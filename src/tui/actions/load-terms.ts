import { ExplainAnswer } from "../../core/health/answers.ts";
import type { Desk } from "../desk.ts";
import { termsOf } from "../model/terms.ts";
import type { Terms } from "../model/terms.ts";
import { QUESTIONS } from "../questions.ts";
import { runWork } from "./work.ts";

/**
 * Goes on with what policy and profile ask for: at once when it is at hand, so that the next key finds the
 * form, else when it has been asked. A form without it would lead astray.
 */
export function withTerms(desk: Desk, root: string, goOn: (terms: Terms) => void): void {
  const known = desk.store.getState().repositories[root]?.terms.data;
  if (known !== undefined) return goOn(termsOf(known));
  void askTerms(desk, root, goOn);
}

async function askTerms(desk: Desk, root: string, goOn: (terms: Terms) => void): Promise<void> {
  const { capability, input } = QUESTIONS.terms;
  const value = await runWork(desk, { what: "reading the policy", writes: false, root, capability, input });
  const answer = ExplainAnswer.safeParse(value);
  if (answer.success && desk.store.getState().mode.kind === "browse") goOn(termsOf(answer.data));
}
