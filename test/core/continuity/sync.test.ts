import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { NEVER } from "../../../src/core/base/cancellation.ts";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { readRecords, readStatus } from "../../../src/core/continuity/status.ts";
import { syncStore } from "../../../src/core/continuity/sync.ts";
import type { SyncAnswer } from "../../../src/core/continuity/sync.ts";
import { git } from "../../support/repository.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine } from "./support/machines.ts";
import { plant } from "./support/plant.ts";

const REFERENCE = "refs/majordomus/continuity";

async function publish(machine: Machine, objective: string): Promise<string> {
  machine.clock.forward(1);
  await machine.handOver(bodyOf(objective));
  return (await publishHandover(await machine.checkout(), {})).record.id;
}

async function sync(machine: Machine, remote?: string): Promise<SyncAnswer> {
  return syncStore(await machine.checkout(), { remote }, { signal: NEVER, progress: () => undefined });
}

function idsAt(directory: string, reference = REFERENCE): string[] {
  const listing =
    git(directory, "for-each-ref", reference) === ""
      ? ""
      : git(directory, "ls-tree", "-r", "--name-only", reference);
  return listing
    .split("\n")
    .filter(Boolean)
    .map((path) => path.slice(8, 40))
    .toSorted();
}

const codes = ({ diagnostics }: Pick<SyncAnswer, "diagnostics">): string[] =>
  diagnostics.map(({ code }) => code);

function notesOf(machine: Machine): {
  last_sync?: { outcome: string; remote: string; detail?: string };
  offers: { record: string }[];
} {
  return JSON.parse(readFileSync(join(machine.root, ".ai/local/state/continuity.json"), "utf8"));
}

/** Moves of the remote's reference, the latest first: the old value, the new value. */
function remoteMoves(remote: string): [string, string][] {
  return readFileSync(join(remote, "logs", REFERENCE), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => [line.slice(0, 40), line.slice(41, 81)]);
}

function expectNoForcedMove(remote: string): void {
  for (const [from, to] of remoteMoves(remote)) {
    if (/^0+$/.test(from)) continue;
    expect(() => git(remote, "merge-base", "--is-ancestor", from, to)).not.toThrow();
  }
}

