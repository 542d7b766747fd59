import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { startProgram } from "../../support/binary.ts";
import type { Run, RunOptions, Started } from "../../support/binary.ts";
import type { Place } from "./place.ts";

const PAYLOADS = join(import.meta.dirname, "../../fixtures/payloads");

/** The directory in which every sample payload was recorded. */
const RECORDED_DIRECTORY = "/home/wren/src/tidepool";

export interface PayloadChanges {
  /** The work tree that takes the place of the recorded one. */
  root: string;
  /** Fields to set; undefined removes one. */
  fields?: Readonly<Record<string, unknown>>;
}

/** A sample payload as its provider would send it from `root`. */
export function samplePayload(file: string, { root, fields = {} }: PayloadChanges): string {
  const text = readFileSync(join(PAYLOADS, file), "utf8").replaceAll(
    RECORDED_DIRECTORY,
    // As it stands inside a JSON string.
    () => JSON.stringify(root).slice(1, -1),
  );
  const payload = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ ...payload, ...fields });
}

export interface HookCall extends Partial<Pick<RunOptions, "keepOpen" | "stdin">> {
  /** The event that the command line names. */
  event: string;
  /** What the command line names; Claude Code when absent. */
  provider?: string;
  input: string | Buffer;
  /** Where the provider starts the hook; the repository when absent. */
  directory?: string;
  environment?: Readonly<Record<string, string | undefined>>;
}

export function startHook(place: Place, call: HookCall): Started {
  return startProgram(["hook", call.event, "--provider", call.provider ?? "claude-code"], {
    directory: call.directory ?? place.root,
    environment: { ...place.environment, ...call.environment },
    input: call.input,
    ...(call.keepOpen === undefined ? {} : { keepOpen: call.keepOpen }),
    ...(call.stdin === undefined ? {} : { stdin: call.stdin }),
  });
}

export function runHook(place: Place, call: HookCall): Promise<Run> {
  return startHook(place, call).end;
}

/** One event of Claude Code in a test's own words. */
export interface ClaudeEvent {
  /** The sample to send: `SessionStart`, `SessionEnd.logout`. */
  sample: string;
  session: string;
  /** The work tree; the place's own when absent. */
  root?: string;
  fields?: Readonly<Record<string, unknown>>;
  /** The provider's own process. */
  pid?: number;
  directory?: string;
  environment?: Readonly<Record<string, string | undefined>>;
}

export function claudeCall(place: Place, event: ClaudeEvent): HookCall {
  const root = event.root ?? place.root;
  const { source, ...rest } = { source: undefined, ...event.fields };
  return {
    event: basename(event.sample).split(".")[0] ?? event.sample,
    input: samplePayload(`claude-code/${event.sample}.json`, {
      root,
      fields: { session_id: event.session, ...rest, ...(source === undefined ? {} : { source }) },
    }),
    directory: event.directory ?? root,
    environment: {
      ...(event.pid === undefined ? {} : { CLAUDE_PID: String(event.pid) }),
      ...event.environment,
    },
  };
}

export function startClaude(place: Place, event: ClaudeEvent): Started {
  return startHook(place, claudeCall(place, event));
}

export function claude(
  place: Place,
  sample: string,
  session: string,
  more: Omit<ClaudeEvent, "sample" | "session"> = {},
): Promise<Run> {
  return runHook(place, claudeCall(place, { sample, session, ...more }));
}
