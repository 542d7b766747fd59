import { GLYPH } from "../glyphs.ts";
import type { ConsoleState } from "../store.ts";
import { ageOf } from "./age.ts";
import { show, span } from "./line.ts";
import type { Line, Tone } from "./line.ts";
import { counted } from "./names.ts";
import { grouped } from "./numbers.ts";
import type { Slices } from "../slices.ts";

type Status = NonNullable<Slices["sync"]["data"]>;

const SYNC_TEXT: Readonly<Record<Status["store"]["sync"], string>> = {
  no_remote: "no remote",
  empty: "nothing published",
  never_synced: "never synced",
  behind: "behind",
  in_sync: "in sync",
  pending: "pending",
  diverged: "diverged",
};

function statusOf(state: ConsoleState): Status[] {
  return state.roots.flatMap((root) => state.repositories[root]?.sync.data ?? []);
}

/** `origin · pending · 1 offer`; a remote that could not be reached is said before all. */
export function syncCounts(state: ConsoleState): string {
  return statusOf(state)
    .map(({ store, last_sync: last, resumable }) =>
      [
        store.remote === undefined ? "" : show(store.remote),
        last?.outcome === "unreachable" ? "unreachable" : SYNC_TEXT[store.sync],
        resumable.length > 0 ? counted(resumable.length, "offer") : "",
        store.refused > 0 ? `${grouped(store.refused)} refused` : "",
      ]
        .filter((part) => part !== "")
        .join(` ${GLYPH.dot} `),
    )
    .join(` ${GLYPH.dot} `);
}

/** This machine, and when it last met the others. */
export function deviceLines(state: ConsoleState): Line[] {
  return statusOf(state).map(({ device, last_sync: last }) => {
    const own =
      device === undefined
        ? [span("this machine has no key yet", "muted")]
        : [span(show(device.label)), span(` (this)  key ${show(device.public_key.slice(0, 8))}`, "muted")];
    const bad = last !== undefined && last.outcome !== "ok";
    const age = ageOf(last?.at, state.now);
    const when = age === "" || age === "now" ? "now" : `${age} ago`;
    const met =
      last === undefined
        ? span("   never synced", "muted")
        : span(`   synced ${when}${bad ? `, ${last.outcome}` : ""}`, bad ? "warn" : "muted");
    return [...own, met];
  });
}

const SHOWN_LINES = 3;
const SHOWN_TRUNK = 4;

/** `─●─●─┬─● laptop`, and below it each other way on: one line of records, its ends named. */
export function lineageLines(state: ConsoleState, width: number): Line[] {
  return state.roots.flatMap((root) => {
    const slices = state.repositories[root];
    const lines = slices?.sync.data?.lines ?? [];
    const diverged = lines.filter(({ state: standing }) => standing === "diverged");
    const labels = new Map(
      (slices?.travelling.data?.records ?? []).map(({ id, device }) => [id, device.label]),
    );
    for (const { id, device } of slices?.sync.data?.resumable ?? []) labels.set(id, device.label);
    // A line of one record has no lineage to show: its record is in the list already.
    const told = lines.filter(({ records }) => records > 1);
    const shown = [...diverged, ...told.filter((line) => !diverged.includes(line))].slice(0, SHOWN_LINES);
    return shown.flatMap(({ id, records, heads, state: standing }) => {
      const trunk = Math.max(0, records - heads.length);
      const dots = "●─".repeat(Math.min(trunk, SHOWN_TRUNK));
      const stem = `line ${show(id.slice(0, 6))}  ${trunk > SHOWN_TRUNK ? "…" : ""}─${dots}`;
      const tone: Tone = standing === "diverged" ? "bad" : "muted";
      return heads.slice(0, SHOWN_LINES).map((head, index): Line => {
        const fork = heads.length === 1 ? "" : index === 0 ? "┬─" : index === heads.length - 1 ? "└─" : "├─";
        const lead = index === 0 ? stem : " ".repeat(stem.length);
        const label = labels.get(head) ?? head.slice(0, 6);
        const word = standing === "diverged" && index === 0 ? "  diverged" : "";
        return [span(`${lead}${fork}●`, tone), span(` ${show(label)}`), span(width >= 40 ? word : "", tone)];
      });
    });
  });
}

/** As many digits of an id as people are shown; a path or a remote whole. */
function shortSubject(subject: string | undefined): string | undefined {
  return subject?.replace(/^([0-9a-f]{12})[0-9a-f]{20}$/, "$1");
}

/** What the view says below its list: this machine, and what is odd about the store. */
export function syncLines(state: ConsoleState): readonly Line[] {
  const odd = statusOf(state).flatMap(({ diagnostics }) =>
    diagnostics
      .filter(({ severity }) => severity !== "info")
      .slice(0, SHOWN_LINES)
      .map(({ message, subject, severity }): Line => [
        span(
          show([shortSubject(subject), message].filter(Boolean).join(": ")),
          severity === "error" ? "bad" : "warn",
        ),
      ]),
  );
  return [...deviceLines(state), ...odd];
}
