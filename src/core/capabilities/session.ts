import * as z from "zod/mini";
import { closeByHand, startByHand } from "../boundary/by-hand.ts";
import { latestClosed, listClosed, showClosed } from "../episode/closed-store.ts";
import { locateContext } from "../episode/locate-context.ts";
import { readOwnStatus } from "../episode/own-or-refuse.ts";
import {
  SessionCloseAnswer,
  SessionCloseInput,
  SessionContextAnswer,
  SessionContextInput,
  SessionLatestAnswer,
  SessionListAnswer,
  SessionListInput,
  SessionShowAnswer,
  SessionShowInput,
  SessionStartAnswer,
  SessionStartInput,
  SessionStatusAnswer,
  SessionStatusInput,
} from "../episode/session-answers.ts";
import { defineCapability } from "./capability.ts";

export const sessionStart = defineCapability({
  id: "session.start",
  title: "Open an episode in this worktree, or keep the one that is open",
  effect: "write",
  weight: "light",
  input: SessionStartInput,
  output: SessionStartAnswer,
  run: ({ checkout }, input) => startByHand(checkout, input),
});

export const sessionStatus = defineCapability({
  id: "session.status",
  title: "The open episode of the asking process, with its label, and the others of the store",
  effect: "read",
  weight: "light",
  input: SessionStatusInput,
  output: SessionStatusAnswer,
  run: ({ checkout }, { provider_session }) => readOwnStatus(checkout, provider_session),
});

export const sessionClose = defineCapability({
  id: "session.close",
  title: "Close an open episode into its record, with an authored summary when there is one",
  effect: "write",
  weight: "heavy",
  input: SessionCloseInput,
  output: SessionCloseAnswer,
  run: ({ checkout }, input) => closeByHand(checkout, input),
});

export const sessionList = defineCapability({
  id: "session.list",
  title: "The closed records of this branch, newest first, with what is no record",
  effect: "read",
  weight: "heavy",
  input: SessionListInput,
  output: SessionListAnswer,
  run: ({ checkout }, { all }) => listClosed(checkout, all === true),
});

export const sessionShow = defineCapability({
  id: "session.show",
  title: "One closed record: when, how it ended, how it stands to HEAD, and its text",
  effect: "read",
  weight: "light",
  input: SessionShowInput,
  output: SessionShowAnswer,
  run: ({ checkout }, { session_id }) => showClosed(checkout, session_id),
});

export const sessionLatest = defineCapability({
  id: "session.latest",
  title: "The closed record that resolves in this checkout",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: SessionLatestAnswer,
  run: ({ checkout }) => latestClosed(checkout),
});

export const sessionContext = defineCapability({
  id: "session.context",
  title: "The working context of an episode, where it lies, and how it stands to HEAD",
  effect: "read",
  weight: "light",
  input: SessionContextInput,
  output: SessionContextAnswer,
  run: ({ checkout }, { session_id }) => locateContext(checkout, session_id),
});

/** Everything about one episode, for the registry. */
export const SESSIONS = [
  sessionStart,
  sessionStatus,
  sessionClose,
  sessionList,
  sessionShow,
  sessionLatest,
  sessionContext,
] as const;
