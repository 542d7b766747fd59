import { join } from "node:path";
import { LEFT_OUT, takeOneOf, takePlain, takeText } from "../base/plain-object.ts";
import type { PlainField } from "../base/plain-object.ts";
import { ok } from "../base/result.ts";
import type { Result } from "../base/result.ts";
import { listDirectory } from "../fs/read.ts";
import { parseFlat, plainOrQuoted, quoted } from "../text/flat-yaml.ts";
import * as z from "zod/mini";
import { admitFields, asObject, SessionId, takeMintedId, textOr, TreeState } from "./record-fields.ts";
import type { SkippedFile } from "./record-file.ts";
import { readRecordText } from "./record-file.ts";

const text = textOr("");

/** An open episode's file (records.md 3.1). Where a file does not say something, the text is empty. */
export const OpenEpisode = z.object({
  session_id: SessionId,
  started_at: text,
  owner: text,
  worker: z.optional(z.string()),
  provider: z.optional(z.string()),
  provider_session: z.optional(z.string()),
  /** The local repository id: the git common dir. */
  repository_id: text,
  worktree: text,
  /** `DETACHED` when no branch was checked out. */
  branch: text,
  /** `NONE` before the first commit. */
  start_head: text,
  start_working_tree: z.pipe(
    z.optional(TreeState),
    z.transform((state): TreeState | "" => state ?? ""),
  ),
});
export type OpenEpisode = z.infer<typeof OpenEpisode>;

const EMPTY = { instead: "" } as const;

/** The same fields in the same order, as a file has them that we or the original wrote. */
const PLAIN: readonly PlainField[] = [
  ["session_id", takeMintedId],
  ["started_at", takeText, EMPTY],
  ["owner", takeText, EMPTY],
  ["worker", takeText, LEFT_OUT],
  ["provider", takeText, LEFT_OUT],
  ["provider_session", takeText, LEFT_OUT],
  ["repository_id", takeText, EMPTY],
  ["worktree", takeText, EMPTY],
  ["branch", takeText, EMPTY],
  ["start_head", takeText, EMPTY],
  ["start_working_tree", takeOneOf("clean", "dirty"), EMPTY],
];

export interface OpenEpisodeFile {
  path: string;
  /** The file's name without its suffix: the key of its provider session. */
  key: string;
  episode: OpenEpisode;
}

const SUFFIX = ".yaml";

/** The name of an open episode's file. */
export function openEpisodeName(key: string): string {
  return `${key}${SUFFIX}`;
}

/** Writes an open episode's file, byte for byte as the original does. */
export function formatOpenEpisode(episode: OpenEpisode): string {
  const optional = (["worker", "provider", "provider_session"] as const).flatMap((key) => {
    const value = episode[key];
    return value === undefined ? [] : [`${key}: ${quoted(value)}`];
  });
  return [
    `session_id: ${plainOrQuoted(episode.session_id)}`,
    `started_at: ${plainOrQuoted(episode.started_at)}`,
    `owner: ${quoted(episode.owner)}`,
    ...optional,
    "# computed from git; never authored",
    `repository_id: ${plainOrQuoted(episode.repository_id)}`,
    `worktree: ${plainOrQuoted(episode.worktree)}`,
    `branch: ${plainOrQuoted(episode.branch)}`,
    `start_head: ${plainOrQuoted(episode.start_head)}`,
    `start_working_tree: ${plainOrQuoted(episode.start_working_tree)}`,
    "",
  ].join("\n");
}

/** Reads an open episode's text; unknown keys of local state are left alone. Fails naming the field. */
export function parseOpenEpisode(source: string): Result<OpenEpisode, string> {
  const fields = parseFlat(source);
  if (!fields.ok) return fields;
  const plain = takePlain(asObject(fields.value), PLAIN);
  return plain === undefined ? admitFields(OpenEpisode, fields.value) : ok(plain as OpenEpisode);
}

/** Reads one open episode's file; a link, a device or a file that does not parse is a failure with its reason. */
export function readOpenEpisode(path: string): Result<OpenEpisode, string> {
  const source = readRecordText(path);
  return source.ok ? parseOpenEpisode(source.value) : source;
}

/** Every open episode of a store by name, and every file there that is none, with its reason. */
export function listOpenEpisodes(directory: string): {
  episodes: OpenEpisodeFile[];
  findings: SkippedFile[];
} {
  const episodes: OpenEpisodeFile[] = [];
  const findings: SkippedFile[] = [];
  for (const name of listDirectory(directory)) {
    if (!name.endsWith(SUFFIX) || name.startsWith(".")) continue;
    const path = join(directory, name);
    const episode = readOpenEpisode(path);
    if (episode.ok) episodes.push({ path, key: name.slice(0, -SUFFIX.length), episode: episode.value });
    else findings.push({ path, reason: episode.error });
  }
  return { episodes, findings };
}
