import { GLYPH } from "../glyphs.ts";
import { ageOf } from "../model/age.ts";
import type { Cell, Column } from "../model/columns.ts";
import { show, span } from "../model/line.ts";
import { counted, shortHead } from "../model/names.ts";
import type { Row } from "../model/rows.ts";
import { arrangeRow } from "./arrange-row.ts";
import { peerCells, serverCells } from "./server-cells.ts";
import type { Drawing, PaneSpec } from "./spec.ts";

const COLUMNS: readonly Column[] = [
  { width: 1 },
  { width: 13 },
  { width: 12, grow: true },
  { width: 6, align: "right", from: 40 },
];

/** The newest event that came from a provider, and when. */
function newest(received: Readonly<Record<string, string>> | undefined): [string, string] | undefined {
  return Object.entries(received ?? {})
    .toSorted(([, one], [, other]) => (one < other ? 1 : -1))
    .at(0);
}

function cellsOf(row: Row, { now }: Drawing): Cell[] {
  if (row.kind === "runtime") {
    const { agree, served_head, repository_head } = row.runtime;
    const here = shortHead(repository_head) || "no commit";
    const served = shortHead(served_head) || "no commit";
    const [heads, shorter] = agree
      ? [`answers about ${here}, which is checked out`, `about ${here}, checked out`]
      : [`answers about ${served}, checked out is ${here}`, `about ${served}, here ${here}`];
    return [
      span(agree ? GLYPH.exact : GLYPH.diverged, agree ? "good" : "warn"),
      span("runtime"),
      { ...span(heads, agree ? "muted" : "warn"), shorter: [shorter] },
      span(""),
    ];
  }
  if (row.kind === "server") return serverCells(row.server, now);
  if (row.kind === "peer") return peerCells(row.peer, now);
  if (row.kind !== "provider") return [];
  const { id, last_received } = row.provider;
  const last = newest(last_received);
  if (last === undefined) {
    return [
      span(GLYPH.elsewhere, "muted"),
      span(show(id), "muted"),
      span("never fired here", "muted"),
      span(""),
    ];
  }
  const [event, at] = last;
  return [span(GLYPH.alive, "good"), span(show(id)), span(show(event)), span(ageOf(at, now), "muted")];
}

function counts(rows: readonly Row[]): string {
  const providers = rows.flatMap((row) => (row.kind === "provider" ? [row.provider] : []));
  const fired = providers.filter((provider) => newest(provider.last_received) !== undefined).length;
  const peers = rows.filter((row) => row.kind === "peer").length;
  return [`${fired} of ${providers.length} fired`, ...(peers === 0 ? [] : [counted(peers, "peer")])].join(
    ` ${GLYPH.dot} `,
  );
}

/** Which commit is answered about, where the shared server stands and who is on its board, and which providers' hooks have fired. */
export const SURROUNDINGS: PaneSpec = {
  title: "Surroundings",
  slice: "providers",
  also: ["runtime", "server", "peers"],
  counts,
  empty: () => "no provider is known",
  row: (row, drawing) => arrangeRow(row, COLUMNS, cellsOf(row, drawing), drawing),
};
