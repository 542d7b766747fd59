/**
 * Words that a capsule must not begin with (capsules.md 6). Every pattern is held to the start of a text: one
 * that mentions the words later is somebody's own. Pure and without imports.
 */
const INJECTION = [
  String.raw`\[supervisor-resume\]`,
  String.raw`\[refresh-cycle\]`,
  String.raw`\[auto-pull\]`,
  String.raw`\[capsule-request\]`,
  String.raw`\[context-refresh\b`,
  String.raw`\[room from `,
  String.raw`\[inbox\b`,
  "# Autonomous loop check",
  "Autonomous loop tick",
  "<task-notification>",
  String.raw`\[SYSTEM NOTIFICATION`,
];

const CEREMONY = [
  String.raw`re-?read\s+the\s+(?:active\s+)?turn\s+state\b`,
  String.raw`resume\s+from\s+the\s+latest\s+session\s+log\b`,
  String.raw`resume\s+(?:(?:is|was)\s+)?(?:now\s+)?complete\b`,
  String.raw`(?:the\s+)?receipt\s+(?:(?:is|was)\s+)?written\b`,
  String.raw`comply\s+with\s+(?:any|the)\s+supervisor-resume\s+instruction\b`,
];

/** What an autosave writes in place of what it could not capture, in this version and in older ones. */
const NOTHING_CAPTURED = [
  "Unknown: no human objective was captured",
  "Unknown: no operator objective was captured",
  "No concrete next action was captured",
  String.raw`In-flight work \(auto-captured`,
];

const opener = (patterns: readonly string[], flags: string): RegExp =>
  new RegExp(`^(?:${patterns.join("|")})`, flags);

const INJECTION_OPENER = opener(INJECTION, "i");
const CEREMONY_OPENER = opener(CEREMONY, "i");
/** This one is a protocol's literal: its case counts. */
const ACKNOWLEDGEMENT = /^RESUME-ACK\b/;
const NOTHING_OPENER = opener(NOTHING_CAPTURED, "i");

/** A text that a harness or a supervisor put in, instead of a person's words. */
export function isInjectionEcho(text: string): boolean {
  return INJECTION_OPENER.test(text.trim());
}

/** An action that is only the ceremony of resuming: a fresh session can do nothing with it. */
export function isCeremonyAction(text: string): boolean {
  return CEREMONY_OPENER.test(text.trim()) || ACKNOWLEDGEMENT.test(text.trim());
}

/** A text that says that nothing was captured. It may be written; it is not preferred. */
export function isNothingCaptured(text: string): boolean {
  return NOTHING_OPENER.test(text.trim());
}
