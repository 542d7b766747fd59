import { expect, test } from "vitest";
import { balanceOf } from "./support/episodes.ts";
import { runHook, samplePayload } from "./support/hooks.ts";
import { makePlace } from "./support/place.ts";
import { countEvents, outcomesOf, readAll } from "./support/stores.ts";

interface Story {
  provider: string;
  session: string;
  /** Samples of one session, in the order in which this provider sends them. */
  samples: readonly string[];
  /** Whether its end event came. */
  ends: boolean;
  /** Events that name no place which is known by then: nothing is kept of them. */
  unheard?: readonly string[];
}

/** Each provider's events of one session, by the order that was seen or documented of it. */
const STORIES: readonly Story[] = [
  {
    provider: "codex",
    session: "01a1f3c8-7b20-7d41-9e55-2c0b8a64f719",
    samples: [
      "codex/SessionStart",
      "codex/UserPromptSubmit",
      "codex/PreToolUse",
      "codex/PostToolUse",
      "codex/SubagentStart",
      "codex/SubagentStop",
      "codex/PreCompact",
      "codex/PostCompact",
      "codex/Stop",
      "codex/SessionEnd",
    ],
    ends: true,
  },
  {
    provider: "gemini-cli",
    session: "5a0f7c21-9d34-4b8e-8e61-27cb1f90d3a4",
    samples: [
      "gemini-cli/SessionStart",
      "gemini-cli/BeforeAgent",
      "gemini-cli/BeforeTool",
      "gemini-cli/AfterTool",
      "gemini-cli/PreCompress.manual",
      "gemini-cli/AfterAgent",
      "gemini-cli/SessionEnd.exit",
    ],
    ends: true,
  },
  {
    provider: "copilot-cli",
    session: "8e2b6f04-17ca-4d93-b6a8-50f1c3d7e92b",
    samples: [
      "copilot-cli/sessionStart",
      "copilot-cli/userPromptSubmitted",
      "copilot-cli/preToolUse",
      "copilot-cli/postToolUse",
      "copilot-cli/preCompact",
      "copilot-cli/agentStop",
      "copilot-cli/sessionEnd.complete",
    ],
    ends: true,
  },
  {
    provider: "qwen-code",
    session: "2c91e7b5-40ad-4f68-9137-d8b06a5fe2c4",
    samples: [
      "qwen-code/SessionStart",
      "qwen-code/UserPromptSubmit",
      "qwen-code/PreToolUse",
      "qwen-code/PostToolUse",
      "qwen-code/PreCompact",
      "qwen-code/Stop",
      "qwen-code/SessionEnd.prompt_input_exit",
    ],
    ends: true,
  },
  {
    provider: "cursor",
    session: "f30a9d47-2e6b-4c15-87d9-b1c06e54a8f2",
    samples: [
      "cursor/sessionStart",
      "cursor/beforeSubmitPrompt",
      "cursor/preToolUse",
      "cursor/afterFileEdit",
      "cursor/postToolUse",
      "cursor/preCompact",
      "cursor/afterAgentResponse",
      "cursor/stop",
      "cursor/sessionEnd",
    ],
    ends: true,
  },
  {
    provider: "opencode",
    session: "ses_c18f30b2d7a4TideMain000001",
    samples: [
      "opencode/session.created",
      "opencode/chat.message",
      "opencode/tool.execute.before",
      "opencode/tool.execute.after",
      "opencode/experimental.session.compacting",
      "opencode/session.compacted",
      "opencode/session.idle",
      "opencode/session.deleted",
    ],
    ends: true,
  },
  {
    provider: "factory-droid",
    session: "a6f05c93-8d21-47be-9c3f-1e7b240d58ca",
    samples: [
      "factory-droid/SessionStart",
      "factory-droid/UserPromptSubmit",
      "factory-droid/PreToolUse",
      "factory-droid/PostToolUse",
      "factory-droid/SubagentStop",
      "factory-droid/PreCompact",
      "factory-droid/Stop",
      "factory-droid/SessionEnd",
    ],
    ends: true,
  },
  {
    provider: "kiro",
    session: "0b7d3c94-6a1f-4e28-b950-d4f2c8e1a736",
    samples: ["kiro/agentSpawn", "kiro/userPromptSubmit", "kiro/preToolUse", "kiro/postToolUse", "kiro/stop"],
    ends: false,
  },
  {
    provider: "kiro",
    session: "sess_2f90c6b1-45de-4a73-8c1b-7e60d9a3f582",
    samples: ["kiro/v3/SessionStart", "kiro/v3/PreCompact", "kiro/v3/Stop"],
    ends: false,
  },
  {
    provider: "windsurf",
    session: "traj-6d2f81c0b9a4",
    // Its prompt names no directory, and nothing else tells where it belongs: the first tool does.
    unheard: ["pre_user_prompt"],
    samples: [
      "windsurf/pre_user_prompt",
      "windsurf/pre_run_command",
      "windsurf/post_write_code",
      "windsurf/post_cascade_response",
    ],
    ends: false,
  },
];

