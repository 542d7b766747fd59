import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import type { Ask } from "../ask.ts";

const SCHEME = "majordomus://";
const JSON_TYPE = "application/json";
const MARKDOWN_TYPE = "text/markdown";

/** Something that can be read by an address of its own: a reading of the registry, and how its answer is shown. */
interface ResourceKind {
  /** Behind the scheme; with `/` at its end when something is named behind it. */
  path: string;
  /** How what is named is written in a template. */
  variable?: string;
  name: string;
  title: string;
  /** The capability that answers. */
  id: string;
  /** What is asked of it, from what is named. */
  input: (named: string) => Record<string, unknown>;
  mimeType: string;
  /** The text of the answer; all of it as JSON where nothing is said. */
  text?: (answer: Readonly<Record<string, unknown>>) => string;
  /** How much a worker needs it, from 0 to 1. */
  priority: number;
}

const nothing = (): Record<string, unknown> => ({});

function lifecycle(name: string, title: string, priority: number): ResourceKind {
  return {
    path: `lifecycle/${name}`,
    name: `lifecycle-${name}`,
    title,
    id: `lifecycle.${name}`,
    input: nothing,
    mimeType: JSON_TYPE,
    priority,
  };
}

/** Every resource; each stands for one reading of the registry. */
export const RESOURCES: readonly ResourceKind[] = [
  {
    path: "continuity",
    name: "continuity",
    title: "This checkout's episode, task, handover and blockers",
    id: "continuity.state",
    input: nothing,
    mimeType: JSON_TYPE,
    priority: 1,
  },
  lifecycle("episodes", "Every open episode", 0.7),
  lifecycle("recovery", "What can no longer close itself", 0.5),
  lifecycle("runtime", "The commit that answers are about", 0.3),
  lifecycle("providers", "The AI coding tools and their hooks", 0.3),
  lifecycle("closed", "The closed episodes", 0.5),
  {
    path: "server",
    name: "server",
    title: "Where the shared server stands",
    id: "server",
    input: nothing,
    mimeType: JSON_TYPE,
    priority: 0.2,
  },
  {
    path: "session/",
    variable: "id",
    name: "session",
    title: "The record of a closed episode",
    id: "session.show",
    input: (named) => ({ session_id: named }),
    mimeType: JSON_TYPE,
    priority: 0.6,
  },
  {
    path: "knowledge/",
    variable: "id",
    name: "knowledge",
    title: "A knowledge record with its evidence",
    id: "knowledge.show",
    input: (named) => ({ id: named }),
    mimeType: JSON_TYPE,
    priority: 0.6,
  },
  {
    path: "document/",
    variable: "+path",
    name: "document",
    title: "A Markdown document of the layer, by its path in the repository",
    id: "record.read",
    input: (named) => ({ path: named }),
    mimeType: MARKDOWN_TYPE,
    text: ({ text }) => String(text),
    priority: 0.4,
  },
];

function annotationsOf({ priority }: ResourceKind): { audience: ["assistant"]; priority: number } {
  return { audience: ["assistant"], priority };
}

/** What can be read without naming anything. */
export function listResources(): Resource[] {
  return RESOURCES.filter(({ variable }) => variable === undefined).map((kind) => ({
    uri: `${SCHEME}${kind.path}`,
    name: kind.name,
    title: kind.title,
    mimeType: kind.mimeType,
    annotations: annotationsOf(kind),
  }));
}

/** What can be read when its id or path is named. */
export function listTemplates(): ResourceTemplateType[] {
  return RESOURCES.flatMap((kind) =>
    kind.variable === undefined
      ? []
      : [
          {
            uriTemplate: `${SCHEME}${kind.path}{${kind.variable}}`,
            name: kind.name,
            title: kind.title,
            mimeType: kind.mimeType,
            annotations: annotationsOf(kind),
          },
        ],
  );
}

function decoded(named: string): string | undefined {
  try {
    return decodeURIComponent(named);
  } catch {
    return undefined;
  }
}

/** The reading that an address stands for; undefined for one that is no resource. */
function locate(uri: string): { kind: ResourceKind; named: string } | undefined {
  if (!uri.startsWith(SCHEME)) return undefined;
  const path = uri.slice(SCHEME.length);
  for (const kind of RESOURCES) {
    if (kind.variable === undefined) {
      if (path === kind.path) return { kind, named: "" };
    } else if (path.startsWith(kind.path) && path.length > kind.path.length) {
      const named = decoded(path.slice(kind.path.length));
      return named === undefined ? undefined : { kind, named };
    }
  }
  return undefined;
}

/** What reading a resource gives: its contents, or why there are none. */
export type ResourceReading = { ok: true; result: ReadResourceResult } | { ok: false; reason: string };

/** Reads a resource, by asking the capability that it stands for. */
export async function readResource(ask: Ask, uri: string, signal: AbortSignal): Promise<ResourceReading> {
  const located = locate(uri);
  if (located === undefined) return { ok: false, reason: `${uri}: is no resource of this server` };
  const { kind, named } = located;
  const answer = await ask(kind.id, kind.input(named), { signal });
  if (!answer.ok) return { ok: false, reason: `${uri}: ${answer.error.message}` };
  const text =
    kind.text?.(answer.value as Readonly<Record<string, unknown>>) ?? JSON.stringify(answer.value, null, 2);
  return { ok: true, result: { contents: [{ uri, mimeType: kind.mimeType, text }] } };
}
