import type { Balance } from "../../core/labels/terms.ts";
import type { ConsoleState } from "../store.ts";
import { show, span } from "./line.ts";
import type { Line } from "./line.ts";
import { grouped } from "./numbers.ts";

/** The balance of all repositories on screen; undefined until each has answered. */
export function totalBalance(state: ConsoleState): Balance | undefined {
  const parts = state.roots.map((root) => state.repositories[root]?.recovery.data?.balance);
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length || known.length === 0) return undefined;
  const sum = (key: "started" | "closed" | "recovered" | "open" | "unaccounted"): number =>
    known.reduce((total, part) => total + part[key], 0);
  return {
    started: sum("started"),
    closed: sum("closed"),
    recovered: sum("recovered"),
    open: sum("open"),
    unaccounted: sum("unaccounted"),
    agrees: known.every((part) => part.agrees),
    note: known
      .filter((part) => !part.agrees)
      .map((part) => part.note)
      .join("; "),
  };
}

/** `started 48 = closed 41 + recovered 0 + open 7 + unaccounted 0`, shorter where there is less room. */
export function balanceLine(balance: Balance, width: number): Line {
  const { started, closed, recovered, open, unaccounted, agrees } = balance;
  const sum = `started ${grouped(started)} = closed ${grouped(closed)} + recovered ${grouped(recovered)} + open ${grouped(open)}`;
  const long = `${sum} + unaccounted ${grouped(unaccounted)}`;
  const short = `${grouped(started)} = ${grouped(closed)} closed + ${grouped(recovered)} rec + ${grouped(open)} open + ${grouped(unaccounted)}`;
  const tone = agrees && unaccounted === 0 ? "muted" : "warn";
  const middle = `${sum} + ${grouped(unaccounted)}`;
  const text = [long, middle, short].find((candidate) => candidate.length <= width) ?? short;
  return [span(text, tone)];
}

/** The balance, and when it does not come out even, why. */
export function balanceLines(state: ConsoleState, width: number): readonly Line[] {
  const balance = totalBalance(state);
  if (balance === undefined) return [];
  const line = balanceLine(balance, width);
  return balance.agrees || balance.note === "" ? [line] : [line, [span(show(balance.note), "warn")]];
}
