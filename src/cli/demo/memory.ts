import { join } from "node:path";
import { formatTimestamp } from "../../core/base/time.ts";
import { captureDelta } from "../../core/capsule/autosave/capture.ts";
import { BANNER, FRAMING, SECTIONS } from "../../core/capsule/framing.ts";
import { openMemory } from "../../core/capsule/memory-tree.ts";
import { makeDirectory, writeAtomic } from "../../core/fs/write.ts";
import type { Stage } from "./stage.ts";

const HOUR = 3_600_000;

interface Kept {
  id: string;
  hoursAgo: number;
  objective: string;
  waitingOn: string;
  next: string;
  done: readonly string[];
  gates: readonly string[];
}

/** What was saved over the week, the oldest first. */
const SPENT: Kept = {
  id: "stream-tables",
  hoursAgo: 75,
  objective: "Read the tables as a stream",
  waitingOn: "nothing",
  next: "Convert Latin-1 where a table is read",
  done: ["the reader goes line by line"],
  gates: ["the encoding of the old tables"],
};
const GIVEN_UP: Kept = {
  id: "draw-as-svg",
  hoursAgo: 60,
  objective: "Draw the tables as pictures",
  waitingOn: "a word from the printer",
  next: "Ask whether the printer takes SVG",
  done: ["one table as a picture"],
  gates: [],
};
const FINISHED: Kept = {
  id: "sort-harbours",
  hoursAgo: 40,
  objective: "Sort the harbours along the coast",
  waitingOn: "nothing",
  next: "Print the index",
  done: ["the order from north to south"],
  gates: [],
};
const OLDER: Kept = {
  id: "datum-of-whitby",
  hoursAgo: 22,
  objective: "Find the datum of Whitby",
  waitingOn: "the harbour office",
  next: "Look into the almanac of 1998",
  done: ["asked the harbour office"],
  gates: ["the datum"],
};
const NEWEST: Kept = {
  id: "one-decimal",
  hoursAgo: 0.2,
  objective: "Print heights with one decimal, signed below datum",
  waitingOn: "the datum of Whitby",
  next: "Print the table of Whitby and run the tests",
  done: ["Douarnenez, Fowey and Stromness are printed"],
  gates: ["neap tides: a table of their own?"],
};

function capsuleText(kept: Kept, now: number): string {
  const created = formatTimestamp(now - kept.hoursAgo * HOUR);
  const items = { done: kept.done, gates: kept.gates };
  const body = SECTIONS.flatMap(({ name, heading }) => {
    const lines = name === "done" || name === "gates" ? items[name] : [];
    return [heading, "", ...(lines.length === 0 ? ["- none"] : lines.map((line) => `- ${line}`)), ""];
  });
  return [
    "---",
    `id: ${kept.id}`,
    "status: active",
    `created_at: ${created}`,
    `objective: ${kept.objective}`,
    `waiting_on: ${kept.waitingOn}`,
    `next_valid_action: ${kept.next}`,
    ...FRAMING.map(([field, value]) => `${field}: ${value}`),
    "---",
    "",
    ...BANNER,
    "",
    ...body,
  ].join("\n");
}

/** What a turn's end saves by itself, from a conversation that exists for a moment only. */
async function saveTurn(stage: Stage, root: string, session: string): Promise<void> {
  const tree = openMemory(await stage.checkout(root));
  const transcript = join(root, ".ai", "local", "turn.jsonl");
  const at = formatTimestamp(stage.clock.now());
  const said = (role: "user" | "assistant", content: unknown): string =>
    JSON.stringify({ type: role, timestamp: at, message: { role, content } });
  const lines = [
    said("user", "Which harbours have no gauge of their own?"),
    said("assistant", [
      { type: "tool_use", id: "t1", name: "Read", input: { file_path: join(root, "src", "tides.ts") } },
      { type: "text", text: "Only Polruan: it shares the gauge of Fowey." },
    ]),
  ];
  writeAtomic(transcript, `${lines.join("\n")}\n`, { mode: 0o600 });
  const request = { session, transcript, lastAssistantMessage: undefined };
  captureDelta(tree, request, { ...stage.surroundings, mayGoOn: () => true });
}

/**
 * A week of memory: capsules that were resumed, finished, given up and overtaken, one that a clear would resume
 * now, what a turn's end saved by itself, and a note that somebody laid among them.
 */
export async function rememberTheWeek(stage: Stage, root: string, now: number): Promise<void> {
  const act = (id: string, input: unknown): Promise<unknown> =>
    stage.perform(root, "demo-current", id, input);
  const keep = async (kept: Kept): Promise<void> => {
    stage.clock.set(now - kept.hoursAgo * HOUR);
    await act("capsule.write", { text: capsuleText(kept, now) });
  };
  await keep(SPENT);
  await act("capsule.resume", { capsule: SPENT.id, spend: true });
  await keep(GIVEN_UP);
  await act("capsule.abandon", { capsule: GIVEN_UP.id });
  await keep(FINISHED);
  await act("capsule.resolve", { capsule: FINISHED.id });
  await keep(OLDER);
  stage.clock.set(now - 30 * HOUR);
  await saveTurn(stage, root, "demo-0018");
  await keep(NEWEST);
  const { capsules } = openMemory(await stage.checkout(root));
  makeDirectory(capsules);
  writeAtomic(join(capsules, "tide-ideas.md"), "# Ideas\n\n- a table for the moon\n");
}
