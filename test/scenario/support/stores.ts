import { lstatSync, readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/**
 * Reads what the program left on disk, by means of its own: what these tests say of the stores must not rest
 * on the readers that they judge.
 */

export type Fields = Readonly<Record<string, string>>;

export interface Line {
  ts: string;
  event: string;
  session?: string;
  [field: string]: unknown;
}

export interface Receipt {
  id: string;
  provider: string;
  declared?: string;
  event: string;
  session?: string;
  source?: string;
  phase: "received" | "outcome";
  steps?: { step: string; result: string; ms: number; reason?: string }[];
}

export interface Registered {
  session_id: string;
  provider: string;
  raw_id: string;
  key: string;
  worktree: string;
  worktree_id: string;
  started_at: string;
  ended?: string;
  end_reason?: string;
  continues?: { session_id: string; evidence: string };
  process?: { pid: number };
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}

function text(path: string): string {
  return readFileSync(path, "utf8");
}

/** Top-level `key: value` lines, quotes cut. */
function fieldsOf(source: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const line of source.split("\n")) {
    const match = /^([a-z_]+):\s*(.*)$/.exec(line);
    if (match?.[1] !== undefined) fields[match[1]] = (match[2] ?? "").replace(/^"(.*)"$/, "$1");
  }
  return fields;
}

function frontMatter(source: string): { fields: Record<string, string>; lists: Record<string, string[]> } {
  const head = source.split("\n---\n")[0] ?? "";
  const lists: Record<string, string[]> = {};
  let list: string | undefined;
  for (const line of head.split("\n")) {
    const item = /^ {2}- (.*)$/.exec(line);
    if (item && list !== undefined) (lists[list] ??= []).push((item[1] ?? "").replace(/^"(.*)"$/, "$1"));
    else list = /^([a-z_]+):/.exec(line)?.[1];
  }
  return { fields: fieldsOf(head), lists };
}

function jsonLines<Value>(path: string): Value[] {
  try {
    return text(path)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Value);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw new Error(`${path}: ${String(error)}`, { cause: error });
  }
}

function jsonFiles<Value>(directory: string): Value[] {
  return (
    names(directory)
      // What was no registration is kept under such a name.
      .filter((name) => name.endsWith(".json") && !name.endsWith("~damaged.json"))
      .map((name) => JSON.parse(text(join(directory, name))) as Value)
  );
}

/** Archives of one second have the names `…Z`, `…Z-2`, `…Z-3`. */
function archiveOrder(name: string): string {
  const [, time = "", number = "1"] = /^ledger\.(\w+)(?:-(\d+))?\./.exec(name) ?? [];
  return `${time} ${number.padStart(9, "0")}`;
}

/** The stores of one work tree. */
export interface Stores {
  /** Open files by key. */
  open: ReadonlyMap<string, Fields>;
  /** Where the pointer leads; undefined where there is none. */
  pointer: string | undefined;
  /** Lines of archives and ledger, oldest first. */
  ledger: readonly Line[];
  contexts: readonly { name: string; text: string }[];
  records: readonly {
    name: string;
    text: string;
    fields: Fields;
    lists: Readonly<Record<string, string[]>>;
  }[];
  /** Half-written files of any kind. */
  temporaries: readonly string[];
}

export function readStores(root: string): Stores {
  const state = join(root, ".ai/local/state");
  const openDirectory = join(state, "sessions-open");
  const records = join(root, ".ai/repo/sessions");
  const contexts = join(root, ".ai/local/session-contexts");
  const pointer = join(state, "session-current.yaml");
  const archives = names(state)
    .filter((name) => name.endsWith(".jsonl.archived"))
    .toSorted((a, b) => (archiveOrder(a) < archiveOrder(b) ? -1 : 1));
  return {
    open: new Map(
      names(openDirectory)
        .filter((name) => name.endsWith(".yaml"))
        .map((name) => [name.slice(0, -5), fieldsOf(text(join(openDirectory, name)))]),
    ),
    pointer: lstatSync(pointer, { throwIfNoEntry: false })?.isSymbolicLink()
      ? readlinkSync(pointer)
      : undefined,
    ledger: [...archives, "ledger.jsonl"].flatMap((name) => jsonLines<Line>(join(state, name))),
    contexts: names(contexts)
      .filter((name) => !name.startsWith("."))
      .map((name) => ({ name, text: text(join(contexts, name)) })),
    records: names(records)
      .filter((name) => name !== "README.md" && !name.startsWith("."))
      .map((name) => {
        const source = text(join(records, name));
        return { name, text: source, ...frontMatter(source) };
      }),
    temporaries: [state, openDirectory, records, contexts, join(state, "locks")].flatMap((directory) =>
      names(directory)
        .filter((name) => name.startsWith(".tmp.") || name.includes(".mj-"))
        .map((name) => join(directory, name)),
    ),
  };
}

/** Our own state, which all worktrees of a repository share. */
export interface Common {
  registrations: readonly Registered[];
  ended: readonly Registered[];
  receipts: readonly Receipt[];
  /** Ids of shadow journals that are kept, and of those put away. */
  shadows: readonly string[];
  shadowsAway: readonly string[];
  spool: readonly string[];
  unusable: readonly string[];
  locks: readonly string[];
}

export function readCommon(commonDirectory: string): Common {
  const root = join(commonDirectory, "majordomus");
  const ids = (directory: string): string[] =>
    names(directory)
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => name.slice(0, -6));
  return {
    registrations: jsonFiles<Registered>(join(root, "episodes")),
    ended: jsonFiles<Registered>(join(root, "ended")),
    receipts: names(join(root, "events")).flatMap((name) => jsonLines<Receipt>(join(root, "events", name))),
    shadows: ids(join(root, "journal")),
    shadowsAway: ids(join(root, "journal/closed")),
    spool: names(join(root, "spool")).filter((name) => name.endsWith(".json")),
    unusable: names(join(root, "spool/unusable")),
    locks: names(join(root, "locks")),
  };
}

/** The stores of a main work tree and its repository's own state together. */
export function readAll(root: string): Stores & Common {
  return { ...readStores(root), ...readCommon(join(root, ".git")) };
}

/** How many lines of each event of a session's life; what was derived from the work is another matter. */
export function countEvents(lines: readonly Line[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { event } of lines) {
    if (/^(?:session|provider)\./.test(event)) counts[event] = (counts[event] ?? 0) + 1;
  }
  return counts;
}

/** The outcome lines of one provider session, oldest first. */
export function outcomesOf(receipts: readonly Receipt[], session: string): Receipt[] {
  return receipts.filter((receipt) => receipt.phase === "outcome" && receipt.session === session);
}

/** The outcome of the one event of this name in a provider session. */
export function outcomeOf(receipts: readonly Receipt[], session: string, event: string): Receipt | undefined {
  return outcomesOf(receipts, session).find((receipt) => receipt.event === event);
}

/** What a step of one outcome came to. */
export function resultOf(receipt: Receipt | undefined, step: string): string | undefined {
  return receipt?.steps?.find((outcome) => outcome.step === step)?.result;
}
