/** The providers' own names of the events by which a session says that it ends. */
export const END_EVENTS: ReadonlySet<string> = new Set([
  "SessionEnd",
  "sessionEnd",
  "session.deleted",
  "dispose",
]);

/** The names of those by which a person's prompt is told. */
export const PROMPT_EVENTS: ReadonlySet<string> = new Set([
  "UserPromptSubmit",
  "userPromptSubmitted",
  "BeforeAgent",
  "beforeSubmitPrompt",
  "pre_user_prompt",
  "chat.message",
]);

/** The names of those that say that a session works: after one of them an earlier end holds no longer. */
export const GOING_ON_EVENTS: ReadonlySet<string> = new Set([
  "SessionStart",
  "sessionStart",
  "session.created",
  ...PROMPT_EVENTS,
  "PreCompact",
  "preCompact",
]);
