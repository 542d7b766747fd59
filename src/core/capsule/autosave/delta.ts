import { clip } from "../../text/inert.ts";
import { flatten } from "../quote.ts";
import { ClaimBook } from "./claims.ts";
import { classifyText, isSubstantive } from "./speaker.ts";
import type { Utterance } from "./speaker.ts";

/** One line for a section, and the time of day that it belongs to, if its row told one. */
export interface Moment {
  text: string;
  /** Milliseconds since the epoch; undefined where the row did not say. */
  at: number | undefined;
}

/** What a stretch of a transcript holds, bounded however long it is. */
export interface Delta {
  /** The newest first request of a person that can stand as an objective, and the very first. */
  latestRequest: string | undefined;
  /** When that was said, in milliseconds since the epoch; undefined where its row did not say. */
  requestedAt: number | undefined;
  firstRequest: string | undefined;
  /** Oldest first, the newest twelve. */
  utterances: Moment[];
  errors: Moment[];
  read: string[];
  modified: string[];
  claims: string[];
  /** Claimed in an earlier stretch, by a claim that turned out to have failed. */
  retracted: string[];
  lastAssistant: Moment | undefined;
  /** What the bounds left out: words, errors, uses of files and claims, each time that it happened. */
  dropped: { utterances: number; errors: number; files: number; claims: number };
  /** The conversation was taken before, and is read once more: what is counted is counted already. */
  again: boolean;
}

/** Nothing at all. */
export const NO_DELTA: Readonly<Delta> = {
  latestRequest: undefined,
  requestedAt: undefined,
  firstRequest: undefined,
  utterances: [],
  errors: [],
  read: [],
  modified: [],
  claims: [],
  retracted: [],
  lastAssistant: undefined,
  dropped: { utterances: 0, errors: 0, files: 0, claims: 0 },
  again: false,
};

const REQUEST_CHARACTERS = 300;
const UTTERANCE_CHARACTERS = 240;
const ERROR_CHARACTERS = 200;
const ASSISTANT_CHARACTERS = 240;
const PATH_CHARACTERS = 240;
const CLAIM_CHARACTERS = 160;
const MOST_UTTERANCES = 12;
const MOST_ERRORS = 20;
const MOST_PATHS = 200;

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The text blocks of a message's content, or the content itself where it is a text. */
function textsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown) =>
    isFields(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
}

const READERS: ReadonlySet<string> = new Set(["Read", "Grep", "Glob"]);
const EDITORS: ReadonlySet<string> = new Set(["Edit", "Write", "MultiEdit", "NotebookEdit"]);

/** Origins of a turn that are a person's, or a program's in a person's name. */
const HUMAN_ORIGINS: ReadonlySet<string> = new Set(["human", "user", "sdk"]);

/** Who made a row, as it says itself: a person who typed it, or somebody else. */
type Maker = "typed" | "foreign";

function makerOf(row: Fields): Maker | undefined {
  const origins = [row["turnOrigin"], row["origin"]].map((origin) =>
    isFields(origin) ? origin["kind"] : origin,
  );
  const foreign = origins.some((origin) => typeof origin === "string" && !HUMAN_ORIGINS.has(origin));
  if (foreign || row["rowSource"] === "harness" || row["promptSource"] === "system") return "foreign";
  return row["promptSource"] === "typed" || origins.includes("human") ? "typed" : undefined;
}

/** Collects what rows of a transcript tell, row by row; no row is required to be of any form. */
export class DeltaCollector {
  readonly #utterances: Moment[] = [];
  readonly #errors: Moment[] = [];
  readonly #read = new Set<string>();
  readonly #modified = new Set<string>();
  readonly #claims: ClaimBook;
  readonly #dropped = { utterances: 0, errors: 0, files: 0 };
  #latest: string | undefined;
  #latestAt: number | undefined;
  #first: string | undefined;
  #assistant: Moment | undefined;

  constructor(claims: ClaimBook = new ClaimBook(new Map(), false)) {
    this.#claims = claims;
  }

  /** Takes one row, as its JSON value; whatever is not of use is passed over. */
  take(row: unknown): void {
    if (!isFields(row) || row["isSidechain"] === true || row["isMeta"] === true) return;
    const at = typeof row["timestamp"] === "string" ? Date.parse(row["timestamp"]) : Number.NaN;
    const time = Number.isNaN(at) ? undefined : at;
    if (row["type"] === "attachment") this.#takeQueued(row, row["attachment"], time);
    const message = row["message"];
    if (!isFields(message)) return;
    if (row["type"] === "user") this.#takeUser(row, message["content"], time);
    else if (row["type"] === "assistant") this.#takeAssistant(row, message, time);
  }

