import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { openContinuity } from "../../../src/core/continuity/place.ts";
import { planResume } from "../../../src/core/continuity/plan.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { readStatus } from "../../../src/core/continuity/status.ts";
import { addRecords } from "../../../src/core/continuity/write-store.ts";
import { FULL } from "../../support/full.ts";
import { bodyOf, newTeam } from "./support/machines.ts";

const REFERENCE = "refs/majordomus/continuity";
const LENGTH = FULL ? 6 : 3;

function* permutations<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

it(
  "a chain that comes in any order is never refused, is said to dangle until it is whole, and ends in one state",
  { timeout: 1_800_000 },
  async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const chain: { id: string; bytes: Buffer }[] = [];
    for (let index = 0; index < LENGTH; index += 1) {
      a.clock.forward(1);
      await a.handOver(bodyOf(`Number ${index}`));
      const { id } = (await publishHandover(await a.checkout(), {})).record;
      const bytes = execFileSync("git", ["cat-file", "blob", `${REFERENCE}:records/${id}.json`], {
        cwd: a.root,
      });
      chain.push({ id, bytes });
    }
    const checkout = await b.checkout();
    const ends = new Set<string>();
    for (const order of permutations(chain)) {
      if (b.git("for-each-ref", REFERENCE) !== "") b.git("update-ref", "-d", REFERENCE);
      const arrived = new Set<string>();
      for (const file of order) {
        addRecords(openContinuity(checkout), [file], "majordomus continuity: test\n");
        arrived.add(file.id);
        const status = readStatus(checkout);
        expect(status.store).toMatchObject({ records: arrived.size, refused: 0 });
        const dangling = chain.filter(
          ({ id }, index) => index > 0 && arrived.has(id) && !arrived.has(chain[index - 1]?.id ?? ""),
        );
        expect(
          status.diagnostics
            .filter(({ code }) => code === "continuity.dangling_parent")
            .map(({ subject }) => subject),
        ).toEqual(dangling.map(({ id }) => id).toSorted());
      }
      expect(planResume(checkout, {})).toMatchObject({
        status: "ready_with_warnings",
        record: { id: chain.at(-1)?.id },
      });
      const { lines, resumable, diagnostics } = readStatus(checkout);
      ends.add(JSON.stringify([lines, resumable, diagnostics, b.git("rev-parse", `${REFERENCE}^{tree}`)]));
    }
    expect(ends.size).toBe(1);
  },
);
