import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Place } from "../scenario/support/place.ts";
import { countEvents, readAll } from "../scenario/support/stores.ts";
import type { Line } from "../scenario/support/stores.ts";
import { FULL } from "../support/full.ts";
import { LIMITS_TABLE, writeMeasured } from "../support/measured.ts";
import { builtProgram, thisProcess } from "./support/actors.ts";
import type { Actor } from "./support/actors.ts";
import { makeSmallDisk } from "./support/small-disk.ts";

/**
 * How many pages of 4 KiB are left when the work begins: none fits nothing, twenty fit nearly all of it. What is
 * done at five of these leaves a mebibyte with room still: each group has a disk of its own.
 */
const GROUPS = FULL
  ? [0, 5, 10, 15].map((first) => Array.from({ length: 5 }, (_, more) => first + more))
  : [[0, 2, 7]];

function decide(place: Place, actor: Actor, title: string) {
  return actor.command(place, ["decision", "add", title, "--why", "the disk is small"]);
}

function linesOf(lines: readonly Line[], event: string, key: string, value: string): Line[] {
  return lines.filter((line) => line.event === event && line[key] === value);
}

function countOf(place: Place, title: string): number {
  const text = readFileSync(join(place.root, ".ai/local/state/decisions.md"), "utf8");
  return text.split("\n").filter((line) => line.startsWith("## ") && line.endsWith(` ${title}`)).length;
}

test.for(GROUPS)(
  "a disk of one mebibyte that is filled up: what was acknowledged stands, and when there is room again all goes on (%j)",
  { timeout: 1_800_000 },
  async (left, { skip }) => {
    const disk = await makeSmallDisk();
    if (typeof disk === "string") return skip(disk);
    const { place } = disk;
    await builtProgram({}).claude(place, "SessionStart", "bystander");
    let refused = 0;
    for (const pages of left) {
      // The built program meets the first full disk, this process the others.
      const actor = pages === 0 ? builtProgram({}) : thisProcess;
      const [title, fresh, ending] = [`Number ${pages}`, `fresh-${pages}`, `ending-${pages}`];
      await actor.claude(place, "SessionStart", ending);
      const before = readAll(place.root).ledger.map((line) => JSON.stringify(line));

      disk.fill(pages);
      const decided = await decide(place, actor, title);
      for (const [sample, session] of [
        ["SessionStart", fresh],
        ["PreCompact.auto", ending],
        ["SessionEnd.logout", ending],
      ] as const) {
        const run = await actor.claude(place, sample, session);
        expect(run, `${sample} with ${pages} pages`).toMatchObject({ status: 0, stderr: "" });
      }
      const full = readAll(place.root);
      expect(full.ledger.map((line) => JSON.stringify(line)).slice(0, before.length)).toEqual(before);
      if (decided.status === 0) expect(countOf(place, title)).toBe(1);
      else {
        refused += 1;
        expect(decided.stderr).toMatch(/^majordomus: [^\n]*ENOSPC[^\n]*\n$/);
      }

      disk.free();
      if (decided.status !== 0) expect(await decide(place, actor, title)).toMatchObject({ status: 0 });
      await actor.claude(place, "SessionStart.resume", fresh);
      await actor.claude(place, "SessionEnd.logout", ending);
      const after = readAll(place.root);
      expect(countOf(place, title)).toBe(1);
      expect(linesOf(after.ledger, "decision.recorded", "decision", title)).toHaveLength(1);
      expect([...after.open.keys()]).toContain(fresh);
      expect([...after.open.keys()]).not.toContain(ending);
      const ids = new Set([...after.registrations, ...after.ended].map((one) => one.session_id));
      expect(ids.size).toBe(1 + 2 * (left.indexOf(pages) + 1));
      for (const id of ids) {
        const counts = countEvents(after.ledger.filter((line) => line.session === id));
        expect(counts["session.started"], id).toBe(1);
        expect(counts["session.closed"] ?? 0, id).toBeLessThanOrEqual(1);
      }
      expect(after.spool).toEqual([]);
    }
    if (left.includes(0)) expect(refused).toBeGreaterThan(0);
    expect(readAll(place.root).records).toHaveLength(left.length);
    writeMeasured(LIMITS_TABLE, [
      `A full disk of 1 MiB, ${left[0]} to ${left.at(-1)} pages of 4 KiB left`,
      `${left.length} fillings, five events and commands at each`,
      `${refused} decision(s) refused with the reason; none lost, none doubled`,
    ]);
  },
);
