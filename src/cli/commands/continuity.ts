import type { CommandContext, CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

/** As the original's commands are called; `--json` says the same. */
const FORMAT = {
  name: "format",
  value: "how",
  choices: ["text", "json"],
  default: "text",
  summary: "how to answer",
} as const;

const NAMED = { name: "record", required: true, summary: "the first digits of its id" } as const;
const RECORD = { name: "record", value: "id", summary: "the first digits of a record's id" } as const;

function inFormat<Context extends CommandContext>(context: Context, format: string): Context {
  return format === "json" ? { ...context, json: true } : context;
}

const actions = () => import("../actions/continuity.ts");

const device = defineCommand({
  path: ["continuity", "device"],
  summary: "this machine as its records name it; makes its key on first use",
  options: [{ name: "label", value: "name", summary: "what to call this machine" }, FORMAT],
  examples: [{ command: "majordomus continuity device --label macbook-pro", summary: "name this machine" }],
  run: async (invocation) => {
    const { options } = invocation;
    const { showDevice } = await actions();
    return showDevice(inFormat(invocation, options.format), options.label);
  },
});

const publish = defineCommand({
  path: ["continuity", "publish"],
  summary: "sign a handover into this repository's own store; uses no network",
  notes: [
    "Refused with 10 when it carries a credential or a path of this machine, in any field. What is published is permanent.",
  ],
  options: [
    {
      name: "handover",
      value: "file",
      summary: "a file of the store of handovers; the newest when not given",
    },
    { name: "issue", value: "id", summary: "the issue that it is about; carried along the line" },
    { name: "milestone", value: "id", summary: "the milestone that it is about; carried along the line" },
    FORMAT,
  ],
  examples: [
    { command: "majordomus continuity publish --issue '#184'", summary: "publish the newest handover" },
  ],
  run: async (invocation) => {
    const { handover, issue, milestone, format } = invocation.options;
    const { publish: run } = await actions();
    return run(inFormat(invocation, format), { handover, issue, milestone });
  },
});

const sync = defineCommand({
  path: ["continuity", "sync"],
  summary: "exchange records with a remote; nothing is forced, nothing else of the repository moves",
  notes: ["10 when the remote could not be asked, or did not take everything."],
  options: [
    {
      name: "remote",
      value: "name",
      summary: "this branch's remote, else origin, else the only one, when not given",
    },
    FORMAT,
  ],
  run: async (invocation) => {
    const { options } = invocation;
    const { sync: run } = await import("../actions/continuity-sync.ts");
    return run(inFormat(invocation, options.format), options.remote);
  },
});

const status = defineCommand({
  path: ["continuity", "status"],
  summary: "this machine, the store, the last sync, and what can be resumed; uses no network",
  options: [FORMAT],
  run: async (invocation) => {
    const { showStatus } = await actions();
    return showStatus(inFormat(invocation, invocation.options.format));
  },
});

const records = defineCommand({
  path: ["continuity", "records"],
  summary: "every record of the store by line, and every file that was refused",
  options: [FORMAT],
  run: async (invocation) => {
    const { showRecords } = await actions();
    return showRecords(inFormat(invocation, invocation.options.format));
  },
});

const show = defineCommand({
  path: ["continuity", "show"],
  summary: "one record whole, and its place in its line",
  arguments: [NAMED],
  options: [FORMAT],
  run: async (invocation) => {
    const { showRecord } = await actions();
    return showRecord(inFormat(invocation, invocation.options.format), invocation.arguments.record);
  },
});

const plan = defineCommand({
  path: ["continuity", "plan"],
  summary: "what resuming would do, and why not; changes nothing",
  notes: ["0 when it could be resumed or nothing waits, 12 when the named record is not there, else 10."],
  options: [RECORD, FORMAT],
  run: async (invocation) => {
    const { options } = invocation;
    const { showPlan } = await import("../actions/continuity-plan.ts");
    return showPlan(inFormat(invocation, options.format), options.record);
  },
});

const resume = defineCommand({
  path: ["continuity", "resume"],
  summary: "write another machine's handover and decisions into this checkout, when the plan is ready",
  options: [RECORD, FORMAT],
  run: async (invocation) => {
    const { options } = invocation;
    const { resume: run } = await import("../actions/continuity-plan.ts");
    return run(inFormat(invocation, options.format), options.record);
  },
});

const hide = defineCommand({
  path: ["continuity", "hide"],
  summary: "offer a record no more on this machine; the record itself stays",
  arguments: [NAMED],
  options: [{ name: "undo", summary: "offer it again" }, FORMAT],
  run: async (invocation) => {
    const { options } = invocation;
    const { hide: run } = await actions();
    return run(inFormat(invocation, options.format), invocation.arguments.record, options.undo);
  },
});

const verify = defineCommand({
  path: ["continuity", "verify"],
  summary: "prove a record and its chain offline, from the store alone; all records when none is named",
  notes: ["10 naming the first thing that does not hold, and its code."],
  arguments: [{ name: "record", summary: "the first digits of its id" }],
  options: [FORMAT],
  run: async (invocation) => {
    const { verify: run } = await actions();
    return run(inFormat(invocation, invocation.options.format), invocation.arguments.record);
  },
});

export const continuityCommands: readonly CommandDeclaration[] = [
  device,
  publish,
  sync,
  status,
  records,
  show,
  plan,
  resume,
  hide,
  verify,
];
