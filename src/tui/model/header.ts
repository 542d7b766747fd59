import { ageSince } from "./age.ts";
import { lineWidth, span, spread } from "./line.ts";
import type { Line, Span } from "./line.ts";
import { repositoryName, shortHead, shortId } from "./names.ts";
import { show } from "./line.ts";
import { grouped } from "./numbers.ts";
import { isKnown } from "./waiting.ts";
import type { ConsoleState } from "../store.ts";
import { wantedSlices } from "../wanted.ts";

const GAP = span(" · ", "muted");

function join(parts: readonly Span[][]): Line {
  return parts.flatMap((part, index) => (index === 0 ? part : [GAP, ...part]));
}

/** Where a repository stands, most important first: what has no room is left out from the end. */
function standing(state: ConsoleState, root: string): Span[][] {
  const answer = state.repositories[root]?.state.data;
  const name = [span(repositoryName(root), "plain", true)];
  if (answer === undefined) return [name];
  const head = shortHead(answer.head);
  const branch = [span(show(answer.branch)), ...(head === "" ? [] : [span(` ${head}`, "muted")])];
  const dirty = answer.changed ?? 0;
  const tree =
    answer.working_tree === undefined
      ? []
      : [
          answer.working_tree === "dirty"
            ? span(dirty > 0 ? `dirty ${dirty}` : "dirty", "warn")
            : span("clean", "muted"),
        ];
  const { session } = answer;
  const episode =
    session === undefined
      ? []
      : [span(`episode ${shortId(session.session_id)}`), span(` (${session.standing})`, "muted")];
  const offers = answer.waiting?.length ?? 0;
  const waiting = offers === 0 ? [] : [span(`${offers} to resume`, "accent")];
  return [name, branch, tree, waiting, episode].filter((part) => part.length > 0);
}

/** The age of the oldest data on screen: what the feed has verified is as old as that. */
export function dataAge(state: ConsoleState): string {
  const names = [...wantedSlices(state)];
  const slices = state.roots.flatMap((root) => names.map((name) => state.repositories[root]?.[name]));
  const held = slices.filter((slice) => slice?.data !== undefined);
  if (held.length === 0) return "";
  const old = held.filter((slice) => slice?.state !== "ready").map((slice) => slice?.at ?? state.verified);
  return ageSince(Math.min(state.now, state.verified, ...old), state.now);
}

function feedLine(state: ConsoleState): Line {
  const feed =
    state.feed === "live" ? [span("●", "good"), span(" live")] : [span("◌", "warn"), span(" polling")];
  const age = dataAge(state);
  return [...feed, span(age === "" ? " " : `  ${age} `, "muted")];
}

/** The first row: where this checkout stands, and how live the data is. */
export function headerLine(state: ConsoleState, root: string, width: number): Line {
  const closed = state.roots.reduce(
    (sum, each) => sum + (state.repositories[each]?.state.data?.tallies.closed ?? 0),
    0,
  );
  const feed = feedLine(state);
  const known = width >= 100 && isKnown(state, "state");
  const tally: Line = known ? [span(`${grouped(closed)} closed   `, "muted"), ...feed] : feed;
  const brand = width >= 80 ? [span(" majordomus  ", "accent", true)] : [span(" ")];
  const more = state.roots.length > 1 ? [[span(`${state.roots.length} repositories`, "muted")]] : [];
  const parts = [...standing(state, root), ...more];
  const room = width - lineWidth(tally) - lineWidth(brand) - 1;
  while (parts.length > 1 && lineWidth(join(parts)) > room) parts.pop();
  return spread([...brand, ...join(parts)], tally, width);
}
