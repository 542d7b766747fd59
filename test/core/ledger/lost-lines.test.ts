import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import type { FindingsAnswer } from "../../../src/core/health/answers.ts";
import type { Finding } from "../../../src/core/labels/terms.ts";
import { lostLines } from "../../../src/core/ledger/lost-lines.ts";
import { listClosedSessions } from "../../../src/core/records/session-store.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";

/** Two closed episodes and one that is open. */
async function worked(): Promise<Place & { ledger: string }> {
  const place = await newPlace();
  for (const session of ["one", "two"]) {
    await place.fire("start", session);
    place.clock.forward(1);
    await place.fire("end", session);
    place.clock.forward(1);
  }
  await place.fire("start", "three");
  place.clock.forward(1);
  return { ...place, ledger: (await place.checkout()).layout.ledger };
}

async function ledgerFindings(
  place: Place,
  id: "doctor" | "watch.run" | "history.validate",
): Promise<Pick<Finding, "level" | "message">[]> {
  const { findings } = (await runCapability(await place.checkout(), id, {})) as FindingsAnswer;
  return findings
    .filter(({ category, subject }) => category === "ledger" && subject.endsWith("ledger.jsonl"))
    .map(({ level, message }) => ({ level, message }));
}

const LOSS =
  /^has lost the lines of (\d) episode\(s\) that began here; the shadow journals in \.git\/majordomus\/journal hold (\d+)/;

it("a ledger that is gone is told of, with what the shadow journals hold, until it is put back", async () => {
  const place = await worked();
  expect(lostLines(await place.checkout())).toBeUndefined();
  const lines = readFileSync(place.ledger, "utf8").trimEnd().split("\n");
  const ofEpisodes = lines.filter((line) => line.includes('"session":"s-')).length;
  renameSync(place.ledger, `${place.root}/.git/elsewhere`);
  expect(lostLines(await place.checkout())).toEqual({
    episodes: 3,
    shadowed: { lines: ofEpisodes, episodes: 3, directory: ".git/majordomus/journal" },
  });
  for (const [id, level] of [
    ["doctor", "WARN"],
    ["history.validate", "WARN"],
    ["watch.run", "DRIFT"],
  ] as const) {
    expect(await ledgerFindings(place, id), id).toEqual([{ level, message: expect.stringMatching(LOSS) }]);
  }
  renameSync(`${place.root}/.git/elsewhere`, place.ledger);
  expect(lostLines(await place.checkout())).toBeUndefined();
  expect(await ledgerFindings(place, "doctor")).toMatchObject([{ level: "OK" }]);
});

it("lines that are written after the loss do not hide it", async () => {
  const place = await worked();
  writeFileSync(place.ledger, "");
  await place.fire("start", "four");
  expect(lostLines(await place.checkout())).toMatchObject({ episodes: 3 });
  expect(await ledgerFindings(place, "doctor")).toMatchObject([{ level: "OK" }, { level: "WARN" }]);
  expect(await ledgerFindings(place, "watch.run")).toMatchObject([{ level: "OK" }, { level: "INFO" }]);
});

it("an archive that was thrown away is no loss: the ledger says that its lines were moved", async () => {
  const place = await worked();
  const rotated = '{"ts":"2026-09-04T12:10:00Z","event":"ledger.rotated","archive":"gone","lines":9}\n';
  writeFileSync(place.ledger, rotated);
  expect(lostLines(await place.checkout())).toBeUndefined();
});

it("lines that stand in an archive are not lost", async () => {
  const place = await worked();
  renameSync(place.ledger, join(place.ledger, "../ledger.20260904T121000Z.jsonl.archived"));
  expect(lostLines(await place.checkout())).toBeUndefined();
  appendFileSync(place.ledger, "");
  expect(lostLines(await place.checkout())).toBeUndefined();
});

it("a fresh clone that has only the records of others has lost nothing", async () => {
  const place = await worked();
  git(place.root, "add", "-f", (await place.checkout()).layout.sessions);
  git(place.root, "commit", "-q", "-m", "Keep the records");
  const clone = mkdtempSync(join(tmpdir(), "majordomus-clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  git(clone, "clone", "-q", place.root, ".");
  const checkout = await place.checkout(clone);
  expect(listClosedSessions(checkout.layout.sessions).records).toHaveLength(2);
  expect(lostLines(checkout)).toBeUndefined();
});

it("a worktree answers for its own ledger alone", async () => {
  const place = await worked();
  const linked = `${place.root}-linked`;
  git(place.root, "worktree", "add", "-q", "-b", "other", linked);
  onTestFinished(() => rmSync(linked, { recursive: true, force: true }));
  expect(lostLines(await place.checkout(linked))).toBeUndefined();
});
