import type { Checkout } from "../checkout/checkout.ts";
import { layoutOf } from "../checkout/layout.ts";
import { endedSessionIds } from "../journal/registration.ts";
import type { Roster } from "../journal/roster.ts";
import { shadowedSessionIds } from "../journal/shadow-journal.ts";
import type { Balance } from "../labels/terms.ts";
import { ledgerFiles } from "./files.ts";
import { summarise } from "./summary-cache.ts";

/** The ids of every account, before they are added up. */
export interface Accounts {
  started: ReadonlySet<string>;
  closed: ReadonlySet<string>;
  recovered: ReadonlySet<string>;
  open: ReadonlySet<string>;
}

/**
 * Adds up: every distinct id that any account knows was started, and stands in exactly one of the other
 * columns. Open comes first (a close that was killed is still open), then recovered, then closed; what is in
 * none is unaccounted for (decisions.md 2).
 */
export function addUp(accounts: Accounts): Balance {
  const ids = new Set([...accounts.started, ...accounts.open, ...accounts.recovered, ...accounts.closed]);
  const totals = { open: 0, recovered: 0, closed: 0, unaccounted: 0 };
  for (const id of ids) {
    if (accounts.open.has(id)) totals.open += 1;
    else if (accounts.recovered.has(id)) totals.recovered += 1;
    else if (accounts.closed.has(id)) totals.closed += 1;
    else totals.unaccounted += 1;
  }
  return {
    started: ids.size,
    closed: totals.closed,
    recovered: totals.recovered,
    open: totals.open,
    unaccounted: totals.unaccounted,
    agrees: totals.unaccounted === 0,
    note: `started ${ids.size} = closed ${totals.closed} + recovered ${totals.recovered} + open ${totals.open} + unaccounted ${totals.unaccounted}`,
  };
}

/** Takes the balance over ledgers and archives of every worktree that exists, registrations and shadow journals. */
export function takeBalance(checkout: Checkout, roster: Roster): Balance {
  const started = new Set<string>();
  const closed = new Set<string>();
  const recovered = new Set<string>();
  const states = new Set([checkout.layout.state]);
  for (const worktree of roster.worktrees.worktrees) {
    if (worktree.exists) states.add(layoutOf(worktree.path, checkout.settings.manifest).state);
  }
  for (const state of states) {
    for (const file of ledgerFiles(state)) {
      const summary = summarise(file);
      for (const id of summary.started) started.add(id);
      for (const id of summary.closed) closed.add(id);
      for (const id of summary.recovered) recovered.add(id);
    }
  }
  const shadowed = shadowedSessionIds(checkout.common);
  for (const id of shadowed.kept) started.add(id);
  // A shadow journal is put away and a registration retired only when the episode was sealed.
  for (const id of [...shadowed.putAway, ...endedSessionIds(checkout.common)]) closed.add(id);
  const open = new Set(roster.entries.map((entry) => entry.sessionId));
  return addUp({ started, closed, recovered, open });
}
