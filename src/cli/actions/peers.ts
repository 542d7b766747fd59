import type { ExitStatus } from "../../core/base/error.ts";
import { EXIT } from "../../core/base/error.ts";
import { announce, peersList } from "../../core/capabilities/serving.ts";
import type { PeerView } from "../../core/serving/peer-board.ts";
import { ask } from "../ask.ts";
import type { CommandContext } from "../declaration.ts";
import type { Output } from "../output.ts";

function showPeer(
  output: Output,
  { id, name, connected, last_seen_seconds_ago: seconds, claims }: PeerView,
): void {
  const who = name === undefined ? id : `${id} (${name})`;
  output.line(`${who} — ${connected ? "connected" : "not connected"}, last seen ${seconds} s ago`);
  for (const { text, paths = [], announced_at: at } of claims) {
    output.line(`  ${at}  ${text}`);
    if (paths.length > 0) output.line(`    ${paths.join(", ")}`);
  }
}

/** Shows who is on the shared server's board. */
export async function showPeers(context: CommandContext): Promise<ExitStatus> {
  const answer = await ask(context, peersList, {});
  if (context.json) context.output.json(answer);
  else if (answer.peers.length === 0) context.output.line(`No peer: ${answer.note}.`);
  else for (const peer of answer.peers) showPeer(context.output, peer);
  return EXIT.ok;
}

/**
 * Puts an announcement on the shared server's board.
 *
 * @throws MajordomusError 12 where no server answers, 2 for a text that is too long.
 */
export async function announceHere(
  context: CommandContext,
  { text, paths }: { text: string; paths: string[] },
  { peer }: { peer: string | undefined },
): Promise<ExitStatus> {
  const answer = await ask(context, announce, { text, paths: paths.length === 0 ? undefined : paths, peer });
  if (context.json) context.output.json(answer);
  else if (answer.peer.claims.length === 0)
    context.output.line(`${answer.peer.id} announces nothing any more.`);
  else context.output.line(`Announced as ${answer.peer.id}.`);
  return EXIT.ok;
}
