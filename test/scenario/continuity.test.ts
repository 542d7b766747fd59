import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, renameSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { startProgram } from "../support/binary.ts";
import { FULL } from "../support/full.ts";
import { claude } from "./support/hooks.ts";
import { command, commitFile, git, readLine } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import {
  bodyOf,
  continuity,
  forcedMoves,
  handOver,
  makeTeam,
  readRecord,
  recordsAt,
  REFERENCE,
} from "./support/team.ts";

interface Published {
  written: boolean;
  record: { id: string; parent?: string };
}

interface Synced {
  action: string;
  outcome: string;
  fetched: number;
  published: number;
}

async function publish(machine: Place, objective: string): Promise<string> {
  const name = await handOver(machine, objective);
  const { run, answer } = await continuity<Published>(machine, ["publish", "--handover", name]);
  expect(run, run.stdout + run.stderr).toMatchObject({ status: 0 });
  return answer.record.id;
}

/** What lies in a directory of the state, hidden files left out. */
function stateFiles(machine: Place, name: string): string[] {
  const directory = join(machine.root, ".ai/local/state", name);
  return existsSync(directory) ? readdirSync(directory).filter((entry) => !entry.startsWith(".")) : [];
}

/** Every record that another record of the same parent stands beside. */
function forks(directory: string): string[] {
  const parents = recordsAt(directory).flatMap((id) => readRecord(directory, id).record.parent ?? []);
  return parents.filter((parent, index) => parents.indexOf(parent) !== index);
}

test("from a MacBook to a Mac mini, line by line", { timeout: 240_000 }, async () => {
  const { machines, remote } = await makeTeam(["macbook", "mini"]);
  const [macbook, mini] = machines as [Place, Place];
  const on = (machine: Place, ...words: string[]) => command(machine, words);
  const look = (machine: Place, ...words: string[]) => readLine(machine, words);

  // MacBook, once.
  const device = await on(macbook, "continuity", "device", "--label", "macbook-pro");
  expect(device).toMatchObject({ status: 0, stderr: "" });
  expect(device.stdout).toMatch(/^Label: {7}macbook-pro\n/);

  // MacBook, when stopping.
  commitFile(macbook.root, "src/parse.ts", "export {};\n");
  await on(macbook, "start", "fix the callback", "--scope", "src", "--profile", "routine");
  await on(macbook, "decision", "add", "one store", "--why", "fewer clocks");
  const handover = await command(macbook, ["handover", "--close"], { input: bodyOf("Fix the callback.") });
  expect(handover.status).toBe(0);
  // Offline: nothing of this uses the network.
  renameSync(remote, `${remote}.away`);
  const published = await on(macbook, "continuity", "publish", "--issue", "#184");
  expect(published).toMatchObject({ status: 0, stderr: "" });
  expect(published.stdout).toMatch(
    /^published [0-9a-f]{32} .*: begins a line\nnext: majordomus continuity sync\n$/,
  );
  const unreachable = await on(macbook, "continuity", "sync");
  expect(unreachable.status).toBe(10);
  expect(unreachable.stdout).toContain("continuity.remote_unreachable");
  expect((await look(macbook, "continuity", "status")).stdout).toContain("never_synced");
  renameSync(`${remote}.away`, remote);
  git(macbook.root, "push", "-q");
  const sent = await on(macbook, "continuity", "sync");
  expect(sent).toMatchObject({ status: 0, stderr: "" });
  expect(sent.stdout).toContain("origin: sent; 0 fetched, 1 sent");

  // Mac mini: first the records alone, so that the plan says what is missing.
  const synced = await on(mini, "continuity", "sync");
  expect(synced).toMatchObject({ status: 0 });
  expect(synced.stdout).toContain("next: majordomus continuity plan");
  const missing = await on(mini, "continuity", "plan");
  expect(missing.status).toBe(10);
  expect(missing.stdout).toContain("next: git fetch origin");
  git(mini.root, "pull", "-q");
  const status = await on(mini, "continuity", "status");
  expect(status).toMatchObject({ status: 0 });
  expect(status.stdout).toMatch(
    /Resumable: {3}[0-9a-f]{12} .* macbook-pro \(undeclared\) {2}main #184 {2}fix the callback/,
  );
  const briefing = await claude(mini, "SessionStart", "mini-one");
  expect(briefing.stdout).toContain("1 handover of another machine waits to be resumed (on this branch)");
  expect((await look(mini, "status", "--short")).stdout).toContain("1 handover(s) of other machines wait");
  const plan = await on(mini, "continuity", "plan");
  expect(plan.status).toBe(0);
  expect(plan.stdout).toMatch(/^ready_with_warnings: /);
  const [next] =
    /next: (majordomus continuity resume --record [0-9a-f]{12})/.exec(plan.stdout)?.slice(1) ?? [];
  expect(stateFiles(mini, "handovers")).toEqual([]);
  const resumed = await on(mini, ...(next ?? "").split(" ").slice(1));
  expect(resumed).toMatchObject({ status: 0, stderr: "" });
  expect(resumed.stdout).toContain("decisions:   1 carried");
  expect(stateFiles(mini, "handovers")).toHaveLength(1);
  const resolved = await on(mini, "handover", "--resolve");
  expect(resolved.stdout).toContain("# Objective\n\nFix the callback.");
  expect(resolved.stdout).toContain("--continuity--main--");
  expect((await look(mini, "decision", "list")).stdout).toContain("one store");
  expect((await look(mini, "status", "--short")).stdout).not.toContain("machines wait");

  // And back again: the line goes on.
  const id = await publish(mini, "Went on");
  expect(await on(mini, "continuity", "sync")).toMatchObject({ status: 0 });
  expect(await on(macbook, "continuity", "sync")).toMatchObject({ status: 0 });
  const back = await continuity<{ status: string; record: { id: string } }>(macbook, ["plan"]);
  expect(back.answer).toMatchObject({ record: { id } });
  expect(await on(macbook, "continuity", "resume")).toMatchObject({ status: 0 });
  expect((await look(macbook, "continuity", "verify", id)).stdout).toContain("verified: 2 record(s)");
  expect(recordsAt(remote)).toEqual(recordsAt(mini.root));
  expect(git(mini.root, "status", "--porcelain")).toBe("");
  expect(git(mini.root, "branch", "-a")).not.toContain("majordomus");
});

