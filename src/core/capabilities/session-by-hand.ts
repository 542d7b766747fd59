import * as z from "zod/mini";
import { closeOwn, startByHand } from "../boundary/by-hand.ts";
import { findClosed, latestClosed, listClosed } from "../episode/closed-store.ts";
import { locateContext } from "../episode/locate-context.ts";
import { readOwnStatus } from "../episode/own-or-refuse.ts";
import {
  CloseOwnAnswer,
  CloseOwnInput,
  LocateContextAnswer,
  LocateContextInput,
  SessionLatestAnswer,
  SessionListAnswer,
  SessionListInput,
  SessionRecordAnswer,
  SessionRecordInput,
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

export const sessionCloseOwn = defineCapability({
  id: "session.close_own",
  title: "Close the asking process's own episode, with an authored summary when there is one",
  effect: "write",
  weight: "heavy",
  input: CloseOwnInput,
  output: CloseOwnAnswer,
  run: ({ checkout }, input) => closeOwn(checkout, input),
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

export const sessionRecord = defineCapability({
  id: "session.record",
  title: "The facts of one closed record: when, how it ended, and how it stands to HEAD",
  effect: "read",
  weight: "light",
  input: SessionRecordInput,
  output: SessionRecordAnswer,
  run: ({ checkout }, { session_id }) => ({ schema: 1 as const, session: findClosed(checkout, session_id) }),
});

export const sessionLatest = defineCapability({
  id: "session.latest",
  title: "The closed record that resolves in this checkout",
  effect: "read",
  weight: "heavy",
  input: z.strictObject({}),
  output: SessionLatestAnswer,
  run: ({ checkout }) => ({ schema: 1 as const, session: latestClosed(checkout) }),
});

export const sessionLocateContext = defineCapability({
  id: "session.locate_context",
  title: "Where an episode's working context lies, and how it stands to HEAD",
  effect: "read",
  weight: "light",
  input: LocateContextInput,
  output: LocateContextAnswer,
  run: ({ checkout }, { session_id }) => locateContext(checkout, session_id),
});

/** What a person at a command line asks and does about sessions, for the registry. */
export const SESSION_BY_HAND = [
  sessionStart,
  sessionStatus,
  sessionCloseOwn,
  sessionList,
  sessionRecord,
  sessionLatest,
  sessionLocateContext,
] as const;
