import * as z from "zod/mini";
import { namedEpisode } from "../boundary/work-by-hand.ts";
import { AnnounceAnswer, PeersAnswer, ServerAnswer } from "../serving/answers.ts";
import { announceAtServer, readPeers } from "../serving/board-of-server.ts";
import { describeServer } from "../serving/describe.ts";
import { executableAt } from "../serving/executable.ts";
import { ANNOUNCED_CHARACTERS, ANNOUNCED_PATHS, PeerHandle } from "../serving/peer-board.ts";
import { probeServer } from "../serving/probe.ts";
import { defineCapability } from "./capability.ts";

export const serverStanding = defineCapability({
  id: "server",
  title: "Where this checkout's shared server stands, and the commit that it answers about",
  effect: "read",
  weight: "light",
  input: z.strictObject({
    /** The program's launcher, absolute, where the surface knows it. */
    script: z.optional(z.string()),
  }),
  output: ServerAnswer,
  run: async ({ checkout }, { script }) => {
    const executable = script === undefined ? undefined : executableAt(script);
    return describeServer(checkout, await probeServer(checkout, executable));
  },
});

export const peersList = defineCapability({
  id: "peers",
  title: "Who else is at work in this checkout, and on what, as the shared server's board knows it",
  effect: "read",
  weight: "light",
  input: z.strictObject({}),
  output: PeersAnswer,
  run: ({ checkout }) => readPeers(checkout),
});

export const announce = defineCapability({
  id: "announce",
  title: "Tell the other workers of this checkout what one is at work on; an empty text takes it back",
  effect: "write",
  nature: { idempotent: true },
  weight: "light",
  input: z.strictObject({
    text: z.string().check(z.maxLength(ANNOUNCED_CHARACTERS)),
    /** What is worked on, relative to the repository. */
    paths: z.optional(
      z.array(z.string().check(z.minLength(1), z.maxLength(1024))).check(z.maxLength(ANNOUNCED_PATHS)),
    ),
    /** The handle of who announces: an episode's id, or what an earlier announcement was answered with. */
    peer: z.optional(PeerHandle),
  }),
  output: AnnounceAnswer,
  run: ({ checkout }, { text, paths, peer }) =>
    announceAtServer(checkout, { text, paths, peer: peer ?? checkout.episode ?? namedEpisode(checkout) }),
});

/** The shared server and its board, for the registry. */
export const SERVING = [serverStanding, peersList, announce] as const;
