import { join } from "node:path";
import { commonPaths } from "../../core/checkout/common.ts";
import { readEdited, readSettings } from "../../core/installation/settings-file.ts";
import { carryOut } from "./carry-out.ts";
import type { FileChange } from "./carry-out.ts";
import { installing, NOTHING_MADE, unchanged, undoing } from "./edit.ts";
import type { FileEdit } from "./edit.ts";
import { isAsWritten, originalOf, readInstalled } from "./installed-record.ts";
import { mergeMcpEntry, removeMcpEntry } from "./mcp-entry.ts";
import type { McpEntry } from "./mcp-entry.ts";

/** Where clients that read JSON look for a repository's servers of MCP, relative to it (providers.md 5, records.md 16). */
export const MCP_FILES = {
  "claude-code": ".mcp.json",
  gemini: ".gemini/settings.json",
} as const;

/** A client whose configuration is written. */
export type McpClient = keyof typeof MCP_FILES;

export interface McpTarget {
  client: McpClient;
  /** The top level of the worktree. */
  root: string;
  commonDirectory: string;
  entry: McpEntry;
}

const EMPTY = "{}\n";

function planInstall({ client, root, commonDirectory, entry }: McpTarget): FileEdit {
  const path = join(root, MCP_FILES[client]);
  const file = readEdited(path);
  const { mark, text } = readSettings(path, file.bytes ?? Buffer.from(EMPTY));
  const after = Buffer.from(mark + mergeMcpEntry(path, text, entry));
  if (file.bytes?.equals(after) === true) return unchanged(file);
  const record = readInstalled(commonPaths(commonDirectory).installed, path);
  const original =
    record !== undefined && isAsWritten(record, file.bytes)
      ? originalOf(record)
      : file.bytes && Buffer.from(mark + removeMcpEntry(text));
  return installing(file, after, { original, made: NOTHING_MADE, earlier: record });
}

function planUninstall({ client, root, commonDirectory }: McpTarget): FileEdit {
  const path = join(root, MCP_FILES[client]);
  const file = readEdited(path);
  const record = readInstalled(commonPaths(commonDirectory).installed, path);
  if (file.bytes === undefined) return undoing(file, undefined, "changed", record);
  if (record !== undefined && isAsWritten(record, file.bytes)) {
    return undoing(file, originalOf(record), "restored", record);
  }
  const { mark, text } = readSettings(path, file.bytes);
  const after = Buffer.from(mark + removeMcpEntry(text));
  if (after.equals(file.bytes)) return { ...unchanged(file), record: "drop" };
  return undoing(file, after, "changed", record);
}

/**
 * Has a client start our server of MCP in this repository: one entry is merged into its configuration, and nothing
 * else there changes. Doing it again changes nothing.
 *
 * @throws MajordomusError 10 for a configuration that cannot be edited safely, 15 for another program's entry.
 */
export function installMcp(target: McpTarget): FileChange[] {
  return carryOut(target.commonDirectory, () => [planInstall(target)]);
}

/** Undoes that: former bytes where the file is as we left it, else our entry alone is taken out. */
export function uninstallMcp(target: McpTarget): FileChange[] {
  return carryOut(target.commonDirectory, () => [planUninstall(target)]);
}
