import type { PeerView } from "../serving/peer-board.ts";
import type { Section } from "./document.ts";
import { DROP_RANK, quotedLine, safe, sectionUnlessEmpty } from "./request.ts";
import type { ContextSources } from "./request.ts";

function peerLines({ id, name, claims }: PeerView): string[] {
  return claims.flatMap(({ text, paths = [], announced_at: at }) => [
    safe(`${at} ${name === undefined ? id : `${id} (${name})`}`),
    quotedLine(text),
    ...(paths.length === 0 ? [] : [quotedLine(`on ${paths.join(", ")}`)]),
  ]);
}

/** What other workers of this checkout announced; there only when somebody did (records.md 11). */
export function peerSection({ peers = [], checkout }: ContextSources): Section[] {
  const shown = checkout.settings.policy.context.max_list_items;
  const lines = peers.slice(0, shown).flatMap(peerLines);
  const rest = peers.length - shown;
  return sectionUnlessEmpty({
    id: "peers",
    heading: "PEERS",
    dropRank: DROP_RANK.peers,
    lines: rest > 0 ? [...lines, `... and ${rest} more; \`majordomus peers\` lists them`] : lines,
  });
}