describe("sync", () => {
  it("carries a record from one machine to another, and says what waits there", async () => {
    const team = await newTeam();
    const [macbook, mini] = [team.machine("macbook"), team.machine("mini")];
    const id = await publish(macbook, "Fix the callback.");
    expect(readStatus(await macbook.checkout())).toMatchObject({
      store: { sync: "never_synced", records: 1 },
      next: ["majordomus continuity sync"],
    });
    const sent = await sync(macbook);
    expect(sent).toMatchObject({
      remote: "origin",
      action: "published",
      outcome: "ok",
      fetched: 0,
      published: 1,
      lines: [{ line: id, relation: "local_only", heads: [id] }],
      store: { sync: "in_sync", remote: "origin" },
      resumable: [],
    });
    const got = await sync(mini);
    expect(got).toMatchObject({
      action: "fetched",
      fetched: 1,
      published: 0,
      lines: [{ line: id, relation: "remote_only", heads: [id] }],
      resumable: [{ id, trust: "undeclared", this_device: false }],
      next: ["majordomus continuity plan"],
    });
    expect(notesOf(mini)).toMatchObject({
      last_sync: { remote: "origin", at: "2026-10-03T18:00:00Z", outcome: "ok" },
      offers: [{ record: id, branch: "main", published_at: "2026-10-03T18:01:00Z" }],
    });
    expect(readStatus(await mini.checkout())).toMatchObject({
      store: { sync: "in_sync", records: 1 },
      resumable: [{ id }],
      diagnostics: [{ code: "continuity.no_device_identity" }],
    });
    expect(await sync(mini)).toMatchObject({
      action: "none",
      fetched: 0,
      published: 0,
      lines: [{ relation: "equal" }],
    });
    expect(existsSync(join(mini.environment["HOME"] ?? "", ".local"))).toBe(false);
    expect(idsAt(team.remote)).toEqual([id]);
    // Nothing of ours is in anybody's way.
    expect(mini.git("branch", "-a")).not.toContain("majordomus");
    expect(mini.git("status", "--porcelain")).toBe("");
    git(team.directory, "clone", "-q", team.remote, "plain");
    expect(git(join(team.directory, "plain"), "for-each-ref")).not.toContain("majordomus");
  });

  it("two that published offline both arrive everywhere, and nothing is forced", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const ids = [await publish(a, "A"), await publish(b, "B")].toSorted();
    expect(await sync(a)).toMatchObject({ action: "published" });
    const second = await sync(b);
    expect(second).toMatchObject({ action: "exchanged", fetched: 1, published: 1 });
    expect(second.lines.map(({ relation }) => relation).toSorted()).toEqual(["local_only", "remote_only"]);
    expect(await sync(a)).toMatchObject({ action: "fetched", fetched: 1, published: 0 });
    for (const place of [a.root, b.root, team.remote]) expect(idsAt(place)).toEqual(ids);
    expect(readStatus(await a.checkout())).toMatchObject({ store: { sync: "in_sync" } });
    expectNoForcedMove(team.remote);
  });

  it("an older record that comes late is taken like any other", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const early = await publish(b, "Early, and sent late");
    a.clock.forward(600);
    await publish(a, "Late");
    await sync(a);
    a.clock.forward(600);
    await sync(a);
    await sync(b);
    expect(await sync(a)).toMatchObject({ action: "fetched", fetched: 1 });
    expect(idsAt(a.root)).toContain(early);
  });

  it("four machines at once: every record is everywhere in the end, every answer is true", async () => {
    const team = await newTeam();
    const machines = ["a", "b", "c", "d"].map((name) => team.machine(name));
    const ids: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      for (const machine of machines) ids.push(await publish(machine, `${machine.name} ${round}`));
      const answers = await Promise.all(machines.map((machine) => sync(machine)));
      for (const [index, answer] of answers.entries()) {
        expect(answer).toMatchObject({ outcome: "ok" });
        // What was said to be sent has arrived.
        const own = idsAt(machines[index]?.root ?? "");
        expect(own.every((id) => idsAt(team.remote).includes(id))).toBe(true);
      }
    }
    for (const machine of machines) await sync(machine);
    for (const machine of machines) {
      expect(idsAt(machine.root)).toEqual(ids.toSorted());
      expect(codes(readRecords(await machine.checkout()))).not.toContain("continuity.diverged");
    }
    expectNoForcedMove(team.remote);
  });

  it("a reference that was deleted or moved back at the remote is healed, and that is said", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const first = await publish(a, "One");
    await sync(a);
    const old = git(team.remote, "rev-parse", REFERENCE);
    const second = await publish(a, "Two");
    await sync(a);
    await sync(b);
    git(team.remote, "update-ref", "-d", REFERENCE);
    const healed = await sync(b);
    expect(healed).toMatchObject({ action: "published", published: 2 });
    expect(codes(healed)).toContain("continuity.remote_lost");
    expect(idsAt(team.remote)).toEqual([first, second].toSorted());
    git(team.remote, "update-ref", REFERENCE, old);
    const again = await sync(a);
    expect(again).toMatchObject({ action: "published", published: 1 });
    expect(codes(again)).toContain("continuity.remote_lost");
    expect(codes(await sync(a))).not.toContain("continuity.remote_lost");
  });

  it("a local reference that was deleted or replaced gets back what was published here", async () => {
    const machine = (await newTeam()).machine("a");
    const ids = [await publish(machine, "One"), await publish(machine, "Two")].toSorted();
    machine.git("update-ref", "-d", REFERENCE);
    const status = readStatus(await machine.checkout());
    expect(codes(status)).toContain("continuity.published_missing");
    expect(status.next).toContain("majordomus continuity sync");
    const answer = await sync(machine);
    expect(answer).toMatchObject({ restored: 2, published: 2 });
    expect(codes(answer)).toContain("continuity.restored");
    expect(idsAt(machine.root)).toEqual(ids);
    machine.git("update-ref", "-d", REFERENCE);
    const third = await publish(machine, "Three");
    expect(idsAt(machine.root)).toEqual([...ids, third].toSorted());
    expect(readStatus(await machine.checkout()).lines).toHaveLength(1);
  });

  it("what plain git fetched by hand is seen at once", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const id = await publish(a, "One");
    await sync(a);
    b.git("fetch", "-q", "origin", `${REFERENCE}:${REFERENCE}`);
    expect(readRecords(await b.checkout()).records).toMatchObject([{ id }]);
    expect(readStatus(await b.checkout()).resumable).toMatchObject([{ id }]);
  });

  it("only the remote that was chosen gets anything, and a second one gets everything again", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const other = join(team.directory, "public.git");
    git(team.directory, "init", "-q", "--bare", other);
    machine.git("remote", "add", "public", other);
    const id = await publish(machine, "One");
    await sync(machine);
    machine.git("push", "-q", "--all", "public");
    expect(idsAt(other)).toEqual([]);
    expect(await sync(machine, "public")).toMatchObject({
      action: "published",
      published: 1,
      remote: "public",
    });
    expect(idsAt(other)).toEqual([id]);
    expect(notesOf(machine).last_sync).toMatchObject({ remote: "public" });
  });

  it("a push hook that syncs does not run into itself, and no hook of the user's runs for ours", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const hook = join(machine.root, ".git/hooks/pre-push");
    mkdirSync(join(hook, ".."), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho ran >> ${team.directory}/ran\nexit 1\n`);
    chmodSync(hook, 0o755);
    await publish(machine, "One");
    expect(await sync(machine)).toMatchObject({ action: "published", outcome: "ok" });
    expect(existsSync(join(team.directory, "ran"))).toBe(false);
  });
});

describe("a remote that does not go along", () => {
  it("is not there: the store is unchanged, and the attempt is noted", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const id = await publish(machine, "One");
    renameSync(team.remote, `${team.remote}.away`);
    const answer = await sync(machine);
    expect(answer).toMatchObject({
      action: "unreachable",
      outcome: "unreachable",
      store: { sync: "never_synced", records: 1 },
      next: ["majordomus continuity sync"],
    });
    expect(codes(answer)).toContain("continuity.remote_unreachable");
    expect(notesOf(machine).last_sync).toMatchObject({ outcome: "unreachable", remote: "origin" });
    renameSync(`${team.remote}.away`, team.remote);
    expect(await sync(machine)).toMatchObject({ action: "published", outcome: "ok" });
    expect(idsAt(team.remote)).toEqual([id]);
  });

  it("never answers: the talk ends in its time", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const server = createServer((socket) => socket.on("error", () => undefined).unref());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    machine.git("remote", "set-url", "origin", `http://wren:hunter2@127.0.0.1:${port}/x.git`);
    writeFileSync(join(machine.root, ".ai/repo/majordomus.yaml"), "sync:\n  timeout_seconds: 1\n");
    const answer = await sync(machine);
    expect(answer).toMatchObject({ action: "unreachable" });
    expect(JSON.stringify(answer)).not.toContain("hunter2");
  });

  it("says what the carrier said, and repeats nobody's password", async () => {
    const machine = (await newTeam()).machine("a");
    machine.git("remote", "set-url", "origin", "ssh://wren:hunter2@example.invalid/x.git");
    machine.git(
      "config",
      "core.sshCommand",
      "sh -c 'echo ssh: connect to host example.invalid port 22: Connection refused >&2; exit 255' --",
    );
    const refused = await sync(machine);
    expect(refused.diagnostics[0]?.message).toMatch(
      /^ssh: connect to host .*: Connection refused: Could not/,
    );
    expect(JSON.stringify([refused, notesOf(machine)])).not.toContain("hunter2");
    machine.git("remote", "set-url", "origin", "http://wren:hunter2@127.0.0.1:1/x.git");
    const answer = await sync(machine);
    expect(answer).toMatchObject({ action: "unreachable" });
    expect(JSON.stringify([answer, notesOf(machine)])).not.toContain("hunter2");
  });

  it("refuses what is sent: what came stays, the rest waits, and the reason is the remote's", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    await publish(b, "B");
    await sync(b);
    const hook = join(team.remote, "hooks/pre-receive");
    mkdirSync(join(hook, ".."), { recursive: true });
    writeFileSync(hook, "#!/bin/sh\necho no >&2\nexit 1\n");
    chmodSync(hook, 0o755);
    await publish(a, "A");
    const answer = await sync(a);
    expect(answer).toMatchObject({ action: "fetched", outcome: "partial", fetched: 1, published: 0 });
    expect(answer.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "continuity.push_refused",
        message: expect.stringContaining("pre-receive hook declined"),
      }),
    );
    expect(answer.store.sync).toBe("pending");
    expect(notesOf(a)).toMatchObject({ last_sync: { outcome: "partial" }, offers: [{ branch: "main" }] });
    chmodSync(hook, 0o644);
    expect(await sync(a)).toMatchObject({ action: "published", published: 1, outcome: "ok" });
  });

  it("is none, or one of several: a person is asked", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    await expect(sync(machine, "nowhere")).rejects.toMatchObject({ exit: 2, subject: "nowhere" });
    for (const name of ["--upload-pack=x", "a..b", "a/b", "a b", ""]) {
      await expect(sync(machine, name)).rejects.toMatchObject({ exit: 2 });
    }
    machine.git("remote", "rename", "origin", "one");
    machine.git("remote", "add", "two", team.remote);
    machine.git("config", "--unset", "branch.main.remote");
    await expect(sync(machine)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining("one, two"),
    });
    expect(codes(readStatus(await machine.checkout()))).toContain("continuity.remote_ambiguous");
    machine.git("remote", "remove", "one");
    expect(await sync(machine)).toMatchObject({ remote: "two" });
    machine.git("remote", "remove", "two");
    const answer = await sync(machine);
    expect(answer).toMatchObject({ action: "no_remote", outcome: "ok", store: { sync: "no_remote" } });
    expect(answer.store).not.toHaveProperty("remote");
    expect(codes(answer)).toContain("continuity.no_remote");
  });

  it("has something else under that name: nothing is taken, nothing is changed", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const id = await publish(machine, "One");
    git(team.remote, "update-ref", REFERENCE, "refs/heads/main");
    await expect(sync(machine)).rejects.toMatchObject({ code: "continuity.not_ours", exit: 10 });
    expect(idsAt(machine.root)).toEqual([id]);
    expect(git(team.remote, "rev-parse", REFERENCE)).toBe(git(team.remote, "rev-parse", "main"));
  });

  it("cancelled before anything came is an error and no change", async () => {
    const machine = (await newTeam()).machine("a");
    const options = { signal: { aborted: true }, progress: () => undefined };
    await expect(syncStore(await machine.checkout(), {}, options)).rejects.toMatchObject({
      code: "cancelled",
    });
  });
});

