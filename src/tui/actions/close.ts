import * as z from "zod/mini";
import type { Desk } from "../desk.ts";
import { enterMode, say } from "../desk.ts";
import type { Question } from "../mode.ts";
import { shortPath } from "../model/names.ts";
import { currentRow } from "../row-source.ts";
import { runWork } from "./work.ts";

/** What closing answers: the record that it wrote, under the ledger's name for it. */
const CloseAnswer = z.object({ path: z.optional(z.string()), session_path: z.optional(z.string()) });

/** Asks before the episode under the cursor is closed. */
export function askToClose(desk: Desk): void {
  const row = currentRow(desk.store.getState(), desk.rowsOf);
  if (row?.kind !== "episode") return;
  const { standing, note, remedy } = row.episode;
  if (standing === "foreign") {
    return say(desk, "warn", `not closed from here: ${note}${remedy === undefined ? "" : `: ${remedy}`}`);
  }
  enterMode(desk, {
    kind: "confirm",
    top: 0,
    question: { kind: "close", root: row.root, episode: row.episode },
  });
}

/** Closes an episode as interrupted. */
export async function closeEpisode(
  desk: Desk,
  question: Extract<Question, { kind: "close" }>,
): Promise<void> {
  const { root, episode } = question;
  const input = { session_id: episode.session_id, outcome: "interrupted" };
  const work = { what: "closing", writes: true, root, capability: "session.close", input };
  const value = await runWork(desk, work);
  desk.refresh(root);
  if (value === undefined) return;
  const answer = CloseAnswer.safeParse(value);
  const path = answer.success ? (answer.data.path ?? answer.data.session_path) : undefined;
  const where = path === undefined ? "" : `, wrote ${shortPath(path, desk.environment["HOME"])}`;
  say(desk, "good", `closed ${episode.session_id} as interrupted${where}`);
}
