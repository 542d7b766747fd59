import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { commonPaths } from "../../../src/core/checkout/common.ts";
import { spoolLines } from "../../../src/core/journal/spool.ts";
import { claude } from "../../scenario/support/hooks.ts";
import { startStandIn } from "../../scenario/support/episodes.ts";
import { addWorktree, commitFile, git } from "../../scenario/support/place.ts";
import type { Place } from "../../scenario/support/place.ts";
import { countEvents, readAll } from "../../scenario/support/stores.ts";
import type { Common, Stores } from "../../scenario/support/stores.ts";
import { capsuleText, loadedIn, vaultOf } from "../../scenario/support/capsules.ts";
import type { Run } from "../../support/binary.ts";
import { FULL } from "../../support/full.ts";
import type { Actor } from "./actors.ts";
import { INSTALL } from "./install.ts";
import { makeScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** What stood before the fault. */
export interface Before {
  ledger: readonly string[];
  /** The episode that the operation is about. */
  session?: string;
}

/** Something that the program does, what follows it, and what must hold then. */
export interface Operation {
  name: string;
  /** A hook never fails its provider; a command tells the truth about its last step. */
  isHook: boolean;
  prepare: () => Promise<Scene<Before>>;
  perform: (place: Place, actor: Actor) => Promise<Run>;
  /** The next event or command, where it is another one; what a fault interrupted is whole after it. */
  proceed?: (place: Place, actor: Actor) => Promise<Run>;
  /** Only after the next one is there something to judge. */
  judgesBoth?: true;
  /** Whether the whole of it stands, once, and nothing else has suffered: throws where not. */
  judge: (found: Stores & Common, before: Before, place: Place) => void;
  /** What the two may have printed: the one with the fault, and the next. */
  judgeTold?: (first: Run, next: Run) => void;
}

function ledgerLines(place: Place): string[] {
  const path = join(place.root, ".ai/local/state/ledger.jsonl");
  return readFileSync(path, "utf8").trimEnd().split("\n");
}

function textsOf(found: Stores): string[] {
  return found.ledger.map((line) => JSON.stringify(line));
}

/** Every line that was acknowledged before still stands, first and in its order. */
function expectKept(found: Stores, before: Before): void {
  const kept = before.ledger.map((line) => JSON.stringify(JSON.parse(line)));
  expect(textsOf(found).slice(0, kept.length)).toEqual(kept);
}

/** A bystander's episode and a ledger of some lines: what must not suffer. */
async function beginWith(place: Place): Promise<void> {
  await claude(place, "SessionStart", "bystander");
  await claude(place, "PreCompact.auto", "bystander");
}

/** The pointer is a link, or a copy where the system permits none; what could not be aimed is absent, and never wrong. */
function expectPointer(found: Stores, place: Place, key: string): void {
  if (found.pointer !== undefined) return expect(found.pointer).toBe(join("sessions-open", `${key}.yaml`));
  const state = join(place.root, ".ai/local/state");
  if (!existsSync(join(state, "session-current.yaml"))) return;
  const copy = readFileSync(join(state, "session-current.yaml"), "utf8");
  expect(copy).toBe(readFileSync(join(state, "sessions-open", `${key}.yaml`), "utf8"));
}

function judgeOpened(found: Stores & Common, before: Before, place: Place): void {
  expectKept(found, before);
  expect([...found.open.keys()]).toEqual(["bystander", "subject"]);
  const id = found.open.get("subject")?.["session_id"];
  expect(found.registrations.filter(({ raw_id }) => raw_id === "subject")).toMatchObject([
    { session_id: id },
  ]);
  const lines = found.ledger.filter((line) => line.session === id);
  expect(countEvents(lines)["session.started"]).toBe(1);
  expect(found.shadows).toContain(id);
  expect(found.contexts.filter(({ text }) => text.includes(`session_id: ${id}`))).toHaveLength(1);
  expectPointer(found, place, "subject");
  expect(found.records).toEqual([]);
}

function judgeClosed(found: Stores & Common, before: Before, place: Place): void {
  expectKept(found, before);
  expect([...found.open.keys()]).toEqual(["bystander"]);
  const mine = found.records.filter(({ fields }) => fields["session_id"] === before.session);
  expect(mine).toHaveLength(1);
  expect(mine[0]?.fields).toMatchObject({ schema: "session/v1", outcome: "closed", branch: "main" });
  const lines = found.ledger.filter((line) => line.session === before.session);
  expect(countEvents(lines)).toMatchObject({ "session.started": 1, "session.closed": 1 });
  expect(found.registrations.map(({ raw_id }) => raw_id)).toEqual(["bystander"]);
  const [context] = found.contexts.filter(({ text }) => text.includes(`session_id: ${before.session}`));
  expect(context?.text.split("\n## Close\n")).toHaveLength(2);
  expectPointer(found, place, "bystander");
  expect(found.shadows).not.toContain(before.session);
}

function judgeAppended(found: Stores & Common, before: Before): void {
  expectKept(found, before);
  const received = found.ledger.filter((line) => line.event === "provider.event.received");
  const compactions = received.filter((line) => line["provider_event"] === "compact");
  // One of before, then the one in question; a second attempt is an event of its own.
  expect([2, 3]).toContain(compactions.length);
  expect([...found.open.keys()]).toEqual(["bystander", "subject"]);
}

function judgeRotated(found: Stores, before: Before): void {
  expectKept(found, before);
  expect(countEvents(found.ledger)["session.started"]).toBe(2);
  // A first attempt that was whole is followed by a second rotation, of its own line.
  const rotations = found.ledger.filter((line) => line.event === "ledger.rotated");
  expect(rotations.length).toBeGreaterThan(0);
}

function judgeRecovered(found: Stores & Common, before: Before, place: Place): void {
  expectKept(found, before);
  const lost = (before.session ?? "").split(" ");
  const ids = found.records.map(({ fields }) => fields["session_id"] ?? "");
  expect(ids.toSorted()).toEqual(lost.toSorted());
  for (const { fields } of found.records) expect(fields["outcome"]).toBe("interrupted");
  const recovered = found.ledger.filter((line) => line.event === "session.recovered");
  expect(recovered.map((line) => String(line["session_id"])).toSorted()).toEqual(lost.toSorted());
  expect([...found.open.keys()]).toEqual(["bystander"]);
  expect(found.registrations.map(({ raw_id }) => raw_id)).toEqual(["bystander"]);
  expect(git(place.root, "rev-parse", "lane")).toMatch(/^[0-9a-f]{40}$/);
}

async function openSubject(place: Place): Promise<Before> {
  await beginWith(place);
  await claude(place, "SessionStart", "subject");
  commitFile(place.root, "src/upload.ts", "export const tries = 3;\n");
  await claude(place, "PreCompact.auto", "subject");
  const session = readAll(place.root).open.get("subject")?.["session_id"];
  return { ledger: ledgerLines(place), ...(session === undefined ? {} : { session }) };
}

/** What a start that is killed leaves of two capsules: both whole, the newest spent, none of them told twice. */
function judgeCleared(found: Stores, before: Before, place: Place): void {
  expectKept(found, before);
  const vault = vaultOf(place);
  expect(vault.names()).toEqual(["new.md", "old.md"]);
  for (const name of vault.names()) {
    expect(vault.text(name).replace("status: resumed", "status: active")).toBe(capsuleNamed(name));
  }
  expect(vault.statuses()["new.md"]).toBe("resumed");
  // What follows loads one; the older one only where the newer was spent before.
  expect(["active", "resumed"]).toContain(vault.statuses()["old.md"]);
}

const STAMPS: Readonly<Record<string, string>> = {
  "new.md": "2026-09-04T12:00:00Z",
  "old.md": "2026-09-03T12:00:00Z",
};

/** One capsule is told once, by one start; the one that was spent and not told is named by the next. */
function judgeTold(first: Run, next: Run): void {
  const [before, after] = [loadedIn(first.stdout), loadedIn(next.stdout)];
  // The older one comes first only where the disk did not give the newer: it is told as unreadable, and stays.
  const others: Record<string, readonly string[]> = { new: ["old"], old: ["new"] };
  expect(others[before ?? ""] ?? ["new", "old"]).toContain(after);
  if (before === undefined && after === "old") expect(next.stdout).toContain("new.md");
}

function capsuleNamed(name: string): string {
  return capsuleText(name, { created_at: STAMPS[name] });
}

const CLEAR: Operation = {
  name: "clear",
  isHook: true,
  prepare: () =>
    makeScene(async (place) => {
      await beginWith(place);
      const vault = vaultOf(place);
      for (const name of Object.keys(STAMPS)) vault.raw(name, capsuleNamed(name));
      return { ledger: ledgerLines(place) };
    }),
  perform: (place, actor) => actor.claude(place, "SessionStart.clear", "subject"),
  proceed: (place, actor) => actor.claude(place, "SessionStart.clear", "follower"),
  judgesBoth: true,
  judge: judgeCleared,
  judgeTold,
};

/** Lines that waited for the ledger's lock, three of them equal to each other and to one that stands. */
const DRAIN: Operation = {
  name: "drain",
  isHook: true,
  prepare: () =>
    makeScene(async (place) => {
      await beginWith(place);
      await claude(place, "SessionStart", "subject");
      const before = ledgerLines(place);
      const equal = before.findLast((line) => line.includes("provider.event.received")) ?? "";
      const common = commonPaths(join(place.root, ".git"));
      const state = join(place.root, ".ai/local/state");
      const ledger = join(state, "ledger.jsonl");
      for (const line of [equal, equal, equal.replace('"head":"', '"head":"00000000'), equal]) {
        spoolLines(common, ledger, join(state, "locks/ledger"), [line]);
      }
      return { ledger: before };
    }),
  perform: (place, actor) => actor.claude(place, "Stop", "subject"),
  judge: (found, before) => {
    expectKept(found, before);
    expect([found.spool, found.unusable]).toEqual([[], []]);
    const drained = textsOf(found).slice(before.ledger.length);
    expect(drained.map((line) => line.includes('"head":"00000000'))).toEqual([false, false, true, false]);
    expect(new Set(drained.map((line) => line.replace('"head":"00000000', '"head":"'))).size).toBe(1);
  },
};

const ALWAYS: readonly Operation[] = [
  {
    name: "open",
    isHook: true,
    prepare: () =>
      makeScene(async (place) => {
        await beginWith(place);
        return { ledger: ledgerLines(place) };
      }),
    perform: (place, actor) => actor.claude(place, "SessionStart", "subject"),
    proceed: (place, actor) => actor.claude(place, "SessionStart.resume", "subject"),
    judge: judgeOpened,
  },
  {
    name: "close",
    isHook: true,
    prepare: () => makeScene(openSubject),
    perform: (place, actor) => actor.claude(place, "SessionEnd.logout", "subject"),
    judge: judgeClosed,
  },
  {
    name: "append",
    isHook: true,
    prepare: () =>
      makeScene(async (place) => {
        await beginWith(place);
        await claude(place, "SessionStart", "subject");
        return { ledger: ledgerLines(place) };
      }),
    perform: (place, actor) => actor.claude(place, "PreCompact.manual", "subject"),
    judge: judgeAppended,
  },
  {
    name: "rotate",
    isHook: false,
    prepare: () =>
      makeScene(async (place) => {
        const before = await openSubject(place);
        const policy = join(place.root, ".ai/repo/policy.yaml");
        const text = readFileSync(policy, "utf8");
        writeFileSync(policy, text.replace(/retention_max_lines: \d+/, "retention_max_lines: 3"));
        return before;
      }),
    perform: (place, actor) => actor.command(place, ["history", "--rotate"]),
    judge: judgeRotated,
  },
  {
    name: "recover",
    isHook: false,
    prepare: () =>
      makeScene(async (place) => {
        await beginWith(place);
        const lane = addWorktree(place, "lane");
        await claude(place, "SessionStart", "lost", { root: lane });
        commitFile(lane, "lane.txt", "work\n");
        const worker = startStandIn();
        await claude(place, "SessionStart", "orphaned", { pid: worker.pid });
        await worker.kill();
        git(place.root, "worktree", "remove", "--force", lane);
        const found = readAll(place.root);
        const lost = found.registrations.filter(({ raw_id }) => raw_id !== "bystander");
        return { ledger: ledgerLines(place), session: lost.map(({ session_id }) => session_id).join(" ") };
      }),
    perform: (place, actor) => actor.command(place, ["recover", "all"]),
    // Its status speaks of what it planned; what it could not read it tells, and the next one takes.
    judgesBoth: true,
    judge: judgeRecovered,
  },
  INSTALL,
  DRAIN,
];

/** Everything whose every disk operation is made to fail in a full run. */
export const ALL_OPERATIONS: readonly Operation[] = [...ALWAYS, CLEAR];

/** What spends a capsule is killed and refused in the full run; the quick one does so to the spend alone. */
export const OPERATIONS: readonly Operation[] = FULL ? ALL_OPERATIONS : ALWAYS;
