import { basename } from "node:path";
import type { EpisodeView } from "../../core/lifecycle/answers.ts";
import { GLYPH } from "../glyphs.ts";
import { later } from "./age.ts";
import type { Cell } from "./columns.ts";
import { show, span } from "./line.ts";
import type { Span, Tone } from "./line.ts";
import { shortPath } from "./names.ts";
import { compactCount } from "./numbers.ts";
import { isLost } from "./rows.ts";

/** The newest sign of life: a ledger line, a heartbeat, the start itself. */
export function lastSign(episode: EpisodeView): string | undefined {
  return later(later(episode.last_activity, episode.heartbeat), episode.started_at);
}

interface Sign {
  symbol: string;
  tone: Tone;
  meaning: string;
}

/** The symbols of episodes; the help explains them with the same words. */
export const SIGNS = {
  alive: { symbol: GLYPH.alive, tone: "good", meaning: "the worker is alive" },
  unknown: { symbol: GLYPH.unknown, tone: "plain", meaning: "nothing proves whether the worker lives" },
  elsewhere: { symbol: GLYPH.elsewhere, tone: "plain", meaning: "open in another worktree" },
  foreign: { symbol: GLYPH.foreign, tone: "muted", meaning: "the file names another worktree" },
  gone: {
    symbol: GLYPH.gone,
    tone: "bad",
    meaning: "the worktree or the worker is gone, or it ended unrecorded",
  },
} as const satisfies Record<string, Sign>;

export function signOf(episode: EpisodeView): Sign {
  if (isLost(episode) || episode.worker_state === "gone") return SIGNS.gone;
  if (episode.standing === "foreign") return SIGNS.foreign;
  if (!episode.here) return SIGNS.elsewhere;
  return episode.worker_state === "alive" ? SIGNS.alive : SIGNS.unknown;
}

const STANDING_TONE: Readonly<Record<EpisodeView["standing"], Tone>> = {
  current: "accent",
  open: "plain",
  foreign: "muted",
  stranded: "bad",
};

export function standingSpan(episode: EpisodeView): Span {
  return span(episode.standing, STANDING_TONE[episode.standing]);
}

/** Why an episode counts as stranded. */
export function lossText(episode: EpisodeView): string {
  if (episode.recoverable === "worktree_gone") return "worktree gone";
  if (episode.recoverable === "ended") return "no record";
  if (episode.recoverable === "worker_gone") return "worker gone";
  return episode.standing === "stranded" ? "worktree gone" : "";
}

/** The branch, and where it is when it is not here: as much of the path as there is room for. */
export function placeCell(episode: EpisodeView, home: string | undefined): Cell {
  const branch = show(episode.branch ?? GLYPH.none);
  const { worktree } = episode;
  if (worktree === undefined || (episode.here && episode.standing !== "foreign")) return span(branch);
  const from = episode.standing === "foreign" ? "from " : "";
  return {
    text: `${branch}  ${from}${shortPath(worktree, home)}`,
    shorter: [`${branch}  ${from}…/${show(basename(worktree))}`, branch],
  };
}

/** What recovery would have to work with. */
export function remainsText(episode: EpisodeView): string {
  if (episode.recoverable === "worker_gone" && episode.worker_note !== undefined)
    return show(episode.worker_note);
  return `${compactCount(episode.events)} events kept`;
}