describe("records that are refused", () => {
  const GOLDEN = join(import.meta.dirname, "../../fixtures/golden/continuity");

  it("leave no file in the store, but for those that only a later version may understand", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const bad = (name: string): Buffer => readFileSync(join(GOLDEN, `bad-${name}.json`));
    const [forged, foreign, truncated] = ["1", "2", "3"].map((digit) => `${digit.repeat(32)}.json`);
    plant(team.remote, {
      [forged ?? ""]: bad("forged"),
      [foreign ?? ""]: bad("foreign"),
      [truncated ?? ""]: bad("truncated"),
      "9bf68b6e2513260958ef1c12ce1d57a5.json": bad("too-new"),
      "85039a51c22c75b3fa8bbd68e485c30f.json": bad("unknown-schema"),
      [`${"4".repeat(32)}.json`]: Buffer.alloc(200_000, 97),
      "README.md": "not a record\n",
    });
    const answer = await sync(machine);
    expect(answer).toMatchObject({ action: "none", fetched: 0, published: 0 });
    expect(new Set(codes(answer))).toEqual(
      new Set([
        "continuity.id_mismatch",
        "continuity.record_malformed",
        "continuity.record_too_large",
        "continuity.schema_too_new",
        "continuity.schema_unknown",
        "continuity.stray_file",
        "continuity.upgrade_required",
        "continuity.no_device_identity",
      ]),
    );
    expect(machine.git("ls-tree", "-r", "--name-only", REFERENCE).split("\n").toSorted()).toEqual(
      [
        "records/README.md",
        `records/${truncated}`,
        "records/85039a51c22c75b3fa8bbd68e485c30f.json",
        "records/9bf68b6e2513260958ef1c12ce1d57a5.json",
      ].toSorted(),
    );
    const id = await publish(machine, "One");
    expect(await sync(machine)).toMatchObject({ action: "published", published: 1, outcome: "ok" });
    expect(idsAt(team.remote)).toContain(id);
    // A later version's record has been carried on, byte for byte.
    expect(
      execFileSync(
        "git",
        ["cat-file", "blob", `${REFERENCE}:records/9bf68b6e2513260958ef1c12ce1d57a5.json`],
        {
          cwd: team.remote,
        },
      ),
    ).toEqual(bad("too-new"));
  });

  it("of a fork are refused whole", async () => {
    const team = await newTeam();
    const machine = team.machine("a");
    const fork = team.machine("fork");
    fork.git("checkout", "-q", "--orphan", "other");
    fork.git("commit", "-q", "-m", "Another beginning");
    await fork.handOver(bodyOf("Foreign"));
    await publishHandover(await fork.checkout(), {});
    await sync(fork);
    const answer = await sync(machine);
    expect(answer).toMatchObject({ fetched: 0, store: { records: 0, sync: "empty" } });
    expect(codes(answer)).toContain("continuity.foreign_repository");
    expect(readStatus(await machine.checkout())).not.toHaveProperty("next");
    expect(idsAt(machine.root)).toEqual([]);
  });

  it("other bytes under a name that is here are a collision: ours stand", async () => {
    const team = await newTeam();
    const [a, b] = [team.machine("a"), team.machine("b")];
    const id = await publish(a, "One");
    await sync(a);
    await sync(b);
    // The same record, written with other blanks: valid, and not the same bytes.
    const text = JSON.stringify(
      JSON.parse(git(team.remote, "cat-file", "blob", `${REFERENCE}:records/${id}.json`)),
    );
    const records = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: team.remote, input: text })
      .toString()
      .trim();
    const inner = execFileSync("git", ["mktree"], {
      cwd: team.remote,
      input: `100644 blob ${records}\t${id}.json\n`,
    })
      .toString()
      .trim();
    const outer = execFileSync("git", ["mktree"], {
      cwd: team.remote,
      input: `040000 tree ${inner}\trecords\n`,
    })
      .toString()
      .trim();
    git(team.remote, "update-ref", REFERENCE, git(team.remote, "commit-tree", "-m", "x", outer));
    const before = a.git("rev-parse", `${REFERENCE}:records/${id}.json`);
    const answer = await sync(a);
    expect(codes(answer)).toContain("continuity.collision");
    expect(a.git("rev-parse", `${REFERENCE}:records/${id}.json`)).toBe(before);
  });
});
