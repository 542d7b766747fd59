import type { Slices } from "../slices.ts";
import { GLYPH } from "../glyphs.ts";
import { drawLineage } from "./lineage-graph.ts";
import { searchable } from "./rows.ts";
import type { Row, TravellingRecord, TravelStanding } from "./rows.ts";

interface Facts {
  offers: ReadonlySet<string>;
  heads: ReadonlySet<string>;
  diverged: ReadonlySet<string>;
  position: string | undefined;
}

function standingOf({ id, line, hidden }: TravellingRecord, facts: Facts): TravelStanding {
  if (hidden === true) return "hidden";
  if (facts.position === id) return "here";
  if (facts.offers.has(id)) return "offer";
  if (!facts.heads.has(id)) return "past";
  return facts.diverged.has(line) ? "diverged" : "head";
}

function travelRow(root: string, record: TravellingRecord, standing: TravelStanding, graph: string): Row {
  const { id, line, device, branch, head, task, issue, objective, trust } = record;
  return {
    kind: "travel",
    id: `${root}\0travel\0${id}`,
    root,
    search: searchable(id, line, device.label, branch, head, task, issue, objective, trust, standing),
    record,
    standing,
    graph,
  };
}

/** The symbol of a record in its lineage. */
export function travelMark({ this_device, hidden }: TravellingRecord): string {
  if (hidden === true) return GLYPH.foreign;
  return this_device ? GLYPH.alive : GLYPH.elsewhere;
}

function factsOf({ sync, travelling }: Slices): Facts {
  const lines = travelling.data?.lines ?? [];
  return {
    offers: new Set((sync.data?.resumable ?? []).map(({ id }) => id)),
    heads: new Set(lines.flatMap(({ heads }) => heads)),
    diverged: new Set(lines.flatMap(({ id, state }) => (state === "diverged" ? [id] : []))),
    position: sync.data?.position?.record,
  };
}

/** Lines with an offer come first, then those that were gone on with in several ways, then the latest. */
function rankOf(records: readonly TravellingRecord[], facts: Facts): number {
  if (records.some(({ id, hidden }) => facts.offers.has(id) && hidden !== true)) return 0;
  return facts.diverged.has(records[0]?.line ?? "") ? 1 : 2;
}

/** Every record that travels, by lines, each line drawn as what it is. */
export function travelRows(root: string, slices: Slices): readonly Row[] {
  const facts = factsOf(slices);
  const byLine = new Map<string, TravellingRecord[]>();
  for (const record of slices.travelling.data?.records ?? []) {
    const own = byLine.get(record.line);
    if (own === undefined) byLine.set(record.line, [record]);
    else own.push(record);
  }
  return [...byLine.values()]
    .toSorted((one, other) => rankOf(one, facts) - rankOf(other, facts))
    .flatMap((records) =>
      drawLineage(records, travelMark).map(({ node, graph }) =>
        travelRow(root, node, standingOf(node, facts), graph),
      ),
    );
}

/** What waits to be resumed here. */
export function offerRows(root: string, slices: Slices): readonly Row[] {
  const facts = factsOf(slices);
  return (slices.sync.data?.resumable ?? []).map((record) =>
    travelRow(root, record, standingOf(record, facts), travelMark(record)),
  );
}
