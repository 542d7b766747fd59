import type { ServerAnswer } from "../../core/serving/answers.ts";
import type { PeerView } from "../../core/serving/peer-board.ts";
import { GLYPH } from "../glyphs.ts";
import { ageOf } from "../model/age.ts";
import type { Cell } from "../model/columns.ts";
import { show, span } from "../model/line.ts";
import { shortHead, shortId } from "../model/names.ts";

/** The shared server as one row: whether it answers, and about which commit. */
export function serverCells(server: ServerAnswer, now: number): Cell[] {
  const { standing, note, agree, url, begun_at } = server;
  const served = shortHead(server.served_head) || "no commit";
  const here = shortHead(server.repository_head) || "no commit";
  const age = span(ageOf(begun_at, now), "muted");
  if (standing !== "ready") {
    const quiet = standing === "absent" || standing === "starting";
    const tone = quiet ? "muted" : "warn";
    return [
      span(quiet ? GLYPH.elsewhere : GLYPH.gone, tone),
      span("server"),
      { ...span(`${standing}: ${show(note)}`, tone), shorter: [standing] },
      age,
    ];
  }
  const where = show((url ?? "").replace("http://", ""));
  if (agree === false) {
    const texts = [`answers about ${served}, checked out is ${here}`, `about ${served}, here ${here}`];
    return [
      span(GLYPH.diverged, "warn"),
      span("server"),
      { ...span(texts[0] ?? "", "warn"), shorter: texts.slice(1) },
      age,
    ];
  }
  return [
    span(GLYPH.alive, "good"),
    span("server"),
    { ...span(`ready at ${where}, answers about ${served}`), shorter: [`ready, about ${served}`, "ready"] },
    age,
  ];
}

/** A peer as one row: what it announced last. */
export function peerCells({ id, name, connected, claims }: PeerView, now: number): Cell[] {
  const [newest] = claims;
  const who = show(name ?? shortId(id));
  return [
    span(connected ? GLYPH.alive : GLYPH.elsewhere, connected ? "good" : "muted"),
    span("peer"),
    newest === undefined ? span(`${who} announced nothing`, "muted") : span(`${who}: ${show(newest.text)}`),
    span(ageOf(newest?.announced_at, now), "muted"),
  ];
}
