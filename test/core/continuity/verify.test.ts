import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeDevice } from "../../../src/core/continuity/device.ts";
import { hideRecord } from "../../../src/core/continuity/hide.ts";
import { planResume } from "../../../src/core/continuity/plan.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { showRecord } from "../../../src/core/continuity/show.ts";
import { readStatus } from "../../../src/core/continuity/status.ts";
import { verifyRecords } from "../../../src/core/continuity/verify.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine } from "./support/machines.ts";

const REFERENCE = "refs/majordomus/continuity";

async function publish(machine: Machine, objective: string): Promise<string> {
  machine.clock.forward(1);
  await machine.handOver(bodyOf(objective));
  return (await publishHandover(await machine.checkout(), {})).record.id;
}

/** Replaces the store by these files. */
function replant(machine: Machine, files: Record<string, string>): void {
  const input = (command: string[], text: string): string =>
    execFileSync("git", command, { cwd: machine.root, input: text }).toString().trim();
  const entries = Object.entries(files).map(
    ([id, text]) => `100644 blob ${input(["hash-object", "-w", "--stdin"], text)}\t${id}.json\n`,
  );
  const records = input(["mktree"], entries.join(""));
  const tree = input(["mktree"], `040000 tree ${records}\trecords\n`);
  machine.git("update-ref", REFERENCE, machine.git("commit-tree", "-m", "x", tree));
}

/** The store's files, byte for byte. */
function filesOf(machine: Machine, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    ids.map((id) => [
      id,
      execFileSync("git", ["cat-file", "blob", `${REFERENCE}:records/${id}.json`], {
        cwd: machine.root,
      }).toString(),
    ]),
  );
}

describe("verify", () => {
  it("proves a record and its chain, and all records, from the store alone", async () => {
    const machine = (await newTeam()).machine("a");
    const ids = [
      await publish(machine, "One"),
      await publish(machine, "Two"),
      await publish(machine, "Three"),
    ];
    const head = machine.git("rev-parse", "HEAD");
    const checkout = await machine.checkout();
    expect(verifyRecords(checkout, {})).toMatchObject({ holds: true, records: 3, reference: REFERENCE });
    // No key of this machine has a part in it.
    machine.environment["HOME"] = undefined;
    expect(verifyRecords(await machine.checkout(), {})).toMatchObject({ holds: true, records: 3 });
    const answer = verifyRecords(checkout, { record: ids[2]?.slice(0, 10) });
    expect(answer).toMatchObject({ holds: true, records: 3 });
    expect(answer.chain?.map(({ record }) => record)).toEqual(ids.toReversed());
    expect(answer.chain?.[0]).toMatchObject({
      holds: true,
      path: `records/${ids[2]}.json`,
      branch: "main",
      head,
      head_here: true,
      public_key: expect.stringMatching(/^[0-9a-f]{64}$/),
      handover: { id: expect.stringMatching(/^[0-9a-f]{32}$/), name: expect.stringMatching(/\.md$/) },
    });
  });

  it("names the first thing that does not hold, and its code", async () => {
    const machine = (await newTeam()).machine("a");
    const [one, two, three] = [
      await publish(machine, "One"),
      await publish(machine, "Two"),
      await publish(machine, "Three"),
    ];
    const files = filesOf(machine, [one, two, three]);
    const checkout = await machine.checkout();
    const verify = (record?: string) => verifyRecords(checkout, { record });

    // Altered in the middle: its successors do not stand either.
    replant(machine, { ...files, [two]: (files[two] ?? "").replace("Two", "Tow") });
    expect(verify(three)).toMatchObject({
      holds: false,
      broken: { record: two, code: "continuity.id_mismatch" },
    });
    expect(verify(two)).toMatchObject({
      holds: false,
      broken: { record: two, code: "continuity.id_mismatch" },
    });
    expect(verify(one)).toMatchObject({ holds: true });
    expect(verify()).toMatchObject({ holds: false, broken: { code: "continuity.id_mismatch" } });

    // Missing in the middle.
    replant(machine, { [one]: files[one] ?? "", [three]: files[three] ?? "" });
    expect(verify(three)).toMatchObject({
      holds: false,
      broken: { record: three, code: "continuity.dangling_parent" },
      chain: [{ record: three, holds: false, code: "continuity.dangling_parent" }],
    });

    // A signature of somebody else's.
    const forged = JSON.parse(files[two] ?? "") as { signature: string };
    const other = JSON.parse(files[one] ?? "") as { signature: string };
    replant(machine, { ...files, [two]: JSON.stringify({ ...forged, signature: other.signature }) });
    expect(verify(two)).toMatchObject({
      holds: false,
      broken: { record: two, code: "continuity.bad_signature" },
    });
    expect(() => verify("ffffffff")).toThrow(expect.objectContaining({ exit: 12 }));
    expect(() => verify("")).toThrow(expect.objectContaining({ exit: 12 }));
  });

  it("finds nothing proved in a reference that somebody moved to other things", async () => {
    const machine = (await newTeam()).machine("a");
    await publish(machine, "One");
    machine.git("update-ref", REFERENCE, "HEAD");
    expect(verifyRecords(await machine.checkout(), {})).toMatchObject({
      holds: false,
      records: 0,
      broken: { record: REFERENCE, code: "continuity.stray_file" },
    });
  });

  it("does not believe what was judged before", async () => {
    const machine = (await newTeam()).machine("a");
    const id = await publish(machine, "One");
    const cache = join(machine.root, ".git/majordomus/cache");
    const name = readdirSync(cache).find((entry) => entry.endsWith(".jsonl")) ?? "";
    const text = filesOf(machine, [id])[id] ?? "";
    replant(machine, { [id]: text.replace("One", "Eno") });
    const blob = machine.git("rev-parse", `${REFERENCE}:records/${id}.json`);
    const kept = JSON.parse(readFileSync(join(cache, name), "utf8").split("\n")[0] ?? "") as {
      summary: object;
    };
    writeFileSync(
      join(cache, name),
      `${JSON.stringify({ ...kept, blob, summary: { ...kept.summary, blob } })}\n`,
    );
    expect(verifyRecords(await machine.checkout(), { record: id })).toMatchObject({ holds: false });
  });
});

