import * as z from "zod/mini";
import { PeerView } from "./peer-board.ts";
import { ServerStanding } from "./standing.ts";

const text = z.string();

/** Where the server of a checkout stands; never its token. */
export const ServerAnswer = z.object({
  standing: ServerStanding,
  note: text,
  /** The work tree that is asked about. */
  root: text,
  /** Where it answers, once it does. */
  url: z.optional(text),
  pid: z.optional(z.int()),
  version: z.optional(text),
  executable: z.optional(text),
  begun_at: z.optional(text),
  /** The commit and branch that it answers about, as it read them last. */
  served_head: z.optional(text),
  served_branch: z.optional(text),
  /** The commit and branch that the work tree is on right now. */
  repository_head: z.optional(text),
  repository_branch: text,
  /** Whether both are the same; absent where no server answers. */
  agree: z.optional(z.boolean()),
});
export type ServerAnswer = z.infer<typeof ServerAnswer>;

export const PeersAnswer = z.object({
  standing: ServerStanding,
  note: text,
  peers: z.array(PeerView),
});
export type PeersAnswer = z.infer<typeof PeersAnswer>;

export const AnnounceAnswer = z.object({
  /** The announcer as the others see it: its handle is what the next announcement names. */
  peer: PeerView,
});
export type AnnounceAnswer = z.infer<typeof AnnounceAnswer>;
