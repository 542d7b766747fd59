import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { Moment } from "../../../src/core/git/moment.ts";
import { nextActionOf } from "../../../src/core/ledger/labelled-record.ts";
import { recordEvent } from "../../../src/core/ledger/record-event.ts";
import { writeCheckpoint } from "../../../src/core/task/checkpoint.ts";
import { writeHandover } from "../../../src/core/task/handover.ts";
import {
  listRecords,
  recordDetail,
  resolveCheckpoint,
  resolveHandover,
} from "../../../src/core/task/resolve.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";

const momentOf = (checkout: Checkout): Moment => new Moment(checkout.repository, checkout.head);
const bodyOf = (next: string): string => `# Objective\na\n# Current State\nb\n# Next Action\n${next}\n`;

async function handOver(place: Place, next: string, directory = place.root): Promise<string> {
  const checkout = await place.checkout(directory);
  return writeHandover(checkout, bodyOf(next), { noTask: true }, {}, momentOf(checkout)).path;
}

async function resolved(place: Place, directory = place.root) {
  const checkout = await place.checkout(directory);
  return resolveHandover(checkout, momentOf(checkout)).record;
}

async function nextAction(place: Place, directory = place.root): Promise<string | undefined> {
  const record = await resolved(place, directory);
  const next = record && nextActionOf(record);
  if (next === undefined) return undefined;
  return "lines" in next ? next.lines.join("\n") : `withheld: ${next.withheld}`;
}

function addWorktree(place: Place, branch: string): string {
  const path = `${place.root}-${branch}`;
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  git(place.root, "worktree", "add", "-q", "-b", branch, path);
  return path;
}

