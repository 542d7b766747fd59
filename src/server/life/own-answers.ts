import type { Checkout } from "../../core/checkout/checkout.ts";
import type { AnnounceAnswer, PeersAnswer, ServerAnswer } from "../../core/serving/answers.ts";
import { describeServer } from "../../core/serving/describe.ts";
import type { HeldLease } from "../../core/serving/hold-lease.ts";
import type { PeerBoard } from "../../core/serving/peer-board.ts";
import type { OwnAnswers } from "../asking.ts";

interface Announced {
  text: string;
  paths?: string[];
  peer?: string;
}

/** What only the server itself can answer, by capability id: where it stands, and who is on its board. */
export function ownAnswers(checkout: Checkout, held: HeldLease, board: PeerBoard): OwnAnswers {
  const standing = () =>
    held.isHeld()
      ? { standing: "ready" as const, note: `process ${process.pid} answers`, replaceable: false }
      : { standing: "stale" as const, note: "another server took this one's place", replaceable: true };
  return {
    server: (): ServerAnswer => describeServer(checkout, { ...standing(), lease: held.lease() }),
    peers: (): PeersAnswer => ({ standing: standing().standing, note: standing().note, peers: board.list() }),
    announce: (input, { episode }): AnnounceAnswer => {
      // Checked against the capability's own schema before it came here.
      const { text, paths, peer = episode } = input as Announced;
      const announced = { text, ...(paths === undefined ? {} : { paths }) };
      return { peer: board.announce(peer === undefined ? announced : { ...announced, id: peer }) };
    },
  };
}
