import { dirname, join } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import { sha256Hex } from "../base/id.ts";
import { stampOf } from "../fs/read.ts";
import type { Manifest } from "./manifest.ts";
import type { Parsed } from "./parse-settings.ts";
import { keepParsed, recallParsed } from "./parsed-cache.ts";
import type { Profile } from "./profile.ts";
import type { Settings } from "./settings.ts";

/**
 * Reads manifest, policy and switches of a layer. When none of them changed since the last time, their
 * parsed forms come from a cache, and neither YAML nor a schema is loaded.
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
  return throughCache(cacheFile(cacheDirectory, "settings", aiDirectory), async () => {
    const { parseSettings } = await import("./parse-settings.ts");
    return parseSettings(aiDirectory, manifestPath);
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
  return throughCache(cacheFile(cacheDirectory, "profile", path), async () => {
    const { parseProfileFile } = await import("./parse-settings.ts");
    return parseProfileFile(path);
  });
}

function cacheFile(directory: string | undefined, kind: string, subject: string): string | undefined {
  return directory === undefined
    ? undefined
    : join(directory, `${kind}-${sha256Hex(subject).slice(0, 16)}.json`);
}

async function throughCache<Value>(
  cache: string | undefined,
  compute: () => Promise<Parsed<Value>>,
): Promise<Value> {
  // Kept by this build for these very files: it has the form that it was kept in.
  const recalled = (cache === undefined ? undefined : recallParsed(cache)) as Value | undefined;
  if (recalled !== undefined) return recalled;
  const { value, sources } = await compute();
  if (cache !== undefined) keepParsed(cache, sources, value);
  return value;
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
    remedy: "merge the branch that has a layer, or make one with `majordomus init`",
  });
}
