import { EXIT } from "../../core/base/error.ts";
import type { CommandContext, CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";
import type { Output } from "../output.ts";

interface LifecycleView<Answer> {
  name: string;
  summary: string;
  read: (context: CommandContext) => Promise<Answer>;
  /** Lines for people. */
  show: (answer: Answer, output: Output) => void;
}

/** A read model of the operator as a command: JSON as answered, or its lines and then its findings. */
function lifecycleCommand<Answer extends object>(view: LifecycleView<Answer>): CommandDeclaration {
  return defineCommand({
    path: ["lifecycle", view.name],
    summary: view.summary,
    run: async (invocation) => {
      const answer = await view.read(invocation);
      if (invocation.json) invocation.output.json(answer);
      else view.show(answer, invocation.output);
      return EXIT.ok;
    },
  });
}

const declared = () => import("../../core/capabilities/lifecycle.ts");
const asking = () => import("../ask.ts");

export const lifecycleCommands: readonly CommandDeclaration[] = [
  lifecycleCommand({
    name: "episodes",
    summary: "every open episode of every worktree, with its standing",
    read: async (context) => (await asking()).ask(context, (await declared()).lifecycleEpisodes, {}),
    show: ({ episodes = [], findings = [] }, output) => {
      const unknown = findings.some(({ level, category }) => level === "FAIL" && category === "session");
      if (unknown) output.line("Which episodes are open is unknown.");
      else if (episodes.length === 0) output.line("No open episode.");
      for (const episode of episodes) {
        const worker = `worker ${episode.worker_state}`;
        output.line(
          `${episode.session_id.padEnd(24)} ${episode.standing.padEnd(9)} ${worker.padEnd(15)} ` +
            `${episode.branch ?? "-"}  ${episode.worktree ?? "-"}`,
        );
        output.line(`  ${episode.note}`);
      }
      output.findings(findings);
    },
  }),
  lifecycleCommand({
    name: "recovery",
    summary: "what is degraded, and whether the episodes add up",
    read: async (context) => (await asking()).ask(context, (await declared()).lifecycleRecovery, {}),
    show: ({ pointer, stranded = [], orphans = [], balance, findings = [] }, output) => {
      output.line(`Pointer:  ${pointer.layout} — ${pointer.note}`);
      for (const { session_id: id, reason, remedy } of stranded) {
        output.line(`Stranded: ${id} — ${reason}; ${remedy}`);
      }
      for (const { path, bytes } of orphans) output.line(`Orphan:   ${path} (${bytes} bytes)`);
      output.line(
        balance === undefined
          ? "Balance:  unknown"
          : `Balance:  ${balance.note}${balance.agrees ? "" : " — does not agree"}`,
      );
      output.findings(findings);
    },
  }),
  lifecycleCommand({
    name: "runtime",
    summary: "which commit this program answers about, and whether that is still the repository's",
    read: async (context) => (await asking()).ask(context, (await declared()).lifecycleRuntime, {}),
    show: (answer, output) => {
      output.line(`Root:       ${answer.root}`);
      output.line(
        `Served:     ${answer.served_branch ?? "-"} ${answer.served_head ?? "-"} ${answer.served_working_tree ?? "-"}`,
      );
      const [branch, head, tree] = [
        answer.repository_branch ?? "-",
        answer.repository_head ?? "-",
        answer.repository_working_tree ?? "-",
      ];
      output.line(`Repository: ${branch} ${head} ${tree}`);
      output.line(`Agree:      ${answer.agree ? "yes" : "no"} — ${answer.note}`);
      output.line(`Objects:    ${answer.objects} (index ${answer.index_state})`);
    },
  }),
  lifecycleCommand({
    name: "providers",
    summary: "AI coding tools: what they can report, what is wired, what came last",
    read: async (context) => (await asking()).ask(context, (await declared()).lifecycleProviders, {}),
    show: ({ providers, findings = [] }, output) => {
      for (const { id, title, wired = [], last_received: last = {}, note } of providers) {
        output.line(`${id.padEnd(14)} ${title} — ${note}`);
        if (wired.length > 0) output.line(`  wired: ${wired.join(", ")}`);
        for (const [event, at] of Object.entries(last)) output.line(`  last ${event}: ${at}`);
      }
      output.findings(findings);
    },
  }),
  lifecycleCommand({
    name: "closed",
    summary: "how many sessions are closed, and the newest of them",
    read: async (context) => (await asking()).ask(context, (await declared()).lifecycleClosed, {}),
    show: ({ total, on_this_branch: here, newest = [], findings = [] }, output) => {
      output.line(
        total === undefined
          ? "How many are closed is unknown."
          : `${total} closed, ${here ?? 0} on this branch`,
      );
      for (const { created_at: at = "-", session_id: id, outcome = "-", divergence = "-", path } of newest) {
        output.line(
          `${at.padEnd(20)}  ${id.padEnd(24)} ${outcome.padEnd(12)} ${divergence.padEnd(18)} ${path}`,
        );
      }
      output.findings(findings);
    },
  }),
];
