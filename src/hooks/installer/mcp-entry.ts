import { EXIT, MajordomusError } from "../../core/base/error.ts";
import { memberOf, parseJson, valueOf } from "../../core/installation/json-tree.ts";
import type { ObjectNode } from "../../core/installation/json-tree.ts";
import { appendMember, removeChild, replaceNode } from "../../core/installation/json-edit.ts";

const SERVERS = "mcpServers";
const NAME = "majordomus";

/** How a client starts our server of MCP. */
export interface McpEntry {
  command: string;
  args: string[];
}

function rootOf(text: string): ObjectNode | undefined {
  const parsed = parseJson(text);
  return parsed.ok && parsed.value.kind === "object" ? parsed.value : undefined;
}

/** Whether an entry starts our program, wherever it lies. */
function startsUs(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  const { command, args } = entry as { command?: unknown; args?: unknown };
  const words = [command, ...(Array.isArray(args) ? args : [])];
  const at = words.findIndex(
    (word) => typeof word === "string" && /(?:^|[\\/])majordomus(?:-cli)?$/u.test(word),
  );
  return at !== -1 && words[at + 1] === "mcp";
}

function refuse(path: string, message: string, remedy: string): MajordomusError {
  return new MajordomusError({ code: "mcp.entry", exit: EXIT.refused, subject: path, message, remedy });
}

/**
 * The text of a client's configuration with our server among its own.
 *
 * @throws MajordomusError 15 where `majordomus` is another program's entry, or the servers are no object.
 */
export function mergeMcpEntry(path: string, text: string, entry: McpEntry): string {
  const root = rootOf(text);
  const servers = root && memberOf(root, SERVERS)?.value;
  if (root === undefined || (servers !== undefined && servers.kind !== "object")) {
    throw refuse(path, `${SERVERS} is not an object`, "repair it by hand");
  }
  if (servers === undefined) return appendMember(text, root, SERVERS, { [NAME]: entry });
  const standing = memberOf(servers, NAME)?.value;
  if (standing === undefined) return appendMember(text, servers, NAME, entry);
  const value = valueOf(standing);
  if (!startsUs(value)) {
    throw refuse(path, `has a server ${NAME} that is not this program`, "give that one another name");
  }
  const same = JSON.stringify(value) === JSON.stringify(entry);
  return same ? text : replaceNode(text, standing, entry);
}

/** The text without our server; without an empty list of servers, too. Another program's entry stays. */
export function removeMcpEntry(text: string): string {
  const root = rootOf(text);
  const servers = root && memberOf(root, SERVERS)?.value;
  if (root === undefined || servers?.kind !== "object") return text;
  const at = servers.members.findIndex(({ key, value }) => key === NAME && startsUs(valueOf(value)));
  if (at === -1) return text;
  if (servers.members.length > 1) return removeChild(text, servers, at);
  return removeChild(
    text,
    root,
    root.members.findIndex(({ key }) => key === SERVERS),
  );
}
