import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

/** How long an open pipe may stay silent before a close goes on without a summary, in milliseconds. */
const SUMMARY_PATIENCE = 3_000;

const PROVIDER_SESSION = {
  name: "provider-session",
  value: "id",
  summary: "the session id that the AI tool gave",
} as const;

const start = defineCommand({
  path: ["session", "start"],
  summary: "open an episode in this worktree",
  options: [
    { name: "owner", value: "who", summary: "who is responsible; $USER when not given" },
    { name: "worker", value: "id", summary: "what the worker calls itself" },
    {
      name: "if-open",
      value: "what",
      choices: ["refuse", "keep"],
      default: "refuse",
      summary: "when one is open here already",
    },
    { name: "provider", value: "name", summary: "the AI tool" },
    PROVIDER_SESSION,
  ],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { sessionStart } = await import("../../core/capabilities/session.ts");
    const { options, output, json } = invocation;
    const answer = await ask(invocation, sessionStart, {
      owner: options.owner,
      worker: options.worker,
      if_open: options["if-open"],
      provider: options.provider,
      provider_session: options["provider-session"],
    });
    for (const note of answer.notes) output.warn(note);
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    const { state, session_id: id, started_at: at } = answer;
    if (state === "kept") {
      output.line(`session ${id} already open here since ${at}; kept`);
      return EXIT.ok;
    }
    output.line(`session ${id} opened at ${at} (head ${answer.head.slice(0, 7)})`);
    if (answer.working_context !== undefined) output.line(`working context: ${answer.working_context}`);
    if (answer.continues !== undefined) output.line(`continues: ${answer.continues}`);
    output.line("next: work; `majordomus session close` seals the episode");
    return EXIT.ok;
  },
});

const status = defineCommand({
  path: ["session", "status"],
  summary: "the open episode of this worktree",
  options: [PROVIDER_SESSION],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { sessionStatus } = await import("../../core/capabilities/session.ts");
    const { options, output, json } = invocation;
    const answer = await ask(invocation, sessionStatus, { provider_session: options["provider-session"] });
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    const { open, others } = answer;
    if (open === null) {
      output.line("No open session in this worktree.");
    } else {
      output.line(`Session:    ${open.session_id}`);
      output.line(`Opened:     ${open.started_at}`);
      output.line(`Owner:      ${open.owner}`);
      if (open.worker !== null) output.line(`Worker:     ${open.worker}`);
      if (open.provider !== null) {
        const session = open.provider_session === null ? "" : ` (session ${open.provider_session})`;
        output.line(`Provider:   ${open.provider}${session}`);
      }
      output.line(`Branch:     ${open.branch}`);
      output.line(`Start head: ${open.start_head.slice(0, 7)} (${open.label})`);
      if (open.foreign) output.line(`Foreign:    opened by ${open.worktree}`);
    }
    for (const { session_id: id, key } of others) output.line(`Also open:  ${id} (${key})`);
    return EXIT.ok;
  },
});

const close = defineCommand({
  path: ["session", "close"],
  summary: "seal the open episode into a closed record",
  notes: ["A summary on standard input becomes the record's body."],
  options: [
    {
      name: "outcome",
      value: "what",
      choices: ["closed", "interrupted"],
      default: "closed",
      summary: "what the record says",
    },
    {
      name: "if-none",
      value: "what",
      choices: ["refuse", "ignore"],
      default: "refuse",
      summary: "when nothing is open",
    },
    PROVIDER_SESSION,
  ],
  examples: [{ command: "majordomus session close < summary.md", summary: "close with an authored body" }],
  run: async (invocation) => {
    const { openHere, askIn } = await import("../ask.ts");
    const { sessionClose } = await import("../../core/capabilities/session.ts");
    const { readBody } = await import("../stdin.ts");
    const { options, output, json, stdin } = invocation;
    const checkout = await openHere(invocation);
    const summary = await readBody(stdin(), { patienceMilliseconds: SUMMARY_PATIENCE });
    if (summary === undefined) output.warn("no summary came on standard input; closing without one");
    const answer = await askIn(checkout, sessionClose, {
      outcome: options.outcome,
      if_none: options["if-none"],
      provider_session: options["provider-session"],
      summary: summary === undefined || summary.trim() === "" ? undefined : summary,
    });
    for (const note of answer.notes ?? []) output.warn(note);
    if (answer.state === "kept") output.warn("the store has this episode's record already; it stands");
    if (json) output.json(answer);
    else if (answer.path !== undefined) output.line(answer.path);
    return EXIT.ok;
  },
});

export const openSessionCommands: readonly CommandDeclaration[] = [start, status, close];
