/** What the demo's people did: the material of its repository, nothing of it hard to believe. */

export const AUTHOR = { name: "Wren Ferrier", email: "wren@example.invalid" };

export const SOURCES: Record<string, string> = {
  "README.md": "# tidepool\n\nTables of tides for small harbours.\n",
  "src/parse.ts": 'export function parse(text: string): string[] {\n  return text.split("\\n");\n}\n',
  "src/tides.ts": 'export const harbours = ["Douarnenez", "Fowey", "Stromness"];\n',
  "test/parse.test.ts": 'import { parse } from "../src/parse.ts";\nparse("a\\nb");\n',
};

export interface Sitting {
  title: string;
  decisions: readonly string[];
  questions: readonly { question: string; answer?: string }[];
  commit?: string;
}

/** Sittings over the past days, told again and again in turn. */
export const SITTINGS: readonly Sitting[] = [
  {
    title: "Read tables as a stream",
    decisions: ["Read tables line by line, never whole"],
    questions: [
      { question: "Which encoding do the old tables have?", answer: "Latin-1; convert at the edge" },
    ],
    commit: "Read tables as a stream",
  },
  {
    title: "Keep harbours in one file",
    decisions: ["One file for all harbours, sorted by name"],
    questions: [],
    commit: "Sort the harbours by name",
  },
  {
    title: "Find the cause of the wrong heights",
    decisions: ["Heights are metres everywhere; feet are converted when read"],
    questions: [{ question: "Is the datum of Stromness the chart datum?", answer: "Yes, since 1998" }],
    commit: "Convert feet when a table is read",
  },
  { title: "Look at the failing night build", decisions: [], questions: [] },
  {
    title: "Write the table of contents",
    decisions: ["No dependency for formatting dates"],
    questions: [],
    commit: "Write a table of contents",
  },
];

/** Decisions and answers of the later sittings, one each: what a week leaves to be reviewed. */
export const LATER: readonly ({ decision: string } | { question: string; answer: string })[] = [
  { decision: "Blank lines between tables are kept" },
  { decision: "Names keep their apostrophes, typographic ones too" },
  { question: "What does an asterisk behind a height mean?", answer: "A height read from a curve" },
  { decision: "A table without a header belongs to the harbour above it" },
  { decision: "Times are those of the harbour, never UTC" },
  { question: "May two harbours share a gauge?", answer: "Yes: Fowey and Polruan do" },
  { decision: "The hour that the clock change repeats is printed once" },
  { decision: "Depths below datum are drawn in the same scale as heights" },
  { question: "How old is the oldest table in use?", answer: "1971, and still right to a decimetre" },
  { decision: "No harbour is dropped; one without a gauge says so" },
  { decision: "The index is sorted as sailors read it: along the coast" },
  { question: "Who checks the printed tables?", answer: "The harbour master of Stromness, each March" },
  { decision: "A height that is missing stays missing, and is never interpolated" },
];

/** What the workers of today tell each other on the board, one each. */
export const ANNOUNCEMENTS: readonly { text: string; paths: string[] }[] = [
  { text: "Reading the tables of Fowey as a stream", paths: ["src/parse.ts"] },
  { text: "Comparing heights with the chart of 1998", paths: ["src/tides.ts", "test"] },
];
