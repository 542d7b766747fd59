import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const acting = () => import("../actions/knowledge.ts");
const asking = () => import("../ask.ts");
const declared = () => import("../../core/capabilities/knowledge.ts");

const ID = { name: "id", required: true, summary: "the record's id" } as const;

const derive = defineCommand({
  path: ["knowledge", "derive"],
  summary: "make candidates of what an episode decided, resolved and finished",
  options: [
    { name: "episode", value: "id", summary: "an episode; this process's own open one when not given" },
    { name: "all", summary: "every closed episode that the ledger and its archives know" },
    { name: "dry-run", summary: "only say what would be written" },
  ],
  notes: ["Derived from the ledger and git alone; the same ledger gives the same bytes."],
  examples: [
    { command: "majordomus knowledge derive --dry-run", summary: "what the open episode would give" },
    { command: "majordomus knowledge derive --all", summary: "make good for what was never derived" },
  ],
  run: async (invocation) => {
    const { episode, all, "dry-run": dryRun } = invocation.options;
    const { deriveAll, deriveOne } = await acting();
    return all
      ? deriveAll(invocation, { episode, dry_run: dryRun })
      : deriveOne(invocation, { episode, dry_run: dryRun });
  },
});

const candidates = defineCommand({
  path: ["knowledge", "candidates"],
  summary: "what awaits review, with whether its evidence still stands",
  options: [{ name: "all", summary: "rejected ones too" }],
  run: async (invocation) => (await acting()).listCandidates(invocation, invocation.options.all),
});

const show = defineCommand({
  path: ["knowledge", "show"],
  summary: "one record whole, its evidence, its signature, and what superseded what",
  arguments: [ID],
  run: async (invocation) => (await acting()).showKnowledge(invocation, invocation.arguments.id),
});

const promote = defineCommand({
  path: ["knowledge", "promote"],
  summary: "make a candidate verified; the evidence comes on standard input",
  arguments: [ID],
  options: [
    { name: "class", value: "class", summary: "fact, convention, constraint, memory or lesson in its place" },
    { name: "sign", summary: "sign the record with this device's key, in a file beside it" },
  ],
  examples: [
    {
      command: "majordomus knowledge promote s-20260904153733-fc51-8aaaa6545fd6 < evidence.md",
      summary: "what it was verified by becomes part of the record",
    },
  ],
  run: async (invocation) =>
    (await acting()).promoteKnowledge(invocation, invocation.arguments.id, invocation.options),
});

const reject = defineCommand({
  path: ["knowledge", "reject"],
  summary: "say that a candidate is not so; it is never derived again",
  arguments: [ID],
  options: [
    { name: "reason", value: "text", summary: "why; required" },
    { name: "by", value: "id", summary: "the record that says it better" },
  ],
  run: async (invocation) => {
    const { options, output, json } = invocation;
    const { usageError } = await import("../failure.ts");
    const { reason, by } = options;
    if (reason === undefined)
      throw usageError({ message: "--reason is wanted", remedy: "say why it is not so" });
    const { ask } = await asking();
    const { knowledgeReject } = await declared();
    const answer = await ask(invocation, knowledgeReject, {
      id: invocation.arguments.id,
      reason,
      by,
      expect: undefined,
      dry_run: undefined,
    });
    if (json) output.json(answer);
    else output.line(answer.path);
    return EXIT.ok;
  },
});

const check = defineCommand({
  path: ["knowledge", "check"],
  summary: "judge every record; 10 when one is not in order",
  run: async (invocation) => (await acting()).checkKnowledge(invocation),
});

const sources = defineCommand({
  path: ["knowledge", "sources"],
  summary: "the closed table of what knowledge is derived from",
  run: async (invocation) => (await acting()).showSources(invocation),
});

export const knowledgeCommands: readonly CommandDeclaration[] = [
  derive,
  candidates,
  show,
  promote,
  reject,
  check,
  sources,
];
