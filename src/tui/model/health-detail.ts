import type { ProviderView, RuntimeAnswer } from "../../core/lifecycle/answers.ts";
import { withAge } from "./age.ts";
import type { DetailContext } from "./detail-context.ts";
import { fact, factList } from "./facts.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";

export function runtimeDetail(runtime: RuntimeAnswer, { width }: DetailContext): readonly Line[] {
  const { served_head, served_branch, repository_head, repository_branch, agree, note } = runtime;
  const at = (head: string | undefined, branch: string | undefined): string =>
    [head ?? "no commit", branch].filter(Boolean).join(" on ");
  return [
    [span("runtime", "plain", true), span(agree ? "  agrees" : "  does not agree", agree ? "good" : "warn")],
    ...fact("", note, width, agree ? "muted" : "warn"),
    ...fact("answered", at(served_head, served_branch), width),
    ...fact("repository", at(repository_head, repository_branch), width),
    ...fact("tree", runtime.repository_working_tree, width),
    ...fact("index", runtime.index_state, width, runtime.index_state === "ok" ? "plain" : "warn"),
  ];
}

/** A provider: what it can tell, and when it last told each. */
export function providerDetail(provider: ProviderView, { width, now }: DetailContext): readonly Line[] {
  const {
    id,
    title,
    lifecycle = [],
    last_received = {},
    wired,
    prompt_capture,
    client_config,
    note,
  } = provider;
  const heard = lifecycle.map((event) => `${event}  ${withAge(last_received[event], now) || "never"}`);
  return [
    [span(show(title), "plain", true), span(`  ${show(id)}`, "muted")],
    ...fact("", note, width, "muted"),
    ...factList("events", heard, width),
    ...factList("wired", wired, width),
    ...fact("prompts by", prompt_capture, width),
    ...fact("its config", client_config, width, "muted"),
  ];
}
