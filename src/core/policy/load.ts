import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { sha256Hex } from "../base/id.ts";
import { readText, stampOf } from "../fs/read.ts";
import { refusal } from "./accept.ts";
import type { SettingsFile } from "./accept.ts";
import { Manifest, parseManifest } from "./manifest.ts";
import { MAXIMUM_SOURCE_BYTES, keepParsed, noteSource, recallParsed } from "./parsed-cache.ts";
import { Policy, parsePolicy } from "./policy.ts";
import { Profile, parseProfile } from "./profile.ts";
import { Switches, parseSwitches } from "./switches.ts";

const Settings = z.object({ manifest: Manifest, policy: Policy, switches: Switches });

/** How a layer wants to be kept: read once for a checkout. */
export type Settings = z.infer<typeof Settings>;

/**
 * Reads manifest, policy and switches of a layer. When none of them changed since the last time, their
 * parsed forms come from a cache and no YAML library is loaded.
 *
 * @param aiDirectory the `.ai` directory, absolute.
 * @param cacheDirectory where parsed forms may be kept; undefined: nowhere.
 * @throws MajordomusError 12 without a manifest or policy and for the legacy layout, 10 for settings that
 *   cannot be read, with the file and, for a fault of form, the line and column as its subject.
 */
export async function loadSettings(
  aiDirectory: string,
  cacheDirectory: string | undefined,
): Promise<Settings> {
  const manifestPath = join(aiDirectory, "manifest.yaml");
  if (stampOf(manifestPath) === undefined) throw absentManifest(aiDirectory, manifestPath);
  return throughCache(cacheFile(cacheDirectory, "settings", aiDirectory), Settings, async (read) => {
    const manifest = parseManifest(await read("manifest", manifestPath), manifestPath);
    const policyPath = join(aiDirectory, manifest.sections.policy);
    const switchesPath = join(aiDirectory, manifest.repo.path, "majordomus.yaml");
    const policy = parsePolicy(await read("policy", policyPath), policyPath);
    const switches = parseSwitches(await read("switches", switchesPath, { optional: true }), switchesPath);
    return { manifest, policy, switches };
  });
}

/**
 * Reads one profile of a layer, through the same kind of cache.
 *
 * @param name the profile's name: its file's stem.
 * @throws MajordomusError 12 when there is none of that name, 10 when it cannot be read.
 */
export async function loadProfile(
  aiDirectory: string,
  manifest: Manifest,
  name: string,
  cacheDirectory: string | undefined,
): Promise<Profile> {
  const directory = join(aiDirectory, manifest.sections.profiles);
  const path = join(directory, `${name}.yaml`);
  if (!/^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(name)) {
    throw new MajordomusError({
      code: "profile.name",
      exit: EXIT.missing,
      subject: name,
      message: "cannot be the name of a profile",
    });
  }
  return throughCache(cacheFile(cacheDirectory, "profile", path), Profile, async (read) =>
    parseProfile(await read("profile", path), path),
  );
}

function cacheFile(directory: string | undefined, kind: string, subject: string): string | undefined {
  return directory === undefined
    ? undefined
    : join(directory, `${kind}-${sha256Hex(subject).slice(0, 16)}.json`);
}

type ReadFields = (kind: string, path: string, options?: { optional: boolean }) => Promise<unknown>;

async function throughCache<Schema extends z.ZodMiniType>(
  cache: string | undefined,
  schema: Schema,
  compute: (read: ReadFields) => Promise<z.output<Schema>>,
): Promise<z.output<Schema>> {
  const recalled = cache === undefined ? undefined : recallParsed(cache, schema);
  if (recalled !== undefined) return recalled;
  const sources: ReturnType<typeof noteSource>[] = [];
  const value = await compute(async (kind, path, options) => {
    sources.push(noteSource(path));
    return readFields({ kind, path }, options?.optional ?? false);
  });
  if (cache !== undefined) keepParsed(cache, sources, value);
  return value;
}

async function readFields(file: SettingsFile, optional: boolean): Promise<unknown> {
  const text = readText(file.path, { maximumBytes: MAXIMUM_SOURCE_BYTES });
  if (!text.ok) {
    if (text.error.kind !== "absent") throw refusal(file, "unreadable", text.error.message);
    if (optional) return undefined;
    throw absent(file);
  }
  const { parseYaml } = await import("../text/yaml.ts");
  const parsed = parseYaml(text.value);
  if (parsed.ok) return parsed.value;
  throw refusal(positioned(file, parsed.error), "yaml", `is not YAML: ${parsed.error}`);
}

/** The library ends its messages with the place: it belongs to the subject, as editors read it. */
function positioned(file: SettingsFile, message: string): SettingsFile {
  const place = /at line (\d+), column (\d+)/.exec(message);
  return place === null ? file : { ...file, path: `${file.path}:${place[1]}:${place[2]}` };
}

function absent(file: SettingsFile): MajordomusError {
  return new MajordomusError({
    code: `${file.kind}.absent`,
    exit: EXIT.missing,
    subject: file.path,
    message: "there is no such file",
    remedy: "write what is missing with `majordomus init --extend`",
  });
}

function absentManifest(aiDirectory: string, manifestPath: string): MajordomusError {
  const legacy = join(dirname(aiDirectory), ".majordomus");
  if (stampOf(legacy) !== undefined && stampOf(join(legacy, "bin", "majordomus")) === undefined) {
    return new MajordomusError({
      code: "layout.legacy",
      exit: EXIT.missing,
      subject: legacy,
      message: "is the layout from before .ai",
      remedy: "convert it with the original program's `majordomus migrate`",
    });
  }
  return new MajordomusError({
    code: "manifest.absent",
    exit: EXIT.missing,
    subject: manifestPath,
    message: "no .ai/manifest.yaml",
    remedy: "make a layer with `majordomus init`",
  });
}
