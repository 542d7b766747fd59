import type { SessionView } from "../../core/lifecycle/answers.ts";
import { ageSince } from "./age.ts";
import { lossText } from "./episode.ts";
import { lineWidth, span, spread } from "./line.ts";
import type { Line, Span } from "./line.ts";
import { shortId } from "./names.ts";
import { brandOf, dotted, placeParts } from "./place.ts";
import { grouped } from "./numbers.ts";
import { isKnown } from "./waiting.ts";
import type { ConsoleState } from "../store.ts";
import { wantedSlices } from "../wanted.ts";

/**
 * How the checkout's episode stands: what the list of episodes says of it goes before the pointer, which still
 * names an episode whose worker or worktree is gone.
 */
function standingOf(state: ConsoleState, root: string, session: SessionView): Span {
  const slices = state.repositories[root];
  // A checkout that could not be asked again may be gone itself.
  if (slices?.state.state === "failed") return span(" (unknown)", "warn");
  const listed = slices?.episodes.data?.episodes?.find(({ session_id }) => session_id === session.session_id);
  if (listed === undefined) return span(` (${session.standing})`, "muted");
  const loss = lossText(listed) || (listed.worker_state === "gone" ? "worker gone" : "");
  return loss === "" ? span(` (${listed.standing})`, "muted") : span(` (${loss})`, "bad");
}

/** Where a repository stands, most important first: what has no room is left out from the end. */
function standing(state: ConsoleState, root: string): Span[][] {
  const answer = state.repositories[root]?.state.data;
  const place = answer ?? state.places.find((each) => each.root === root);
  const parts = placeParts(root, place);
  if (answer === undefined) return parts;
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
      : [span(`episode ${shortId(session.session_id)}`), standingOf(state, root, session)];
  const offers = answer.waiting?.length ?? 0;
  const waiting = offers === 0 ? [] : [span(`${offers} to resume`, "accent")];
  return [...parts, tree, waiting, episode].filter((part) => part.length > 0);
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
  const brand = brandOf(width);
  const more = state.roots.length > 1 ? [[span(`${state.roots.length} repositories`, "muted")]] : [];
  const parts = [...standing(state, root), ...more];
  const room = width - lineWidth(tally) - lineWidth(brand) - 1;
  while (parts.length > 1 && lineWidth(dotted(parts)) > room) parts.pop();
  return spread([...brand, ...dotted(parts)], tally, width);
}