test(
  "machines that publish and sync at the same moments: every record is everywhere, no answer is false, nothing is forced",
  { timeout: 1_800_000 },
  async () => {
    const [clones, rounds, each] = FULL ? [10, 5, 5] : [4, 2, 1];
    const names = Array.from({ length: clones }, (_, index) => `m${index}`);
    const { machines, remote } = await makeTeam(names);
    const ids: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (let record = 0; record < each; record += 1) {
        const made = await Promise.all(
          machines.map((machine, index) => publish(machine, `${index} ${round} ${record}`)),
        );
        ids.push(...made);
      }
      const syncs = await Promise.all(machines.map((machine) => continuity<Synced>(machine, ["sync"])));
      const arrived = new Set(recordsAt(remote));
      for (const [index, { run, answer }] of syncs.entries()) {
        expect(run.signal).toBeNull();
        expect(run.status, JSON.stringify(answer)).toBe(answer.outcome === "ok" ? 0 : 10);
        // Who says that everything was sent has sent everything.
        const own = recordsAt(machines[index]?.root ?? "");
        if (answer.outcome === "ok") expect(own.every((id) => arrived.has(id))).toBe(true);
      }
    }
    await vi.waitFor(
      async () => {
        for (const machine of machines) await continuity<Synced>(machine, ["sync"]);
        for (const { root } of machines) expect(recordsAt(root)).toEqual(ids.toSorted());
      },
      { timeout: 300_000, interval: 10 },
    );
    expect(recordsAt(remote)).toEqual(ids.toSorted());
    expect(forcedMoves(remote)).toEqual([]);
    for (const { root } of machines) {
      expect(forks(root)).toEqual([]);
      git(root, "fsck", "--strict");
    }
  },
);