describe("resolving a handover", () => {
  it("takes the newest of this worktree and branch, and says nothing where there is none", async () => {
    const place = await newPlace();
    expect(await resolved(place)).toBeUndefined();
    await handOver(place, "first");
    place.clock.forward(5);
    await handOver(place, "second");
    expect(await nextAction(place)).toBe("second");
  });

  it("orders records of one second by the ledger, whatever their names", async () => {
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
    ]) {
      const place = await newPlace();
      for (const number of [0, 1, 2]) await handOver(place, `number ${number}`);
      const checkout = await place.checkout();
      const names = readdirSync(checkout.layout.handovers);
      const ofNumber = (number: number): string =>
        names.find((name) =>
          readFileSync(join(checkout.layout.handovers, name), "utf8").includes(`number ${number}`),
        ) ?? "";
      for (const number of order) {
        const handover_path = `.ai/local/state/handovers/${ofNumber(number)}`;
        recordEvent(checkout, "task.handed_over", { handover_path, closed: 0 });
      }
      expect(await nextAction(place)).toBe(`number ${order.at(-1)}`);
    }
  });

  it("never offers a record of another branch", async () => {
    const place = await newPlace();
    git(place.root, "switch", "-q", "-c", "other");
    await handOver(place, "of the other branch");
    git(place.root, "switch", "-q", "main");
    expect(await resolved(place)).toBeUndefined();
    const checkout = await place.checkout();
    expect(listRecords(checkout, "handovers", momentOf(checkout), {})).toMatchObject({
      records: [],
      elsewhere: 1,
    });
    const all = listRecords(checkout, "handovers", momentOf(checkout), { all: true });
    expect(all.records).toMatchObject([{ branch: "other", match: null, divergence: "different_context" }]);
  });

  it("never offers a record of a detached HEAD to another worktree", async () => {
    const place = await newPlace();
    const sibling = addWorktree(place, "side");
    git(sibling, "checkout", "-q", "--detach");
    await handOver(place, "detached", sibling);
    git(place.root, "checkout", "-q", "--detach");
    expect(await resolved(place)).toBeUndefined();
    expect(await nextAction(place, sibling)).toBe("detached");
  });

  it("finds by branch what a removed worktree left, and never as this worktree's own", async () => {
    const place = await newPlace();
    const sibling = addWorktree(place, "side");
    const path = await handOver(place, "of the lost worktree", sibling);
    git(place.root, "worktree", "remove", "--force", sibling);
    expect(await resolved(place)).toBeUndefined();
    git(place.root, "worktree", "add", "-q", sibling, "side");
    const record = await resolved(place, sibling);
    expect(record).toMatchObject({ tier: "same_branch", divergence: "exact" });
    expect(record?.path).toContain("/majordomus/records/");
    expect(record?.path.endsWith(path.split("/").at(-1) ?? "?")).toBe(true);
    await handOver(place, "own", sibling);
    expect(await resolved(place, sibling)).toMatchObject({ tier: "same_worktree_same_branch" });
  });

  it("knows its own records again when the worktree or the repository has moved", async () => {
    const place = await newPlace();
    const sibling = addWorktree(place, "side");
    await handOver(place, "of the sibling", sibling);
    const moved = `${sibling}-moved`;
    onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
    git(place.root, "worktree", "move", sibling, moved);
    expect(await resolved(place, moved)).toMatchObject({ tier: "same_worktree_same_branch" });

    await handOver(place, "of the main worktree");
    const elsewhere = `${place.root}-elsewhere`;
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    renameSync(place.root, elsewhere);
    expect(await nextAction(place, elsewhere)).toBe("of the main worktree");
  });

  it("does not take a copied record of another worktree for its own", async () => {
    const place = await newPlace();
    const sibling = addWorktree(place, "side");
    await handOver(place, "theirs", sibling);
    const [here, theirs] = [await place.checkout(), await place.checkout(sibling)];
    mkdirSync(here.layout.handovers, { recursive: true });
    execFileSync("cp", ["-r", `${theirs.layout.handovers}/.`, here.layout.handovers]);
    expect(await resolved(place)).toBeUndefined();
  });

  it("knows one directory by two spellings", async () => {
    const place = await newPlace();
    const link = `${place.root}-link`;
    onTestFinished(() => rmSync(link, { force: true }));
    symlinkSync(place.root, link);
    const path = join(place.root, await handOver(place, "by another spelling"));
    const spelled = readFileSync(path, "utf8").replaceAll(place.root, link);
    rmSync(path);
    const { layout } = await place.checkout();
    writeFileSync(join(layout.handovers, "spelled.md"), spelled);
    expect(await resolved(place)).toMatchObject({ tier: "same_worktree_same_branch" });
  });

  it("keeps a handover that came from another machine below its own, however old that is", async () => {
    const place = await newPlace();
    const path = await handOver(place, "own");
    const checkout = await place.checkout();
    const carried = readFileSync(join(place.root, path), "utf8")
      .replace(/worktree: .*/, "worktree: continuity:0123")
      .replace("created_at: 2026-09-04T12:00:00Z", "created_at: 2026-09-04T12:30:00Z")
      .replace("own\n", "carried\n");
    writeFileSync(
      join(checkout.layout.handovers, "20260904T123000Z--continuity--main--0000000--f.md"),
      carried,
    );
    place.clock.forward(60);
    expect(await nextAction(place)).toBe("own");
    rmSync(join(place.root, path));
    expect(await resolved(place)).toMatchObject({ tier: "same_branch" });
  });
});

