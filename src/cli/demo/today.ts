import type { Stage } from "./stage.ts";

const MINUTE = 60_000;

const CHECKPOINT = [
  "Heights come out with one decimal in all three tables.",
  "",
  "- `src/tides.ts` has the harbours in their own spelling",
  "- the sign below datum is kept",
  "",
  "Next: the table of Whitby, whose datum nobody has looked up yet.",
];

const HANDOVER = [
  "# Objective",
  "",
  "Every table prints its heights with one decimal, in metres, signed below datum.",
  "",
  "# Current State",
  "",
  "Douarnenez, Fowey and Stromness are done. Whitby was added to the list, without its table.",
  "",
  "# Next Action",
  "",
  "Look up the datum of Whitby, then print its table and run the tests.",
  "",
  "# Risks",
  "",
  "Whitby's old table may be in feet.",
  "",
  "# Verification",
  "",
  "`npm test`, and the four tables against the printed almanac.",
  "",
];

/** The question that still blocks the work, from somebody whose worker died over it. */
export async function askAboutNeaps(stage: Stage, root: string, session: string): Promise<void> {
  await stage.perform(root, session, "question.add", { question: "Do neap tides need their own table?" });
  await stage.perform(root, session, "checkpoint.write", {
    body: "Neap tides are in the spring tables, and hard to find there. Asked whether they get their own.",
  });
}

/** Today's task, as its worker keeps it: a scope, decisions, a question that was answered, notes of progress. */
export async function workOnHeights(stage: Stage, root: string, session: string): Promise<void> {
  const act = (id: string, input: unknown): Promise<unknown> => stage.perform(root, session, id, input);
  await act("task.start", { task: "Print heights with one decimal", scope: ["src", "test"] });
  await act("question.add", { question: "Is a height below datum negative?" });
  await act("decision.add", {
    title: "Heights are printed with one decimal",
    why: "the almanac has one, and readers compare the two",
    rejected: "two decimals: no gauge of ours is that good",
    evidence: "the almanac's table of Fowey",
  });
  stage.clock.forward(2 * MINUTE);
  await act("question.resolve", { question: "below datum", answer: "Yes, with a real minus sign" });
  await act("decision.add", {
    title: "Heights below datum keep their sign",
    why: "a reader who misses it runs aground",
  });
  await act("checkpoint.write", { body: CHECKPOINT.join("\n") });
  stage.clock.forward(2 * MINUTE);
  await act("handover.write", { body: HANDOVER.join("\n") });
}
