import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { NEVER } from "../../../src/core/base/cancellation.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { syncStore } from "../../../src/core/continuity/sync.ts";
import { devicePath } from "../../../src/core/device/device-key.ts";
import type { FindingsAnswer } from "../../../src/core/health/answers.ts";
import { newPlace } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine } from "./support/machines.ts";
import { plant } from "./support/plant.ts";

const REFERENCE = "refs/majordomus/continuity";
const GOLDEN = join(import.meta.dirname, "../../fixtures/golden/continuity");

/** What the doctor says of what travels, as `LEVEL subject: message`. */
async function judged(machine: Pick<Machine, "checkout">): Promise<string[]> {
  const answer = await runCapability(await machine.checkout(), "doctor", { only: ["continuity"] });
  const { findings } = answer as FindingsAnswer;
  expect(findings.every(({ level, reproduce }) => level === "OK" || reproduce !== undefined)).toBe(true);
  return findings.map(({ level, subject, message }) => `${level} ${subject}: ${message}`);
}

async function publish(machine: Machine): Promise<string> {
  machine.clock.forward(1);
  await machine.handOver(bodyOf("One"));
  return (await publishHandover(await machine.checkout(), {})).record.id;
}

async function sync(machine: Machine): Promise<void> {
  await syncStore(await machine.checkout(), {}, { signal: NEVER, progress: () => undefined });
}

describe("what the doctor says of what travels", () => {
  it("is nothing where nothing does", async () => {
    const machine = (await newTeam()).machine("a");
    expect(await judged(machine)).toEqual(["OK store: nothing travels from here yet"]);
    expect(machine.git("for-each-ref", "refs/majordomus")).toBe("");
  });

  it("is no fault of a repository from which nothing can", async () => {
    const place = await newPlace();
    commitFile(place.root, "more.txt", "more\n");
    const shallow = join(place.root, ".git", "shallow-clone");
    git(place.root, "clone", "-q", "--depth", "1", `file://${place.root}`, shallow);
    const [cut] = await judged({ checkout: () => place.checkout(shallow) });
    expect(cut).toMatch(/^INFO repository: no record can travel: .*shallow clone/);
    place.surroundings.environment = {
      ...place.surroundings.environment,
      HOME: undefined,
      XDG_STATE_HOME: undefined,
    };
    const [homeless] = await judged(place);
    expect(homeless).toMatch(/^INFO repository: no record can travel: .*no place for the device key/);
  });

  it("is what waits: to be sent from here, and to be resumed here", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    await publish(a);
    expect(await judged(a)).toEqual([
      "OK store: 1 record(s), all of them admitted",
      "INFO store: records wait to be sent (never_synced)",
    ]);
    await sync(a);
    expect(await judged(a)).toEqual(["OK store: 1 record(s), all of them admitted"]);
    await sync(b);
    expect(await judged(b)).toEqual([
      "OK store: 1 record(s), all of them admitted",
      "INFO offers: 1 handover(s) of other machines wait to be resumed",
    ]);
  });

  it("is a warning where records were lost, refused or of a later version, or a sync failed", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const id = await publish(machine);
    plant(machine.root, {
      [`${"1".repeat(32)}.json`]: readFileSync(join(GOLDEN, "bad-forged.json")),
      "9bf68b6e2513260958ef1c12ce1d57a5.json": readFileSync(join(GOLDEN, "bad-too-new.json")),
    });
    rmSync(team.remote, { recursive: true });
    await sync(machine);
    const said = await judged(machine);
    expect(said.map((line) => line.replace(/^(\S+ \S+): .*\((\S+)\)$/, "$1 $2")).slice(0, 3)).toEqual([
      `WARN records/${"1".repeat(32)}.json continuity.id_mismatch`,
      "WARN records/9bf68b6e2513260958ef1c12ce1d57a5.json continuity.schema_too_new",
      "WARN store continuity.upgrade_required",
    ]);
    expect(said[3]).toMatch(/^WARN origin: the last sync, at \S+, was unreachable: /);
    machine.git("update-ref", "-d", REFERENCE);
    expect(await judged(machine)).toContainEqual(
      expect.stringMatching(/^WARN store: 1 record.*published_missing/),
    );
    expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, (machine: Machine) => void, RegExp]>([
    [
      "the key is none",
      (machine) => {
        const path = devicePath(machine.environment);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, "{}");
      },
      /is not a device key/,
    ],
    [
      "what this checkout remembers cannot be read",
      (machine) => writeFileSync(join(machine.root, ".ai/local/state/continuity.json"), "[]"),
      /continuity\.json/,
    ],
    [
      "the reference is something else",
      (machine) => machine.git("update-ref", REFERENCE, "HEAD"),
      /refs\/majordomus\/continuity/,
    ],
    [
      "a trust declaration cannot be read",
      (machine) => {
        mkdirSync(join(machine.root, ".ai/repo/mesh"), { recursive: true });
        writeFileSync(join(machine.root, ".ai/repo/mesh/a.yaml"), "schema: mesh/v1\n");
      },
      /a\.yaml/,
    ],
  ])("is a failure where %s", async (_, prepare, expected) => {
    const machine = (await newTeam()).machine("a");
    prepare(machine);
    const [said, ...more] = await judged(machine);
    expect(more).toEqual([]);
    expect(said).toMatch(/^FAIL /);
    expect(said).toMatch(expected);
  });
});
