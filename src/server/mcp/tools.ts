import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import { toolOf } from "../../core/capabilities/address.ts";
import { errorOfAnswer } from "../../core/capabilities/answer.ts";
import type { Capability } from "../../core/capabilities/capability.ts";
import { describeCapability } from "../../core/capabilities/describe.ts";
import { CAPABILITIES } from "../../core/capabilities/registry.ts";
import type { Ask, AskOptions } from "../ask.ts";
import type { ClientMemory } from "./client-memory.ts";

/** The argument by which a caller that has no session says for which episode it asks. */
export const EPISODE_ARGUMENT = "as_episode";

/** Where the facts of a failure stand in a result, for programs. */
export const FAILURE_KEY = "majordomus/failure";

const EPISODE_SCHEMA = {
  type: "string",
  minLength: 1,
  maxLength: 128,
  description:
    "The open episode (s-…) on whose behalf this is asked; the checkout's current one when absent. " +
    "majordomus_lifecycle_episodes lists them.",
};

/** Every capability takes and answers an object; the registry's tests hold them to it. */
type ObjectSchema = Tool["inputSchema"];

function descriptionOf({ title, effect, nature = {}, id }: Capability): string {
  const kind = effect === "read" ? "Reads only." : "Writes.";
  const beyond = nature.outside === true ? " Reaches beyond this machine's checkout." : "";
  return `${title}. ${kind}${beyond} The same as \`majordomus run ${id}\`.`;
}

/** A capability as MCP describes a tool; all four hints stand, because their defaults are the worst. */
export function toolFor(capability: Capability): Tool {
  const { title, effect, nature = {} } = capability;
  const { input, output } = describeCapability(capability);
  const { properties = {}, ...takes } = input as ObjectSchema;
  return {
    name: toolOf(capability),
    title,
    description: descriptionOf(capability),
    inputSchema: { ...takes, properties: { ...properties, [EPISODE_ARGUMENT]: EPISODE_SCHEMA } },
    outputSchema: output as ObjectSchema,
    annotations: {
      title,
      readOnlyHint: effect === "read",
      destructiveHint: nature.destructive === true,
      idempotentHint: effect === "read" || nature.idempotent === true,
      openWorldHint: nature.outside === true,
    },
  };
}

let listed: readonly Tool[] | undefined;

/** Every capability as a tool; made once, because clients list before they ask. */
export function listTools(): readonly Tool[] {
  listed ??= CAPABILITIES.map(toolFor);
  return listed;
}

/** The capability that a tool's name stands for. */
export function capabilityOfTool(name: string): Capability | undefined {
  return CAPABILITIES.find((capability) => toolOf(capability) === name);
}

/** Whether a capability takes the handle of who asks. */
function takesHandle(capability: Capability): boolean {
  const { properties = {} } = describeCapability(capability).input as ObjectSchema;
  return Object.hasOwn(properties, "peer");
}

export interface CallOptions extends Pick<AskOptions, "onProgress"> {
  signal: AbortSignal;
  memory: ClientMemory;
  /** Calls `then` where the answer is known not to have reached the client. */
  ifLost: (then: () => void) => void;
}

/**
 * Calls a tool: the answer as structure and as the same text, a failure as a result that says what, where and
 * what to do. An episode that is named is remembered once a call for it went well.
 */
export async function callTool(
  ask: Ask,
  capability: Capability,
  arguments_: Readonly<Record<string, unknown>>,
  { memory, ifLost, ...asked }: CallOptions,
): Promise<CallToolResult> {
  const { [EPISODE_ARGUMENT]: named, ...given } = arguments_;
  const episode = typeof named === "string" ? named : memory.episode;
  const { handle } = memory;
  const input = handle !== undefined && takesHandle(capability) ? { peer: handle, ...given } : given;
  const answer = await ask(capability.id, input, { ...asked, ...(episode === undefined ? {} : { episode }) });
  if (!answer.ok) {
    const error = errorOfAnswer(answer.error);
    return {
      isError: true,
      content: [{ type: "text", text: error.line }],
      _meta: { [FAILURE_KEY]: answer.error },
    };
  }
  if (answer.lost !== undefined) {
    // Of a call that was cancelled the kit sends no answer.
    if (asked.signal.aborted) answer.lost();
    else ifLost(answer.lost);
  }
  if (episode !== undefined) memory.episode = episode;
  const structuredContent = answer.value as Record<string, unknown>;
  return { structuredContent, content: [{ type: "text", text: JSON.stringify(structuredContent) }] };
}