/** What the provider's configuration would name as the event of this sample. */
function eventOf(sample: string): string {
  const name = sample.slice(sample.lastIndexOf("/") + 1);
  return sample.startsWith("opencode/") ? name : (name.split(".")[0] ?? name);
}

test("every provider's events in their order open one episode, print nothing, and end where an end comes", async () => {
  const place = await makePlace();
  await Promise.all(
    STORIES.map(async ({ provider, samples }) => {
      for (const sample of samples) {
        const run = await runHook(place, {
          event: eventOf(sample),
          provider,
          input: samplePayload(`${sample}.json`, { root: place.root }),
        });
        expect(run, sample).toMatchObject({ status: 0, stdout: "", stderr: "" });
      }
    }),
  );
  const balance = await balanceOf(place);
  const ended = STORIES.filter(({ ends }) => ends).length;
  expect(balance).toMatchObject({
    started: STORIES.length,
    closed: ended,
    open: STORIES.length - ended,
    unaccounted: 0,
  });
  const found = readAll(place.root);
  for (const { provider, session, samples, ends, unheard = [] } of STORIES) {
    const stories = ends ? found.ended : found.registrations;
    const mine = stories.filter((registered) => registered.raw_id === session);
    expect(mine, session).toMatchObject([{ provider }]);
    const outcomes = outcomesOf(found.receipts, session);
    expect(outcomes.map(({ event }) => event).toSorted(), session).toEqual(
      samples
        .map(eventOf)
        .filter((event) => !unheard.includes(event))
        .toSorted(),
    );
    expect(new Set(outcomes.map((outcome) => outcome.provider))).toEqual(new Set([provider]));
    const failures = outcomes.flatMap(({ steps = [] }) => steps).filter(({ result }) => result === "failed");
    expect(failures, session).toEqual([]);
    const lines = found.ledger.filter((line) => line.session === mine[0]?.session_id);
    expect(countEvents(lines)["session.started"], session).toBe(1);
    expect(countEvents(lines)["session.closed"], session).toBe(ends ? 1 : undefined);
  }
  expect(found.records).toHaveLength(ended);
});

test("a payload of a provider without an id for this run leaves a receipt and opens nothing", async () => {
  const place = await makePlace();
  const input = samplePayload("kiro/agentSpawn.headless.json", { root: place.root });
  const run = await runHook(place, { event: "agentSpawn", provider: "kiro", input });
  expect(run).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const found = readAll(place.root);
  expect(found.receipts.map(({ event, phase }) => [event, phase])).toEqual([
    ["agentSpawn", "received"],
    ["agentSpawn", "outcome"],
  ]);
  expect(found.registrations).toEqual([]);
  expect(found.open.size).toBe(0);
});
