import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCapability } from "../../../../src/core/capabilities/run.ts";
import type { FindingsAnswer } from "../../../../src/core/health/answers.ts";
import { newPlace } from "../../../support/checkout.ts";
import type { Place } from "../../../support/checkout.ts";

const LEDGER = ".ai/local/state/ledger.jsonl";

async function ask(place: Place, id: string, input: object = {}): Promise<unknown> {
  return runCapability(await place.checkout(), id, input);
}

async function warnings(place: Place): Promise<string[]> {
  const { findings } = (await ask(place, "doctor.records")) as FindingsAnswer;
  return findings
    .filter(({ message }) => message.startsWith("no ledger line tells of it"))
    .map(({ level, subject }) => `${level} ${subject}`);
}

/** A place whose ledger begins a day before, and where nothing is written just now. */
async function newWork(): Promise<Place> {
  const place = await newPlace();
  await ask(place, "task.start", { task: "split the parser", scope: ["lib"] });
  place.clock.forward(24 * 60);
  return place;
}

/** What a kill between a record and its line leaves: all that the disk was asked for up to the ledger. */
async function stopped(place: Place, act: () => Promise<unknown>): Promise<void> {
  const before = readFileSync(join(place.root, LEDGER));
  await act();
  writeFileSync(join(place.root, LEDGER), before);
}

const write = (place: Place, body: string) => () => ask(place, "checkpoint.write", { body });

describe("what stands without its ledger line", () => {
  it("is named, each record once, and nothing that has its line", async () => {
    const place = await newWork();
    await write(place, "Half.")();
    await ask(place, "decision.add", { title: "One cache", why: "two clocks" });
    await stopped(place, write(place, "Lost."));
    place.clock.forward(1);
    await stopped(place, () => ask(place, "handover.write", { derive: true }));
    await stopped(place, () => ask(place, "decision.add", { title: "One clock", why: "two caches" }));
    place.clock.forward(24 * 60);
    await write(place, "Whole.")();
    const { layout } = await place.checkout();
    const [handover = ""] = readdirSync(layout.handovers);
    const lost = readdirSync(layout.checkpoints).find((name) =>
      readFileSync(join(layout.checkpoints, name), "utf8").includes("Lost."),
    );
    expect((await warnings(place)).toSorted()).toEqual([
      `WARN .ai/local/state/checkpoints/${lost}`,
      `WARN .ai/local/state/handovers/${handover}`,
      expect.stringMatching(/^WARN decisions\.md:\d+$/u),
    ]);
  });

  it("is not what may still get its line: what waits, and what was written within the minute", async () => {
    const place = await newWork();
    await stopped(place, write(place, "Lost."));
    expect(await warnings(place)).toEqual([]);
    place.clock.forward(2);
    expect(await warnings(place)).toHaveLength(1);
    const { common } = await place.checkout();
    mkdirSync(common.spool, { recursive: true });
    writeFileSync(join(common.spool, "00000001.json"), "{}");
    expect(await warnings(place)).toEqual([]);
  });

  it("is not what another machine wrote, nor what is older than the ledger, nor what its archive tells of", async () => {
    const place = await newWork();
    await write(place, "Half.")();
    await stopped(place, write(place, "From elsewhere."));
    place.clock.forward(2);
    const { layout, root } = await place.checkout();
    const elsewhere = readdirSync(layout.checkpoints)
      .map((name) => join(layout.checkpoints, name))
      .find((path) => readFileSync(path, "utf8").includes("From elsewhere."));
    const text = readFileSync(elsewhere ?? "", "utf8");
    writeFileSync(elsewhere ?? "", text.replace(`worktree: ${root}`, "worktree: continuity:desk"));
    expect(await warnings(place)).toEqual([]);
    // All lines but the newest go to an archive, and that is thrown away.
    const ledger = readFileSync(layout.ledger, "utf8").trimEnd().split("\n");
    place.clock.forward(60);
    await write(place, "Whole.")();
    const newest = readFileSync(layout.ledger, "utf8").trimEnd().split("\n").at(-1) ?? "";
    const archive = join(layout.state, "ledger.20260905T130000Z.jsonl.archived");
    writeFileSync(archive, `${ledger.join("\n")}\n`);
    writeFileSync(layout.ledger, `${newest}\n`);
    place.clock.forward(2);
    expect(await warnings(place)).toEqual([]);
    renameSync(archive, join(root, basename(archive)));
    expect(await warnings(place)).toEqual([]);
  });
});
