import { join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { readText } from "../fs/read.ts";
import { refusal } from "./accept.ts";
import type { SettingsFile } from "./accept.ts";
import { parseManifest } from "./manifest.ts";
import { MAXIMUM_SOURCE_BYTES, noteSource } from "./parsed-cache.ts";
import type { Source } from "./parsed-cache.ts";
import { parsePolicy } from "./policy.ts";
import { parseProfile } from "./profile.ts";
import type { Profile } from "./profile.ts";
import type { Settings } from "./settings.ts";
import { parseSwitches } from "./switches.ts";

// A part of its own in the hooks' program: settings that did not change are not parsed.

/** What was parsed, and how its files looked before they were read. */
export interface Parsed<Value> {
  value: Value;
  sources: Source[];
}

/** Parses manifest, policy and switches; throws as `loadSettings` does. */
export async function parseSettings(aiDirectory: string, manifestPath: string): Promise<Parsed<Settings>> {
  const sources: Source[] = [];
  const manifest = parseManifest(
    await readFields({ kind: "manifest", path: manifestPath }, sources),
    manifestPath,
  );
  const policyPath = join(aiDirectory, manifest.sections.policy);
  const switchesPath = join(aiDirectory, manifest.repo.path, "majordomus.yaml");
  const policy = parsePolicy(await readFields({ kind: "policy", path: policyPath }, sources), policyPath);
  const fields = await readFields({ kind: "switches", path: switchesPath }, sources, true);
  return { value: { manifest, policy, switches: parseSwitches(fields, switchesPath) }, sources };
}

/** Parses one profile; throws as `loadProfile` does. */
export async function parseProfileFile(path: string): Promise<Parsed<Profile>> {
  const sources: Source[] = [];
  const value = parseProfile(await readFields({ kind: "profile", path }, sources), path);
  return { value, sources };
}

/** Reads the fields of one file, and notes first how the file looks. */
async function readFields(file: SettingsFile, sources: Source[], optional = false): Promise<unknown> {
  sources.push(noteSource(file.path));
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
