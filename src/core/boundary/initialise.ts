import { join, posix } from "node:path";
import { EXIT, MajordomusError, errnoOf } from "../base/error.ts";
import { appendLines } from "../fs/append.ts";
import { canonicalPath } from "../fs/contain.ts";
import { readText, stampOf } from "../fs/read.ts";
import { createExclusive, makeDirectory } from "../fs/write.ts";
import { loadSettings } from "../policy/load.ts";
import type { Manifest } from "../policy/manifest.ts";
import { defaultManifestText, parseManifest } from "../policy/manifest.ts";
import { defaultPolicyText } from "../policy/policy-text.ts";
import { defaultProfileTexts } from "../policy/profile-texts.ts";
import { formatContextDocument } from "../records/context-document.ts";
import { planMemory } from "./initial-memory.ts";
import {
  LAYER_PURPOSE,
  PROMPT_TEXTS,
  SECTION_PURPOSES,
  STATE_DIRECTORIES,
  STATE_FILES,
  SUBSECTION_PURPOSES,
  SUBSECTIONS,
} from "./initial-texts.ts";

export interface Initialised {
  /** Files and directories that were made, relative to the root, in order. */
  written: string[];
}

/** Something that a complete layer has, by its path relative to the root. */
type Part = { path: string; text: string; durable?: boolean } | { path: string; directory: true };

const MAXIMUM_SOURCE_BYTES = 1024 * 1024;

/**
 * Lays a layer into a working copy: manifest, sections, policy, profiles, prompts, the local half, and one
 * line in `.gitignore` (decisions.md 4). What exists is never changed, and nothing is committed. The
 * manifest comes last, so that a layer is there or not.
 *
 * @param root the work tree's top level, canonical.
 * @param options.memoryRoot where memory shall lie; the private half of the layer when nothing else has it.
 * @throws MajordomusError 15 when `.ai/` exists and is not to be extended, or leads out of the work tree, or
 *   for a memory root that cannot be used; 12 for the legacy layout; 10 for a manifest that cannot be read.
 */
export async function initialiseLayer(
  root: string,
  { extend, memoryRoot }: { extend: boolean; memoryRoot?: string },
): Promise<Initialised> {
  const layer = join(root, ".ai");
  const exists = stampOf(layer) !== undefined;
  if (exists && !extend) {
    throw refused(layer, "exists already", "`majordomus init --extend` adds what is missing");
  }
  const memory = planMemory(root, memoryRoot);
  const manifest = (exists ? await presentManifest(layer) : undefined) ?? (await defaultManifest(layer));
  const written = [...partsOf(manifest), ...memory].flatMap((part) =>
    addPart(root, part) ? [part.path] : [],
  );
  if (ignoreLocalHalf(root, `.ai/${manifest.local.path}`)) written.push(".gitignore");
  const registry = { path: ".ai/manifest.yaml", text: defaultManifestText(), durable: true };
  if (addPart(root, registry)) written.push(registry.path);
  return { written };
}

function refused(subject: string, message: string, remedy: string): MajordomusError {
  return new MajordomusError({ code: "layer.refused", exit: EXIT.refused, subject, message, remedy });
}

/** The manifest of a layer that is to be extended; its own section paths count. */
async function presentManifest(layer: string): Promise<Manifest | undefined> {
  const path = join(layer, "manifest.yaml");
  const text = readText(path, { maximumBytes: MAXIMUM_SOURCE_BYTES });
  if (!text.ok && text.error.kind === "absent") return undefined;
  const { parseYaml } = await import("../text/yaml.ts");
  const parsed = text.ok ? parseYaml(text.value) : { ok: false as const, error: text.error.message };
  if (parsed.ok) return parseManifest(parsed.value, path);
  throw new MajordomusError({
    code: "manifest.unreadable",
    exit: EXIT.finding,
    subject: path,
    message: parsed.error,
  });
}