test("publishers at once in one checkout make one chain, and of one handover one record", async () => {
  const [machine] = (await makeTeam(["only"])).machines as [Place];
  const names: string[] = [];
  for (let index = 0; index < 3; index += 1) names.push(await handOver(machine, `Number ${index}`));
  const same = await Promise.all(names.map(() => continuity<Published>(machine, ["publish"])));
  for (const { run } of same) expect(run.status).toBe(0);
  expect(same.filter(({ answer }) => answer.written)).toHaveLength(1);
  expect(recordsAt(machine.root)).toHaveLength(1);
  const others = await Promise.all(
    names.map((name) => continuity<Published>(machine, ["publish", "--handover", name])),
  );
  for (const { run } of others) expect(run.status).toBe(0);
  expect(forks(machine.root)).toEqual([]);
  const begins = recordsAt(machine.root).filter(
    (id) => readRecord(machine.root, id).record.parent === undefined,
  );
  expect(begins).toHaveLength(1);
});

test("a mirror push that deletes the remote's reference is healed by the next sync, which says so", async () => {
  const { machines, remote, directory } = await makeTeam(["a", "b"]);
  const [a, b] = machines as [Place, Place];
  const id = await publish(a, "One");
  await continuity(a, ["sync"]);
  await continuity(b, ["sync"]);
  const mirror = join(directory, "mirror");
  git(directory, "clone", "-q", remote, mirror);
  git(mirror, "push", "-q", "--mirror");
  expect(recordsAt(remote)).toEqual([]);
  const healed = await command(b, ["continuity", "sync"]);
  expect(healed.status).toBe(0);
  expect(healed.stdout).toContain("continuity.remote_lost");
  expect(recordsAt(remote)).toEqual([id]);
});

