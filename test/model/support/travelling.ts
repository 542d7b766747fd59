import fc from "fast-check";
import { expect } from "vitest";
import { NEVER } from "../../../src/core/base/cancellation.ts";
import { Lineage } from "../../../src/core/continuity/lineage.ts";
import type { Relation } from "../../../src/core/continuity/lineage.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { resumeRecord } from "../../../src/core/continuity/resume.ts";
import { readRecords } from "../../../src/core/continuity/status.ts";
import { syncStore } from "../../../src/core/continuity/sync.ts";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { runProgram } from "../../support/binary.ts";
import { bodyOf } from "../../core/continuity/support/machines.ts";
import type { Machine, Team } from "../../core/continuity/support/machines.ts";
import { git } from "../../support/repository.ts";

const REFERENCE = "refs/majordomus/continuity";
export const MACHINES = 4;

interface ModelRecord {
  id: string;
  by: number;
  line: string;
  parent: string | undefined;
}

/** What ought to be known where, kept by rules of its own. */
export class TravelModel {
  readonly records = new Map<string, ModelRecord>();
  readonly known: Set<string>[] = Array.from({ length: MACHINES }, () => new Set());
  readonly positions: (string | undefined)[] = Array.from({ length: MACHINES }, () => undefined);
  remote = new Set<string>();
  count = 0;

  /** What this machine published is back in its store as soon as it writes there. */
  heal(machine: number): Set<string> {
    const known = this.known[machine] ?? new Set<string>();
    for (const { id, by } of this.records.values()) if (by === machine) known.add(id);
    return known;
  }

  ancestors(id: string): Set<string> {
    const found = new Set<string>();
    for (let at = this.records.get(id)?.parent; at !== undefined; at = this.records.get(at)?.parent)
      found.add(at);
    return found;
  }

  relation(one: string, other: string): Relation {
    if (one === other) return "equal";
    if (this.records.get(one)?.line !== this.records.get(other)?.line) return "independent";
    if (this.ancestors(other).has(one)) return "newer";
    return this.ancestors(one).has(other) ? "older" : "diverged";
  }
}

export interface TravelWorld {
  team: Team;
  machines: Machine[];
}

export type Step = fc.AsyncCommand<TravelModel, TravelWorld>;

function machineOf({ machines }: TravelWorld, index: number): Machine {
  const machine = machines[index];
  if (machine === undefined) throw new Error(`there is no machine ${index}`);
  return machine;
}

/** What goes wrong at the first try: the disk at one of its operations, or the whole process. */
interface Mishap {
  kind: "none" | "disk" | "kill";
  at: number;
}

/**
 * Does something that goes wrong, and then again without that: the second time it must come to its end.
 *
 * @param words the same as a command line, for the process that is killed in the middle of it.
 * @param between what a person does before the second time.
 */
async function stubbornly<Value>(
  { kind, at }: Mishap,
  machine: Machine,
  words: readonly string[],
  action: () => Promise<Value>,
  between: () => Promise<void> = async () => undefined,
): Promise<Value> {
  if (kind === "kill") {
    const environment = { ...machine.environment, MAJORDOMUS_FAULT: `kill@${at}` };
    await runProgram(["continuity", ...words], { directory: machine.root, environment });
    await between();
  }
  if (kind !== "disk") return action();
  injectFaults(parseFaultPlan(`ENOSPC@${at}:write,link,fsync`));
  try {
    return await action();
  } catch {
    // Whatever stands is completed below.
  } finally {
    injectFaults(undefined);
  }
  await between();
  return action();
}

/** The store of a machine is what the model says, link by link. */
async function expectStore(model: TravelModel, world: TravelWorld, index: number): Promise<void> {
  const answer = readRecords(await machineOf(world, index).checkout());
  expect(answer.refused).toEqual([]);
  const ids = answer.records.map(({ id }) => id);
  expect(ids.toSorted()).toEqual([...(model.known[index] ?? [])].toSorted());
  const links = new Map(
    answer.records.map(({ id, line, parent }) => [
      id,
      { id, line, ...(parent === undefined ? {} : { parent }) },
    ]),
  );
  const lineage = new Lineage(links);
  for (const one of links.values()) {
    const expected = model.records.get(one.id);
    expect(one).toEqual({
      id: one.id,
      line: expected?.line,
      ...(expected?.parent === undefined ? {} : { parent: expected.parent }),
    });
    for (const other of links.values()) {
      const whole = [one.id, other.id].every((id) =>
        [...model.ancestors(id)].every((above) => links.has(above)),
      );
      if (whole) expect(lineage.relation(one, other)).toBe(model.relation(one.id, other.id));
    }
  }
}

function step(
  name: string,
  index: number,
  run: (model: TravelModel, world: TravelWorld) => Promise<void>,
): Step {
  return {
    check: () => true,
    run: async (model, world) => {
      await run(model, world);
      await expectStore(model, world, index);
    },
    toString: () => `${name}(${index})`,
  };
}

function named(name: string, { kind, at }: Mishap): string {
  return kind === "none" ? name : `${name}!${kind}@${at}`;
}