describe("hide", () => {
  it("offers a record no more here, and nowhere else, until that is undone", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const id = await publish(a, "One");
    b.git("fetch", "-q", a.root, `${REFERENCE}:${REFERENCE}`);
    const checkout = await b.checkout();
    expect(readStatus(checkout).resumable).toHaveLength(1);
    expect(hideRecord(checkout, { record: id.slice(0, 6) })).toMatchObject({
      hidden: true,
      changed: true,
      record: { id },
    });
    expect(hideRecord(checkout, { record: id })).toMatchObject({ hidden: true, changed: false });
    expect(readStatus(checkout)).toMatchObject({ resumable: [], store: { records: 1 } });
    expect(planResume(checkout, {})).toMatchObject({ status: "nothing_to_resume" });
    // Who names it still gets it.
    expect(planResume(checkout, { record: id })).toMatchObject({ record: { id, hidden: true } });
    expect(readFileSync(join(b.root, ".ai/local/state/continuity.json"), "utf8")).not.toContain("hidden");
    expect(hideRecord(checkout, { record: id, undo: true })).toMatchObject({ hidden: false, changed: true });
    expect(readStatus(checkout).resumable).toHaveLength(1);
    const unknown = id.startsWith("ff") ? "00" : "ff";
    expect(() => hideRecord(checkout, { record: unknown })).toThrow(expect.objectContaining({ exit: 12 }));
  });
});

describe("show", () => {
  it("gives one record whole, and its place", async () => {
    const machine = (await newTeam()).machine("a");
    const [one, two] = [await publish(machine, "One"), await publish(machine, "Two")];
    const checkout = await machine.checkout();
    expect(showRecord(checkout, { record: two })).toMatchObject({
      path: `records/${two}.json`,
      signed: { id: two, record: { parent: one } },
      lineage: { line: one, state: "linear", chain: [two, one], children: [], heads: [two] },
    });
    expect(showRecord(checkout, { record: one }).lineage.children).toEqual([two]);
  });
});

describe("device", () => {
  it("is made on first use, named, and never replaced", async () => {
    const machine = (await newTeam()).machine("a");
    const checkout = await machine.checkout();
    const first = describeDevice(checkout, {});
    expect(first.label).toBe(first.node.slice(0, 8));
    expect(describeDevice(checkout, { label: "macbook-pro" })).toEqual({ ...first, label: "macbook-pro" });
    expect(await publishHandover(checkout, {}).catch((error: unknown) => error)).toMatchObject({ exit: 10 });
    expect(await publish(machine, "One")).toMatch(/^[0-9a-f]{32}$/);
    expect(readStatus(checkout).resumable).toEqual([]);
    expect(() => describeDevice(checkout, { label: "two words" })).toThrow(
      expect.objectContaining({ exit: 2 }),
    );
    writeFileSync(first.path, "{}");
    expect(() => describeDevice(checkout, {})).toThrow(
      expect.objectContaining({ code: "device.unreadable" }),
    );
    await machine.handOver(bodyOf("Two"));
    await expect(publishHandover(checkout, {})).rejects.toMatchObject({ code: "device.unreadable" });
    expect(() => readStatus(checkout)).toThrow(expect.objectContaining({ code: "device.unreadable" }));
    expect(readFileSync(first.path, "utf8")).toBe("{}");
  });

  it("needs a place: without one nothing is signed and nothing written", async () => {
    const machine = (await newTeam()).machine("a");
    machine.environment["HOME"] = undefined;
    await machine.handOver(bodyOf("One"));
    await expect(publishHandover(await machine.checkout(), {})).rejects.toMatchObject({
      code: "device.no_home",
    });
    expect(machine.git("for-each-ref", "refs/majordomus")).toBe("");
    expect(existsSync(join(machine.root, ".ai/local/state/continuity.json"))).toBe(false);
    mkdirSync(dirname(join(machine.root, "x")), { recursive: true });
  });
});
