import type * as z from "zod/mini";
import { EXIT, MajordomusError } from "../base/error.ts";
import { askServer } from "./ask-server.ts";
import { AnnounceAnswer, PeersAnswer } from "./answers.ts";
import type { LeasePlace } from "./lease.ts";
import { judgeLease } from "./standing.ts";
import type { ServerJudgement } from "./standing.ts";

/** For one question about the board (records.md 15). */
const BOARD_MILLISECONDS = 2000;

/** Only a server that runs can be asked: a dead one's port may belong to anybody by now. */
function answers({ standing, unproved }: ServerJudgement): boolean {
  return unproved !== true && (standing === "ready" || standing === "outdated");
}

/**
 * Who is on the board of this checkout's server. Where none answers the board is empty, and that is said.
 */
export async function readPeers(checkout: LeasePlace): Promise<PeersAnswer> {
  const judged = judgeLease(checkout);
  const { standing, note, lease } = judged;
  if (lease === undefined || !answers(judged)) return { standing, note, peers: [] };
  const reply = await askServer(lease, { method: "GET", path: "/api/v1/peers", timeout: BOARD_MILLISECONDS });
  const said = reply.ok && reply.value.status === 200 ? PeersAnswer.safeParse(reply.value.value) : undefined;
  if (said?.success === true) return said.data;
  const form = said === undefined ? "" : " and an answer of another form";
  const reason = reply.ok ? `it answered with status ${reply.value.status}${form}` : reply.error;
  return { standing, note: `the board could not be read: ${reason}`, peers: [] };
}

export interface Announcement {
  text: string;
  paths?: string[] | undefined;
  /** The handle of who announces. */
  peer?: string | undefined;
}

function refusalOf(value: unknown): { code?: unknown; message?: unknown } {
  if (typeof value !== "object" || value === null || !("error" in value)) return {};
  return typeof value.error === "object" && value.error !== null ? value.error : {};
}

function accept<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new MajordomusError({
    code: "server.answer",
    exit: EXIT.internal,
    message: "the server gave an answer of another form",
    remedy: "`majordomus serve ensure` replaces a server of another build",
  });
}

/**
 * Puts an announcement on the board of this checkout's server.
 *
 * @throws MajordomusError 12 where no server answers: a board that nobody keeps cannot be written on; 2 for what the
 *   board refuses.
 */
export async function announceAtServer(
  checkout: LeasePlace,
  { text, paths, peer }: Announcement,
): Promise<AnnounceAnswer> {
  const judged = judgeLease(checkout);
  const { lease, note } = judged;
  const remedy = "`majordomus serve ensure` starts one";
  if (lease === undefined || !answers(judged)) {
    throw new MajordomusError({ code: "server.absent", exit: EXIT.missing, message: note, remedy });
  }
  const reply = await askServer(lease, {
    method: "POST",
    path: "/api/v1/announce",
    body: {
      text,
      ...(paths === undefined ? {} : { paths }),
      ...(peer === undefined ? {} : { peer }),
    },
    timeout: BOARD_MILLISECONDS,
  });
  if (!reply.ok) {
    throw new MajordomusError({ code: "server.silent", exit: EXIT.missing, message: reply.error, remedy });
  }
  if (reply.value.status === 200) return accept(AnnounceAnswer, reply.value.value);
  const { code, message } = refusalOf(reply.value.value);
  throw new MajordomusError({
    code: typeof code === "string" ? code : "server.refused",
    exit: EXIT.usage,
    message: typeof message === "string" ? message : `the server answered with status ${reply.value.status}`,
  });
}
