import { isInjectionEcho } from "../content-gate.ts";
import { flatten } from "../quote.ts";
import { clip } from "../../text/inert.ts";

/** Whose words a user row of a transcript holds. */
export interface Utterance {
  /** `OPERATOR`, `RELAY:<name>`, `PEER:<id>`, `INJECT:harness` or `ATTACHMENT`. */
  tag: string;
  text: string;
  /** A person said it; everything else never becomes an objective. */
  human: boolean;
}

const LONGEST = 2000;

/** Wrappers that a harness puts around its own words, to their closer or to the end of the text. */
const WRAPPERS = /<(system-reminder|local-command-[\w-]+)\b[^>]*>[\s\S]*?(?:<\/\1>|$)/g;
/** The window into the conversation began in the middle of such a block. */
const ORPHAN_CLOSER = /<\/(?:system-reminder|local-command-[\w-]+)>\s*$/;

/** A text without what the harness wrapped into it. */
function unwrapped(text: string): string {
  const bare = text.replaceAll(WRAPPERS, "");
  return ORPHAN_CLOSER.test(bare) ? "" : bare;
}

/** Texts that a harness writes in a person's place, beside those that the content gate knows. */
const HARNESS =
  /^(?:\[Request interrupted by user|Stop hook feedback\b|This session is being continued from a previous conversation\b|Caveat: The messages below\b)/i;
const ROOM = /^\[room from ([^\]\s]{1,64})[^\]]*\]\s*/i;
const INBOX = /^\[inbox\b[^\]]*\]?\s*/i;
const PEER = /^(?:Another Claude session sent a message|<teammate-message\b)/i;
const PEER_NAME = /^[^>]{0,400}?\bteammate_id="([^"]{1,64})"/i;

const PATH = String.raw`(?:[A-Za-z]:[\\/]|\\\\|/|\./|\.\./)`;
const ENDING = String.raw`\.[A-Za-z0-9]{1,6}`;
/** One attachment at the start of a text: `@"path"`, `@'path'` or `@path`. */
const ATTACHED = new RegExp(
  `^@(?:"${PATH}[^"]*${ENDING}"|'${PATH}[^']*${ENDING}'|${PATH}\\S*${ENDING})(?=\\s|$)\\s*`,
);
/** A whole text that is one path. */
const ONLY_PATH = new RegExp(`^(?:"${PATH}[^"]*${ENDING}"|'${PATH}[^']*${ENDING}'|${PATH}\\S*${ENDING})$`);

function withoutAttachments(text: string): string {
  let rest = text;
  while (ATTACHED.test(rest)) rest = rest.replace(ATTACHED, "");
  return rest;
}

function word(name: string): string {
  return clip(flatten(name).replaceAll(/[[\]\s]/g, ""), 40) || "agent";
}

/**
 * Decides whose words a text is; its start alone decides, so that a person who quotes an envelope stays a person
 * (capsules.md 7.3).
 *
 * @returns undefined for a text that is nobody's: empty, or a harness's own markup.
 */
export function classifyText(raw: string): Utterance | undefined {
  const text = clip(flatten(unwrapped(raw)), LONGEST);
  if (text === "") return undefined;
  const room = ROOM.exec(text);
  if (room !== null) {
    return { tag: `RELAY:${word(room[1] ?? "")}`, text: text.slice(room[0].length), human: false };
  }
  if (INBOX.test(text)) return { tag: "RELAY:inbox", text: text.replace(INBOX, ""), human: false };
  if (PEER.test(text)) {
    const name = PEER_NAME.exec(text)?.[1];
    return { tag: `PEER:${word(name ?? "agent")}`, text, human: false };
  }
  if (isInjectionEcho(text) || HARNESS.test(text)) return { tag: "INJECT:harness", text, human: false };
  if (text.startsWith("<")) return undefined;
  const spoken = withoutAttachments(text);
  if (spoken === "" || ONLY_PATH.test(text)) return { tag: "ATTACHMENT", text, human: false };
  return { tag: "OPERATOR", text: spoken, human: true };
}

const FEWEST_WORDS = 4;
const SLASH_COMMAND = /^\/[A-Za-z][\w:-]*(?:\s|$)/;
let segmenter: Intl.Segmenter | undefined;

function countWords(text: string): number {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) count += 1;
    if (count >= FEWEST_WORDS) break;
  }
  return count;
}

/** Whether a person's words can stand as an objective: "continue", "yes" and `/help` cannot (decisions.md 6). */
export function isSubstantive({ human, text }: Utterance): boolean {
  return human && !SLASH_COMMAND.test(text) && countWords(text) >= FEWEST_WORDS;
}