  #takeUser(row: Fields, content: unknown, at: number | undefined): void {
    if (Array.isArray(content)) for (const block of content) this.#takeResult(block, at);
    // A compaction's summary and what only the reader of a transcript sees are nobody's words.
    if (row["isCompactSummary"] === true || row["isVisibleInTranscriptOnly"] === true) return;
    const maker = makerOf(row);
    for (const text of textsOf(content)) {
      const said = this.#hear(text, maker, at);
      if (said === undefined || !isSubstantive(said)) continue;
      this.#latest = clip(said.text, REQUEST_CHARACTERS);
      this.#latestAt = at;
      this.#first ??= this.#latest;
    }
  }

  /** What a person typed while the model was at work: it adds to the request, and is none of its own. */
  #takeQueued(row: Fields, attachment: unknown, at: number | undefined): void {
    if (!isFields(attachment) || attachment["type"] !== "queued_command") return;
    if (attachment["commandMode"] !== "prompt" || attachment["isMeta"] === true) return;
    const foreign = makerOf(row) === "foreign" || makerOf(attachment) === "foreign";
    for (const text of textsOf(attachment["prompt"])) this.#hear(text, foreign ? "foreign" : "typed", at);
  }

  /** Takes one text into the lines, and tells whose it is; undefined where it is nobody's. */
  #hear(text: string, maker: Maker | undefined, at: number | undefined): Utterance | undefined {
    const spoken = classifyText(text, maker === "typed");
    if (spoken === undefined) return undefined;
    const said =
      maker === "foreign" && spoken.human ? { ...spoken, tag: "INJECT:harness", human: false } : spoken;
    const line = clip(`[${said.tag}] ${said.text}`, UTTERANCE_CHARACTERS);
    this.#dropped.utterances += push(this.#utterances, { text: line, at }, MOST_UTTERANCES);
    return said;
  }

  #takeResult(block: unknown, at: number | undefined): void {
    if (!isFields(block) || block["type"] !== "tool_result") return;
    const failed = block["is_error"] === true;
    this.#claims.result(block["tool_use_id"], failed);
    if (!failed) return;
    const text = flatten(textsOf(block["content"]).join(" ")) || "(an error without a text)";
    this.#dropped.errors += push(this.#errors, { text: clip(text, ERROR_CHARACTERS), at }, MOST_ERRORS);
  }

  #takeAssistant(row: Fields, message: Fields, at: number | undefined): void {
    const { content } = message;
    if (!Array.isArray(content)) return;
    for (const block of content) if (isFields(block) && block["type"] === "tool_use") this.#takeTool(block);
    if (message["model"] === "<synthetic>" || row["isApiErrorMessage"] === true) return;
    const text = flatten(textsOf(content).at(-1) ?? "");
    if (text !== "") this.#assistant = { text: clip(text, ASSISTANT_CHARACTERS), at };
  }

  #takeTool({ name, id, input }: Fields): void {
    this.#claims.call(id);
    if (typeof name !== "string" || !isFields(input)) return;
    const path = textOf(input["file_path"]) ?? textOf(input["notebook_path"]) ?? textOf(input["path"]);
    if (path !== undefined && EDITORS.has(name)) this.#addPath(this.#modified, path);
    else if (path !== undefined && READERS.has(name)) this.#addPath(this.#read, path);
    if (name !== "board_claim" && !name.endsWith("_board_claim")) return;
    const task = textOf(input["task_id"]);
    if (task !== undefined) this.#claims.claim(id, clip(flatten(task), CLAIM_CHARACTERS));
  }

  #addPath(paths: Set<string>, path: string): void {
    const shown = clip(flatten(path), PATH_CHARACTERS);
    if (paths.size < MOST_PATHS) paths.add(shown);
    else if (!paths.has(shown)) this.#dropped.files += 1;
  }

  /** What was collected. */
  delta(): Delta {
    return {
      latestRequest: this.#latest,
      requestedAt: this.#latestAt,
      firstRequest: this.#first,
      utterances: this.#utterances,
      errors: this.#errors,
      read: [...this.#read].filter((path) => !this.#modified.has(path)),
      modified: [...this.#modified],
      claims: this.#claims.claims(),
      retracted: this.#claims.retracted(),
      lastAssistant: this.#assistant,
      dropped: { ...this.#dropped, claims: this.#claims.left },
      again: false,
    };
  }
}

/** Adds at the end of a bounded list; the oldest goes. @returns how many went. */
function push(list: Moment[], moment: Moment, most: number): number {
  list.push(moment);
  if (list.length <= most) return 0;
  list.shift();
  return 1;
}

/** Whether a stretch holds anything that a capsule could tell. */
export function isEmpty(delta: Delta): boolean {
  const { utterances, errors, read, modified, claims, retracted, lastAssistant } = delta;
  return (
    lastAssistant === undefined &&
    [utterances, errors, read, modified, claims, retracted].every((list) => list.length === 0)
  );
}