describe("killed at any of its operations", () => {
  /** Ever sparser points, or every one. */
  function* points(): Generator<number> {
    for (let point = 1; point < 400; point = FULL ? point + 1 : Math.ceil(point * 1.7)) yield point;
  }

  test(
    "a publication is whole or not there, and the next run completes it without doubling",
    { timeout: 1_800_000 },
    async () => {
      const [machine] = (await makeTeam(["only"])).machines as [Place];
      await publish(machine, "Zero");
      let killed = 0;
      for (const point of points()) {
        const name = await handOver(machine, `At ${point}`);
        const before = recordsAt(machine.root);
        const words = ["publish", "--handover", name];
        const { run } = await continuity<Published>(machine, words, { MAJORDOMUS_FAULT: `kill@${point}` });
        if (run.signal === null) {
          expect(run.status).toBe(0);
          break;
        }
        killed += 1;
        if (killed % 2 === 0) {
          // Whoever comes back writes another handover: what stands of the one before is its parent.
          await publish(machine, `After ${point}`);
        } else {
          const again = await continuity<Published>(machine, words);
          expect(again.run, `kill@${point}: ${again.run.stdout}`).toMatchObject({ status: 0 });
          expect(recordsAt(machine.root), `kill@${point}`).toHaveLength(before.length + 1);
        }
        expect(forks(machine.root), `kill@${point}`).toEqual([]);
      }
      expect(killed).toBeGreaterThan(4);
      const begin = recordsAt(machine.root).filter(
        (id) => readRecord(machine.root, id).record.parent === undefined,
      );
      expect(begin).toHaveLength(1);
      git(machine.root, "fsck", "--strict");
    },
  );

  test(
    "a resume or a sync is completed by the next run, and ends as one clean run does",
    { timeout: 1_800_000 },
    async () => {
      const { machines } = await makeTeam(["a", "b"]);
      const [a, b] = machines as [Place, Place];
      await command(a, ["start", "fix", "--scope", "src", "--profile", "routine"]);
      await command(a, ["decision", "add", "one", "--why", "x"]);
      await command(a, ["handover"], { input: bodyOf("One") });
      const { answer } = await continuity<Published>(a, ["publish"]);
      expect(await continuity(a, ["sync"])).toMatchObject({ run: { status: 0 } });
      const local = join(b.root, ".ai/local/state");
      let killed = 0;
      for (const point of points()) {
        for (const name of ["handovers", "decisions.md", "continuity.json", "locks"]) {
          rmSync(join(local, name), { recursive: true, force: true });
        }
        rmSync(join(b.root, ".git/majordomus/continuity"), { recursive: true, force: true });
        git(b.root, "update-ref", "-d", REFERENCE);
        const fault = { MAJORDOMUS_FAULT: `kill@${point}` };
        const sync = await continuity<Synced>(b, ["sync"], fault);
        expect(await continuity(b, ["sync"]), `sync kill@${point}`).toMatchObject({ run: { status: 0 } });
        expect(recordsAt(b.root)).toEqual([answer.record.id]);
        const resume = await continuity(b, ["resume"], fault);
        killed += [sync.run, resume.run].filter(({ signal }) => signal !== null).length;
        const again = await continuity<{ resumed: boolean }>(b, ["resume", "--record", answer.record.id]);
        expect(again.answer, `resume kill@${point}`).toMatchObject({ resumed: true });
        expect(stateFiles(b, "handovers")).toHaveLength(1);
        const log = readFileSync(join(local, "decisions.md"), "utf8");
        expect(log.match(/^## /gm)).toHaveLength(1);
        expect(JSON.parse(readFileSync(join(local, "continuity.json"), "utf8"))).toMatchObject({
          branches: { main: { record: answer.record.id, via: "resumed" } },
          offers: [],
        });
        if (sync.run.signal === null && resume.run.signal === null) break;
      }
      expect(killed).toBeGreaterThan(4);
    },
  );
});

test("a sync that is interrupted ends at once, and leaves no process behind", async () => {
  const { machines } = await makeTeam(["a"]);
  const [machine] = machines as [Place];
  await publish(machine, "One");
  const server = createServer((socket) => socket.on("error", () => undefined).unref());
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  git(machine.root, "remote", "set-url", "origin", `http://127.0.0.1:${port}/silent.git`);
  const connected = new Promise<void>((resolve) => {
    server.once("connection", () => resolve());
  });
  const started = startProgram(["continuity", "sync"], {
    directory: machine.root,
    environment: machine.environment,
  });
  await connected;
  started.child.kill("SIGINT");
  const run = await started.end;
  expect(run).toMatchObject({ status: 130, signal: null });
  await vi.waitFor(
    () => {
      const processes = execFileSync("ps", ["-eo", "args"], { encoding: "utf8" });
      expect(processes.split("\n").filter((line) => line.includes(`:${port}/silent`))).toEqual([]);
    },
    { timeout: 20_000 },
  );
  server.close();
});

test("bad input is one line, its code and its exit status, and changes nothing", async () => {
  const { machines, directory } = await makeTeam(["a"]);
  const [machine] = machines as [Place];
  const before = git(machine.root, "for-each-ref");
  const cases: readonly [words: string[], status: number, pattern: RegExp][] = [
    [["publish"], 10, /there is no handover to publish/],
    [["publish", "--handover", "../x.md"], 10, /is not the name of a handover/],
    [["sync", "--remote", "--upload-pack=x"], 2, /./],
    [["sync", "--remote", "nowhere"], 2, /is not a remote of this repository/],
    [["device", "--label", "two words"], 2, /is not a device label/],
    [["show", "ffff"], 12, /is no record of this store/],
    [["hide", "ffff"], 12, /is no record of this store/],
    [["verify", "ffff"], 12, /names no file of this store/],
    [["plan", "--record", "ffff"], 12, /record_unknown/],
    [["resume", "--record", "ffff"], 12, /not resumed/],
    [["resume"], 10, /nothing_to_resume/],
    [["plan"], 0, /nothing_to_resume/],
    [["verify"], 0, /verified: 0 record/],
    [["records"], 0, /No record/],
  ];
  for (const [words, status, pattern] of cases) {
    const run = await readLine(machine, ["continuity", ...words]);
    expect(run.status, words.join(" ")).toBe(status);
    expect(run.stdout + run.stderr, words.join(" ")).toMatch(pattern);
    expect(run.stderr.trimEnd().split("\n").length, words.join(" ")).toBe(1);
  }
  expect(git(machine.root, "for-each-ref")).toBe(before);
  const fresh = join(directory, "fresh");
  git(directory, "init", "-q", "-b", "main", fresh);
  const place = { ...machine, root: fresh };
  await command(place, ["init"]);
  const run = await command(place, ["continuity", "status", "--format", "json"]);
  expect(run.status).toBe(10);
  expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: "continuity.no_commits" } });
});
