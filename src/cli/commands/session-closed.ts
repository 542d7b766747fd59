import { EXIT } from "../../core/base/error.ts";
import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const list = defineCommand({
  path: ["session", "list"],
  summary: "closed records of this branch, newest first",
  options: [{ name: "all", summary: "of every branch and repository in the store" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { SessionListAnswer } = await import("../../core/episode/session-answers.ts");
    const { output, json, options } = invocation;
    const answer = await ask(invocation, "session.list", { all: options.all }, SessionListAnswer);
    for (const { path, reason } of answer.skipped) output.warn(`skipped ${path}: ${reason}`);
    if (answer.skipped.length > 0) output.warn(`${answer.skipped.length} file(s) skipped`);
    if (json) {
      output.json(answer);
      return EXIT.ok;
    }
    for (const { created_at: at, session_id: id, outcome, label, path } of answer.sessions) {
      output.line(`${at}  ${id.padEnd(24)} ${outcome.padEnd(12)} ${label.padEnd(18)} ${path}`);
    }
    return EXIT.ok;
  },
});

const show = defineCommand({
  path: ["session", "show"],
  summary: "one closed record",
  arguments: [{ name: "id", required: true, summary: "a session id, s-…" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { SessionShowAnswer } = await import("../../core/episode/session-answers.ts");
    const { output, json } = invocation;
    const { schema, session, text } = await ask(
      invocation,
      "session.show",
      { session_id: invocation.arguments.id },
      SessionShowAnswer,
    );
    if (json) output.json({ schema, session });
    else output.block(text.trimEnd());
    return EXIT.ok;
  },
});

const latest = defineCommand({
  path: ["session", "latest"],
  summary: "the closed record that resolves here",
  options: [{ name: "path", summary: "print its path alone" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { SessionLatestAnswer } = await import("../../core/episode/session-answers.ts");
    const { output, json, options } = invocation;
    const answer = await ask(invocation, "session.latest", {}, SessionLatestAnswer);
    const { schema, latest: found, text } = answer;
    if (json) output.json(found === null ? { schema, latest: null } : { schema, session: found });
    else if (found === null) output.line("No closed session resolves here.");
    else if (options.path) output.line(found.path);
    else {
      output.line(`Session: ${found.session_id} (${found.outcome}, ${found.label})`);
      output.line(`Record:  ${found.path}`);
      if (text !== undefined) output.block(`\n${text.trimEnd()}`);
    }
    return found === null && options.path ? EXIT.missing : EXIT.ok;
  },
});

const context = defineCommand({
  path: ["session", "context"],
  summary: "where the working context of an episode lies",
  arguments: [{ name: "id", summary: "a session id; the open episode's when not given" }],
  run: async (invocation) => {
    const { ask } = await import("../ask.ts");
    const { SessionContextAnswer } = await import("../../core/episode/session-answers.ts");
    const { output, json } = invocation;
    const answer = await ask(
      invocation,
      "session.context",
      { session_id: invocation.arguments.id },
      SessionContextAnswer,
    );
    const { text: _text, ...facts } = answer;
    if (json) output.json(facts);
    else output.line(answer.path);
    return EXIT.ok;
  },
});

export const closedSessionCommands: readonly CommandDeclaration[] = [list, show, latest, context];