async function defaultManifest(layer: string): Promise<Manifest> {
  await refuseLegacyLayout(layer);
  const { parseYaml } = await import("../text/yaml.ts");
  const parsed = parseYaml(defaultManifestText());
  return parseManifest(parsed.ok ? parsed.value : undefined, "manifest.yaml");
}

async function refuseLegacyLayout(layer: string): Promise<void> {
  try {
    await loadSettings(layer, undefined);
  } catch (error) {
    if (error instanceof MajordomusError && error.code === "layout.legacy") throw error;
  }
}

/** A context document in a directory of the layer; the id spells the directory. */
function contextDocument(directory: string, title: string, description: string): Part {
  const id = directory.replace(/^\.ai/u, "ai").replaceAll("/", ".");
  return {
    path: posix.join(directory, "README.md"),
    text: formatContextDocument({ id, title, description }),
  };
}

function sectionParts(section: string, directory: string): Part[] {
  const purpose = SECTION_PURPOSES[section];
  if (purpose === undefined) return [];
  const below = (SUBSECTIONS[section] ?? []).map((name): Part => {
    const [title, description] = SUBSECTION_PURPOSES[name] ?? [name, name];
    return contextDocument(posix.join(directory, name), title, description);
  });
  return [contextDocument(directory, ...purpose), ...below];
}

function localParts(manifest: Manifest): Part[] {
  const local = posix.join(".ai", manifest.local.path);
  const state = posix.join(local, "state");
  return [
    { path: posix.join(local, "session-contexts"), directory: true },
    ...STATE_DIRECTORIES.map((name): Part => ({ path: posix.join(state, name), directory: true })),
    ...Object.entries(STATE_FILES).map(([name, text]): Part => ({ path: posix.join(state, name), text })),
  ];
}

function partsOf(manifest: Manifest): Part[] {
  const place = (section: "policy" | "profiles" | "prompts"): string =>
    posix.join(".ai", manifest.sections[section]);
  const sections = Object.entries(manifest.sections).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return [
    contextDocument(".ai", LAYER_PURPOSE.title, LAYER_PURPOSE.description),
    ...sections.flatMap(([name, path]) => sectionParts(name, posix.join(".ai", path))),
    { path: place("policy"), text: defaultPolicyText() },
    ...[...defaultProfileTexts()].map(([name, text]): Part => ({
      path: posix.join(place("profiles"), `${name}.yaml`),
      text,
    })),
    ...Object.entries(PROMPT_TEXTS).map(([name, text]): Part => ({
      path: posix.join(place("prompts"), `${name}.md`),
      text,
    })),
    ...localParts(manifest),
  ];
}

/** @returns false when it was there already. */
function addPart(root: string, part: Part): boolean {
  const path = join(root, part.path);
  if (canonicalPath(path) !== path) {
    throw refused(path, "leads somewhere else through a link", "replace the link by a directory");
  }
  if ("directory" in part) {
    if (stampOf(path) !== undefined) return false;
    makeDirectory(path);
    return true;
  }
  makeDirectory(join(path, ".."));
  return createExclusive(path, part.text, { durable: part.durable ?? false });
}

/** Adds the one line that keeps the local half out of git, unless the file has it; other lines stand. */
function ignoreLocalHalf(root: string, local: string): boolean {
  const path = join(root, ".gitignore");
  const text = readText(path, { maximumBytes: MAXIMUM_SOURCE_BYTES });
  const lines = text.ok ? text.value.split(/\r?\n/u) : [];
  const spellings = [local, `${local}/`, `/${local}`, `/${local}/`];
  if (lines.some((line) => spellings.includes(line.trimEnd()))) return false;
  try {
    appendLines(path, [`${local}/`]);
    return true;
  } catch (error) {
    if (errnoOf(error) !== "ELOOP") throw error;
    throw refused(path, "is a link, which git does not read", `replace it by a file with the line ${local}/`);
  }
}
