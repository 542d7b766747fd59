import { statSync } from "node:fs";
import { join } from "node:path";
import { BARE_NODE, compare } from "./measure.ts";
import type { Command } from "./measure.ts";
import { newBenchRepository, PROGRAM } from "./place.ts";
import { ratioRow } from "./row.ts";
import type { Bench, Row } from "./row.ts";

type Place = ReturnType<typeof newBenchRepository>;

function hook(
  { root, environment }: Place,
  event: string,
  more: Readonly<Record<string, unknown>>,
  session = "bench-1",
): Command {
  const payload = {
    session_id: session,
    cwd: root,
    hook_event_name: event,
    transcript_path: "/nowhere/x.jsonl",
    ...more,
  };
  return {
    arguments: [PROGRAM, "hook", event, "--provider", "claude-code"],
    directory: root,
    input: JSON.stringify(payload),
    environment,
  };
}

function warm(place: Place): void {
  compare(hook(place, "SessionStart", { source: "startup" }), BARE_NODE, 1);
}

/** A start of another session each time: every run opens an episode. */
function freshStarts(place: Place): Command {
  let number = 0;
  const command: Command & { input: string } = {
    ...hook(place, "SessionStart", { source: "startup" }),
    input: "",
  };
  command.before = () => {
    number += 1;
    command.input = hook(place, "SessionStart", { source: "startup" }, `fresh-${number}`).input ?? "";
  };
  return command;
}

function bundleRow(): Row {
  const dist = join(PROGRAM, "..", "..", "dist");
  const bytes = Math.max(
    ...["hook.cjs", "boundary.cjs", "start.cjs"].map((name) => statSync(join(dist, name)).size),
  );
  return {
    bench: "hooks",
    bar: "largest of a hook's bundles",
    goal: "<= 250 KB",
    measured: `${(bytes / 1024).toFixed(0)} KB`,
    reached: bytes <= 250 * 1024,
  };
}

export const hooks: Bench = {
  name: "hooks",
  run: () => {
    const place = newBenchRepository();
    warm(place);
    return [
      ratioRow(
        "hooks",
        "Stop, warm",
        1.15,
        compare(hook(place, "Stop", { stop_hook_active: false }), BARE_NODE),
      ),
      ratioRow(
        "hooks",
        "UserPromptSubmit, warm",
        1.15,
        compare(hook(place, "UserPromptSubmit", { prompt: "go on" }), BARE_NODE),
      ),
      ratioRow(
        "hooks",
        "SubagentStop, warm",
        1.15,
        compare(hook(place, "SubagentStop", { agent_id: "a1", agent_type: "x" }), BARE_NODE),
      ),
      ratioRow(
        "hooks",
        "SessionStart, episode kept, briefing printed",
        1.5,
        compare(hook(place, "SessionStart", { source: "resume" }), BARE_NODE),
      ),
      ratioRow(
        "hooks",
        "SessionStart, new episode with working context",
        1.8,
        compare(freshStarts(place), BARE_NODE),
      ),
      bundleRow(),
    ];
  },
};
