import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { steadyPatience } from "../src/core/base/patience.ts";
import { systemClock } from "../src/core/base/clock.ts";
import { systemRandom } from "../src/core/base/random.ts";
import { openCheckout } from "../src/core/checkout/open.ts";
import { openContinuity } from "../src/core/continuity/place.ts";
import { RECORD_SCHEMA } from "../src/core/continuity/record.ts";
import { digestOf, formatSignedRecord, signRecord } from "../src/core/continuity/signed-record.ts";
import { readStatus } from "../src/core/continuity/status.ts";
import { nodeIdOf, publicKeyOf } from "../src/core/device/signing.ts";
import { BARE_NODE, compare, figureOf, timed } from "./measure.ts";
import type { Figure } from "./measure.ts";
import { benchDirectory, git, newBenchRepository, PROGRAM } from "./place.ts";
import { describeFigure, ratioRow } from "./row.ts";
import type { Bench, Row } from "./row.ts";

const REFERENCE = "refs/majordomus/continuity";
const RECORDS = 10_000;
const DEVICES = 5;
const NEW_RECORDS = 100;

type Environment = Record<string, string | undefined>;

function run(root: string, environment: Environment, words: readonly string[], input = ""): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    cwd: root,
    env: environment,
    input,
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  const taken = performance.now() - begun;
  if (status !== 0) throw new Error(`${words.join(" ")}: ${String(status)} ${stderr}`);
  return taken;
}

/** Records of a few devices, in lines of ten, of an ordinary length. */
function makeRecords(
  repository: string,
  head: string,
  count: number,
  salt: string,
): { id: string; text: string }[] {
  const devices = Array.from({ length: DEVICES }, (_, index) => {
    const secretKey = digestOf(`${salt}${index}`) + digestOf(`${index}${salt}`);
    const publicKey = publicKeyOf(secretKey);
    return { secretKey, publicKey, node: nodeIdOf(publicKey), label: `device-${index}` };
  });
  const made: { id: string; text: string; line: string }[] = [];
  for (let index = 0; index < count; index += 1) {
    const device = devices[index % DEVICES];
    if (device === undefined) throw new Error("no device");
    const parent = index % 10 === 0 ? undefined : made[index - 1];
    const body = `# Objective\n\nNumber ${salt} ${index}\n\n# Current State\n\n${"Half of it is done. ".repeat(60)}\n\n# Next Action\n\nGo on.\n`;
    const signed = signRecord(
      {
        schema: RECORD_SCHEMA,
        repository,
        device: { node: device.node, label: device.label },
        episode: "none",
        ...(parent === undefined ? {} : { line: parent.line, parent: parent.id }),
        published_at: "2026-10-03T18:00:00Z",
        producer: "bench",
        source: { branch: "main", head, working_tree: "clean", changed_total: 0 },
        handover: { id: digestOf(body), branch: "main", head, body },
      },
      device,
    );
    made.push({ id: signed.id, text: formatSignedRecord(signed), line: parent?.line ?? signed.id });
  }
  return made;
}

/** Puts records under the reference in one go, packed, as a fetch of many leaves them. */
function plant(root: string, records: readonly { id: string; text: string }[]): void {
  const blobs = records.map(
    ({ text }, index) => `blob\nmark :${index + 1}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const files = records.map(({ id }, index) => `M 100644 :${index + 1} records/${id}.json\n`);
  const commit = `commit ${REFERENCE}\ncommitter bench <bench@example.invalid> 1790000000 +0000\ndata 1\nx\n`;
  git(root, ["fast-import", "--quiet", "--force"], blobs.join("") + commit + files.join(""));
}

function limitRow(bar: string, limit: number, figure: Figure): Row {
  return {
    bench: "continuity",
    bar,
    goal: `<= ${limit} ms`,
    measured: describeFigure(figure),
    reached: figure.median <= limit,
    ours: figure,
  };
}

function publishRow(): Row {
  const { root, environment } = newBenchRepository();
  let count = 0;
  const before = (): void => {
    count += 1;
    const body = `# Objective\n\nNumber ${count}\n\n# Current State\n\nRed.\n\n# Next Action\n\nGreen.\n`;
    run(root, environment, ["handover", "--no-task"], body);
  };
  const publish = { arguments: [PROGRAM, "continuity", "publish"], directory: root, environment, before };
  return ratioRow("continuity", "publish", 2.5, compare(publish, BARE_NODE));
}

async function placeOf(
  root: string,
  environment: Environment,
): Promise<{ repository: string; head: string }> {
  const checkout = await openCheckout(root, {
    environment,
    clock: systemClock,
    random: systemRandom,
    patience: steadyPatience(10_000),
  });
  return { repository: openContinuity(checkout).repositoryId, head: checkout.head ?? "" };
}

async function syncRow(): Promise<Row> {
  const { root, environment } = newBenchRepository();
  const remote = join(benchDirectory(), "remote.git");
  git(root, ["clone", "-q", "--bare", root, remote]);
  git(root, ["remote", "add", "origin", remote]);
  const { repository, head } = await placeOf(root, environment);
  const taken = Array.from({ length: 7 }, (_, round) => {
    git(root, ["update-ref", "-d", REFERENCE]);
    git(remote, ["update-ref", "-d", REFERENCE]);
    plant(root, makeRecords(repository, head, NEW_RECORDS, `sync${round}`));
    return run(root, environment, ["continuity", "sync"]);
  });
  return limitRow("sync of 100 new records to a local bare remote", 1000, figureOf(taken));
}

function dropCaches(root: string): void {
  const cache = join(root, ".git/majordomus/cache");
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) if (name.startsWith("continuity-")) rmSync(join(cache, name));
}

async function statusRows(): Promise<Row[]> {
  const { root, environment } = newBenchRepository();
  const { repository, head } = await placeOf(root, environment);
  plant(root, makeRecords(repository, head, RECORDS, "status"));
  const cold = Array.from({ length: 7 }, () => {
    dropCaches(root);
    return run(root, environment, ["continuity", "status"]);
  });
  const kept = Array.from({ length: 7 }, () => run(root, environment, ["continuity", "status"]));
  const checkout = await openCheckout(root, {
    environment,
    clock: systemClock,
    random: systemRandom,
    patience: steadyPatience(10_000),
  });
  return [
    limitRow("first sight of 10,000 records: every signature verified", 5000, figureOf(cold)),
    limitRow("status of 10,000 records, cold: a new process", 1500, figureOf(kept)),
    limitRow(
      "status of 10,000 records, warm",
      150,
      timed(() => void readStatus(checkout)),
    ),
  ];
}

export const continuity: Bench = {
  name: "continuity",
  async *run() {
    yield publishRow();
    yield syncRow();
    yield* await statusRows();
  },
};
