import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const list = defineCommand({
  path: ["session", "list"],
  summary: "closed records of this branch, newest first",
  options: [{ name: "all", summary: "of every branch and repository in the store" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { sessionList } = await import("../../core/capabilities/session.ts");
    const { output, json, options } = invocation;
    const answer = await ask(invocation, sessionList, { all: options.all });
    output.skipped(answer.skipped);
    if (answer.skipped.length > 0) output.warn(`${answer.skipped.length} file(s) skipped`);
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    for (const { created_at: at, session_id: id, outcome, label, path } of answer.sessions) {
      output.line(`${at}  ${id.padEnd(24)} ${outcome.padEnd(12)} ${label.padEnd(18)} ${path}`);
    }
    if (answer.elsewhere > 0) output.warn(`${answer.elsewhere} more elsewhere; --all lists them`);
    return EXIT.ok;
  },
});

const show = defineCommand({
  path: ["session", "show"],
  summary: "one closed record",
  arguments: [{ name: "id", required: true, summary: "a session id, s-…" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { sessionShow } = await import("../../core/capabilities/session.ts");
    const { output, json } = invocation;
    const answer = await ask(invocation, sessionShow, { session_id: invocation.arguments.id });
    const { text, ...facts } = answer;
    if (json) output.json(facts);
    else output.block(text.trimEnd());
    return EXIT.ok;
  },
});

const latest = defineCommand({
  path: ["session", "latest"],
  summary: "the closed record that resolves here",
  options: [{ name: "path", summary: "print its path alone; 12 when there is none" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { sessionLatest } = await import("../../core/capabilities/session.ts");
    const { output, json, options } = invocation;
    const { schema, session, text = "" } = await ask(invocation, sessionLatest, {});
    if (session === null) {
      if (json) output.json({ schema, latest: null });
      else if (!options.path) output.line("No closed session resolves here.");
      return options.path ? EXIT.missing : EXIT.ok;
    }
    if (json) output.json({ schema, session });
    else if (options.path) output.line(session.path);
    else {
      output.line(`Session: ${session.session_id} (${session.outcome}, ${session.label})`);
      output.line(`Match:   ${session.match ?? "none"}`);
      output.line(`Record:  ${session.path}`);
      output.block(`\n${text.trimEnd()}`);
    }
    return EXIT.ok;
  },
});

const context = defineCommand({
  path: ["session", "context"],
  summary: "where the working context of an episode lies",
  arguments: [{ name: "id", summary: "a session id; the open episode's when not given" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { sessionContext } = await import("../../core/capabilities/session.ts");
    const { output, json } = invocation;
    const answer = await ask(invocation, sessionContext, { session_id: invocation.arguments.id });
    const { text: _text, ...facts } = answer;
    if (json) output.json(facts);
    else output.line(answer.path);
    return EXIT.ok;
  },
});

export const closedSessionCommands: readonly CommandDeclaration[] = [list, show, latest, context];