/** @param anew whether another handover is written after what went wrong. */
function publish(index: number, mishap: Mishap, anew: boolean): Step {
  return step(named(anew ? "publish-anew" : "publish", mishap), index, async (model, world) => {
    const machine = machineOf(world, index);
    machine.clock.forward(1);
    model.count += 1;
    await machine.handOver(bodyOf(`Number ${model.count}`));
    const known = model.heal(index);
    const position = model.positions[index];
    const parent = position !== undefined && known.has(position) ? position : undefined;
    const again = async (): Promise<void> => {
      if (!anew) return;
      machine.clock.forward(1);
      await machine.handOver(bodyOf(`Number ${model.count} anew`));
    };
    const { record } = await stubbornly(
      mishap,
      machine,
      ["publish"],
      async () => publishHandover(await machine.checkout(), {}),
      again,
    );
    expect(model.records.has(record.id)).toBe(false);
    const add = (id: string, above: string | undefined): void => {
      const line = above === undefined ? id : (model.records.get(above)?.line ?? "");
      model.records.set(id, { id, by: index, line, parent: above });
      known.add(id);
      model.positions[index] = id;
    };
    // What went wrong may have come to its end all the same: then the other handover goes on from it.
    const { records } = readRecords(await machine.checkout());
    const cut = records.filter(({ id }) => id !== record.id && !model.records.has(id));
    expect(cut.length).toBeLessThanOrEqual(anew && mishap.kind !== "none" ? 1 : 0);
    for (const { id } of cut) add(id, parent);
    const above = cut[0]?.id ?? parent;
    expect(cut.map((one) => one.parent)).toEqual(cut.map(() => parent));
    expect(record.parent).toBe(above);
    add(record.id, above);
  });
}

function sync(index: number, mishap: Mishap): Step {
  return step(named("sync", mishap), index, async (model, world) => {
    const machine = machineOf(world, index);
    const known = model.heal(index);
    const answer = await stubbornly(mishap, machine, ["sync"], async () =>
      syncStore(await machine.checkout(), {}, { signal: NEVER, progress: () => undefined }),
    );
    expect(answer.outcome).toBe("ok");
    for (const id of model.remote) known.add(id);
    for (const id of known) model.remote.add(id);
  });
}

function resume(index: number, choice: number, mishap: Mishap): Step {
  return step(named("resume", mishap), index, async (model, world) => {
    const ids = [...(model.known[index] ?? [])].toSorted();
    const id = ids[choice % ids.length];
    if (id === undefined) return;
    const machine = machineOf(world, index);
    const answer = await stubbornly(mishap, machine, ["resume", "--record", id], async () =>
      resumeRecord(await machine.checkout(), { record: id }),
    );
    expect(answer.resumed, JSON.stringify(answer.plan)).toBe(true);
    const position = model.positions[index];
    const stays =
      position !== undefined &&
      (position === id ||
        (model.ancestors(position).has(id) &&
          [position, ...model.ancestors(position)].every((at) => model.known[index]?.has(at) || at === id)));
    if (!stays) model.positions[index] = id;
  });
}

function forget(index: number): Step {
  return step("forget", index, async (model, world) => {
    const machine = machineOf(world, index);
    if (machine.git("for-each-ref", REFERENCE) !== "") machine.git("update-ref", "-d", REFERENCE);
    model.known[index]?.clear();
  });
}

function loseRemote(index: number): Step {
  return step("lose-remote", index, async (model, world) => {
    if (git(world.team.remote, "for-each-ref", REFERENCE) !== "")
      git(world.team.remote, "update-ref", "-d", REFERENCE);
    model.remote.clear();
  });
}

/** What people and accidents do to travelling records, in any order. */
export function travelSteps(): fc.Arbitrary<Step>[] {
  const machine = fc.nat(MACHINES - 1);
  const mishap = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Mishap>({ kind: "none", at: 0 }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant<Mishap["kind"]>("disk"),
        at: fc.integer({ min: 1, max: 12 }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant<Mishap["kind"]>("kill"),
        at: fc.integer({ min: 1, max: 60 }),
      }),
    },
  );
  return [
    fc.tuple(machine, mishap, fc.boolean()).map(([index, at, anew]) => publish(index, at, anew)),
    fc.tuple(machine, mishap).map(([index, at]) => sync(index, at)),
    fc.tuple(machine, mishap).map(([index, at]) => sync(index, at)),
    fc.tuple(machine, fc.nat(), mishap).map(([index, choice, at]) => resume(index, choice, at)),
    machine.map(forget),
    machine.map(loseRemote),
  ];
}

/** After everybody has synced twice, everybody has everything that anybody was told is published. */
export async function expectUnion(model: TravelModel, world: TravelWorld): Promise<void> {
  for (let round = 0; round < 2; round += 1) {
    for (let index = 0; index < MACHINES; index += 1)
      await sync(index, { kind: "none", at: 0 }).run(model, world);
  }
  const all = [...model.records.keys()].toSorted();
  for (const known of model.known) expect([...known].toSorted()).toEqual(all);
  expect([...model.remote].toSorted()).toEqual(all);
}
