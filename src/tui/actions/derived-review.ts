import { WrittenAnswer } from "../../core/task/answers.ts";
import type { Desk } from "../desk.ts";
import { say } from "../desk.ts";
import type { Review } from "../form.ts";
import type { Proposal } from "../proposal.ts";
import { runWork } from "./work.ts";

/** A record that the program composes by itself, before it is written. */
export interface Derived {
  root: string;
  capability: "checkpoint.write" | "handover.write";
  /** What would be asked of the capability. */
  input: Readonly<Record<string, unknown>>;
  /** The proposal with this text; a text of its own says why it cannot be. */
  proposalOf: (text: string) => Proposal | string;
}

const MOVED = { text: "It is not what was shown before: things have moved on.", tone: "warn" } as const;

/** What the capability would write, word for word: asked of the capability itself. */
async function composed(desk: Desk, { root, capability, input }: Derived): Promise<string | undefined> {
  const asked = { ...input, dry_run: true };
  const value = await runWork(desk, { what: "composing", writes: false, root, capability, input: asked });
  if (value === undefined) return undefined;
  const answer = WrittenAnswer.safeParse(value);
  if (answer.success && answer.data.text !== undefined) return answer.data.text;
  say(desk, "bad", `${capability} answered in an unknown form`);
  return undefined;
}

/** Shown again where it would no longer be what was shown. */
function reviewOf(desk: Desk, derived: Derived, text: string): Proposal | string {
  const proposal = derived.proposalOf(text);
  if (typeof proposal === "string") return proposal;
  return {
    ...proposal,
    still: async () => {
      const now = await composed(desk, derived);
      if (now === undefined) return undefined;
      if (now === text) return { asShown: true };
      const next = reviewOf(desk, derived, now);
      if (typeof next === "string") return undefined;
      return { instead: { ...next, says: [MOVED, { text: "" }, ...next.says] } };
    },
  };
}

/** Composes a derived record and shows it whole, before anything is written. */
export async function reviewDerived(desk: Desk, derived: Derived): Promise<Review> {
  const text = await composed(desk, derived);
  return text === undefined ? undefined : reviewOf(desk, derived, text);
}
