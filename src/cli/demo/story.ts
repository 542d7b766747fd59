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

/** What the small steps were about. */
export const DETAILS: readonly string[] = [
  "Blank lines between tables",
  "The sign of heights below datum",
  "A table without a header",
  "Times in the night of the clock change",
  "Names with an apostrophe",
];