describe("labels", () => {
  it("withhold the next action of a stale record, and of one from the future", async () => {
    const place = await newPlace();
    await handOver(place, "do it");
    place.clock.forward(719);
    expect(await resolved(place)).toMatchObject({ freshness: "fresh", ageMinutes: 719 });
    place.clock.forward(1);
    expect(await resolved(place)).toMatchObject({ freshness: "aging" });
    expect(await nextAction(place)).toBe("do it");
    place.clock.set("2026-09-10T12:00:00Z");
    expect(await nextAction(place)).toMatch(/^withheld: the record is stale: 6d old/);
    place.clock.set("2026-09-04T09:00:00Z");
    expect(await resolved(place)).toMatchObject({ freshness: "invalid", ageMinutes: undefined });
    expect(await nextAction(place)).toMatch(/^withheld: .*in the future/);
    await handOver(place, "a normal one, written after it");
    expect(await nextAction(place)).toBe("a normal one, written after it");
  });

  it("follow HEAD: exact, advanced, and diverged once history is rewritten and pruned", async () => {
    const place = await newPlace();
    commitFile(place.root, "a.txt", "a");
    await handOver(place, "x");
    expect(await resolved(place)).toMatchObject({ divergence: "exact" });
    commitFile(place.root, "b.txt", "b");
    expect(await resolved(place)).toMatchObject({ divergence: "advanced" });
    git(place.root, "reset", "-q", "--hard", "HEAD~2");
    commitFile(place.root, "c.txt", "c");
    expect(await resolved(place)).toMatchObject({ divergence: "diverged" });
    git(place.root, "reflog", "expire", "--expire=now", "--all");
    git(place.root, "gc", "-q", "--prune=now");
    expect(await resolved(place)).toMatchObject({ divergence: "diverged" });
    expect(await nextAction(place)).toBe("x");
  });

  it("say where a rebase took the commit of a diverged record", async () => {
    const place = await newPlace();
    git(place.root, "switch", "-q", "-c", "topic");
    commitFile(place.root, "a.txt", "a");
    await handOver(place, "x");
    git(place.root, "switch", "-q", "main");
    commitFile(place.root, "upstream.txt", "u");
    git(place.root, "rebase", "-q", "main", "topic");
    const checkout = await place.checkout();
    const moment = momentOf(checkout);
    const { record } = resolveHandover(checkout, moment);
    expect(recordDetail(checkout, record, moment)).toMatchObject({
      divergence: "diverged",
      rebased_to: checkout.head,
    });
  });

  it("say how the working tree has changed since", async () => {
    const place = await newPlace();
    await handOver(place, "x");
    writeFileSync(join(place.root, "new.txt"), "");
    const checkout = await place.checkout();
    const moment = momentOf(checkout);
    const { record } = resolveHandover(checkout, moment);
    expect(recordDetail(checkout, record, moment)).toMatchObject({
      tree_note: "working tree was clean, now dirty",
    });
  });
});

describe("a store with hostile files", () => {
  it("is read for what is a record; the rest is named", async () => {
    const place = await newPlace();
    const path = await handOver(place, "good");
    const { layout } = await place.checkout();
    const good = readFileSync(join(place.root, path), "utf8");
    const put = (name: string, text: string | Uint8Array): void =>
      writeFileSync(join(layout.handovers, name), text);
    put("1.md", good.replace("schema_version: 1", "schema_version: 2"));
    put("2.md", "no front matter");
    put("3.md", Buffer.concat([Buffer.from(good), Buffer.from([0xff])]));
    put("4.md", good.replace(/^head: .*\n/m, ""));
    put("5.md", `${good}${"x".repeat(1_100_000)}`);
    put(".tmp.abcdef", "half a record");
    put("6.md", good.replaceAll("\n", "\r\n").replace("good", "with CRLF"));
    put("7.md", `\ufeff${good.replace("---\n\n", "later_key: kept\n---\n\n")}`);
    put("README.md", "---\nschema: context/v1\nkind: context\n---\nx\n");
    symlinkSync("/etc/passwd", join(layout.handovers, "8.md"));
    execFileSync("mkfifo", [join(layout.handovers, "9.md")]);
    const checkout = await place.checkout();
    const { record, skipped } = resolveHandover(checkout, momentOf(checkout));
    expect(record).toBeDefined();
    expect(skipped.map(({ path: at }) => at.split("/").at(-1))).toEqual([
      "1.md",
      "2.md",
      "3.md",
      "4.md",
      "5.md",
      "8.md",
      "9.md",
    ]);
    const listed = listRecords(checkout, "handovers", momentOf(checkout), {});
    expect(listed.records).toHaveLength(3);
  });
});

describe("resolving a checkpoint", () => {
  it("prefers a record of the task that is asked for", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    writeCheckpoint(checkout, "outside", {}, momentOf(checkout));
    expect(resolveCheckpoint(checkout, momentOf(checkout)).record?.record.body).toBe("outside\n");
    expect(resolveCheckpoint(checkout, momentOf(checkout), "t-1").record).toBeUndefined();
  });
});
