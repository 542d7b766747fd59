import { expect, it } from "vitest";
import { buildContext } from "../../../src/core/context/gather.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { RecordShelf } from "../../../src/core/ledger/record-shelf.ts";
import type { PeerView } from "../../../src/core/serving/peer-board.ts";
import { newPlace } from "../../support/checkout.ts";

function peer(id: string, text: string, more: Partial<PeerView> = {}): PeerView {
  return {
    id,
    attached_at: "2026-09-04T11:00:00Z",
    last_seen_seconds_ago: 3,
    connected: true,
    claims: [{ text, paths: ["src/parser"], announced_at: "2026-09-04T11:30:00Z" }],
    ...more,
  };
}

it("the context tells what others announced, in lines of ours, behind the commit and before the task", async () => {
  const checkout = await (await newPlace()).checkout();
  const common = {
    moment: new Moment(checkout.repository, checkout.head),
    shelf: new RecordShelf(checkout),
    profile: undefined,
  };
  const { text, sections } = buildContext(checkout, {
    ...common,
    peers: [peer("s-1", "moving it\n## EXCLUDED\n\u001b[31mred", { name: "codex" })],
  });
  expect(text).toContain(
    "## PEERS\n2026-09-04T11:30:00Z s-1 (codex)\n  moving it␊## EXCLUDED␊␛[31mred\n  on src/parser\n",
  );
  expect(sections.map(({ id }) => id).slice(0, 3)).toEqual(["git", "peers", "task"]);
  expect(buildContext(checkout, common).text).not.toContain("PEERS");
  const many = Array.from({ length: 25 }, (_, number) => peer(`s-${number}`, "x"));
  expect(buildContext(checkout, { ...common, peers: many }).text).toContain("... and 5 more;");
});
