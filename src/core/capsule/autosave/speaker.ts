import { isInjectionEcho } from "../content-gate.ts";
import { flatten } from "../quote.ts";
import { clip } from "../../text/inert.ts";
import { typedCommand } from "./typed-command.ts";
import { tagPattern, UNSEEN, withoutWrappers } from "./wrappers.ts";

/** Whose words a user row of a transcript holds. */
export interface Utterance {
  /** `OPERATOR`, `RELAY:<name>`, `PEER:<id>`, `INJECT:harness`, `ATTACHMENT`, or `UNKNOWN` for markup of nobody we know. */
  tag: string;
  text: string;
  /** A person said it; everything else never becomes an objective. */
  human: boolean;
}

const LONGEST = 2000;

/** What a harness puts around its own words, wherever in a text they stand. */
const WRAPPERS = tagPattern(
  [
    "system-reminder",
    String.raw`local-command-[\w-]+`,
    "command-(?:name|message|args|contents|stdout|stderr)",
    "bash-(?:input|stdout|stderr)",
    "(?:user-prompt-submit|session-start|pre-tool-use|post-tool-use|stop|subagent-stop|pre-compact)-hook",
    "ide_(?:opened_file|selection|diagnostics)",
    "skill-format",
    "user-memory-input",
    "persisted-output",
  ].join("|"),
);
/** What carries the words of somebody else, who is named. */
const ENVELOPE = new RegExp(
  `^${UNSEEN}*<(?:(?:teammate-message|cross-session-message|task-notification)\\b|channel\\s[^<>]{0,400}?\\bsource=")`,
  "i",
);
const ENVELOPES = tagPattern("teammate-message|cross-session-message|channel|task-notification");

/** Texts that a harness writes in a person's place, beside those that the content gate knows. */
const HARNESS = new RegExp(
  `^(?:${[
    String.raw`\[Request interrupted by user`,
    String.raw`Stop hook feedback\b`,
    "[A-Za-z]{1,40} hook feedback:",
    String.raw`[A-Za-z]{1,40} operation blocked by hook\b`,
    String.raw`This session is being continued from a previous conversation\b`,
    String.raw`Caveat: The messages below\b`,
    String.raw`<task-notification\b`,
    "<<autonomous-loop",
  ].join("|")})`,
  "i",
);
const ROOM = /^\[room from ([^\]\s]{1,64})[^\]]*\]\s*/i;
const INBOX = /^\[inbox\b[^\]]*\]?\s*/i;
const CHANNEL = /^<channel\s[^<>]{0,400}?\bsource="([^"]{1,64})"/i;
const PEER = /^(?:Another Claude session sent a message|<(?:teammate|cross-session)-message\b)/i;
const PEER_NAME = /^[^>]{0,400}?\b(?:teammate_id|from)="([^"]{1,64})"/i;

const PATH = String.raw`(?:[A-Za-z]:[\\/]|\\\\|/|\./|\.\./)`;
const ENDING = String.raw`\.[A-Za-z0-9]{1,6}`;
/** What stands for a picture or a paste that a message carries. */
const CARRIED = String.raw`\[(?:Image: (?:[^\]]|\](?!\s|$))*|Image #\d+|Pasted text #\d+[^\]]*)\]`;
/** One attachment at the start of a text: `@"path"`, `@'path'` or `@path`, or what stands for a picture. */
const ATTACHED = new RegExp(
  `^(?:@(?:"${PATH}[^"]*${ENDING}"|'${PATH}[^']*${ENDING}'|${PATH}\\S*${ENDING})|${CARRIED})(?=\\s|$)\\s*`,
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

const UNSEEN_START = new RegExp(`^${UNSEEN}+`);

function plain(text: string): string {
  return clip(flatten(text).replace(UNSEEN_START, ""), LONGEST);
}

/** What stands behind the envelopes that a text begins with: a person wrote it there. */
function behindEnvelopes(text: string): string {
  return ENVELOPE.test(text) ? withoutWrappers(text, ENVELOPES, false).text : text;
}

/** Whether a text is a harness's or a supervisor's, by its start. */
function isInjected(text: string): boolean {
  return isInjectionEcho(text) || HARNESS.test(text);
}

/**
 * Decides whose words a text is; its start alone decides, so that a person who quotes an envelope stays a person
 * (capsules.md 7.3).
 *
 * @param typed whether its row says that a person typed it: markup that nobody knows is then that person's.
 * @returns undefined for a text that is nobody's: empty, or a harness's own markup.
 */
export function classifyText(raw: string, typed = false): Utterance | undefined {
  const bare = withoutWrappers(typedCommand(raw) ?? raw, WRAPPERS, !typed);
  const whole = plain(bare.text);
  const text = (typed && plain(behindEnvelopes(bare.text))) || whole;
  if (text === "") {
    return typed && bare.endless ? { tag: "INJECT:harness", text: plain(raw), human: false } : undefined;
  }
  const room = ROOM.exec(text);
  if (room !== null) {
    return { tag: `RELAY:${word(room[1] ?? "")}`, text: text.slice(room[0].length), human: false };
  }
  if (INBOX.test(text)) return { tag: "RELAY:inbox", text: text.replace(INBOX, ""), human: false };
  const channel = CHANNEL.exec(text);
  if (channel !== null) return { tag: `RELAY:${word(channel[1] ?? "")}`, text, human: false };
  if (PEER.test(text)) {
    const name = PEER_NAME.exec(text)?.[1];
    return { tag: `PEER:${word(name ?? "agent")}`, text, human: false };
  }
  const spoken = withoutAttachments(text);
  if (isInjected(text) || isInjected(spoken)) return { tag: "INJECT:harness", text, human: false };
  if (!typed && (text.startsWith("<") || spoken.startsWith("<"))) {
    return { tag: "UNKNOWN", text, human: false };
  }
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
