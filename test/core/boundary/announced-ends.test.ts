import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { receiveEvent } from "../../../src/core/boundary/receipt.ts";
import type { LifecycleEvent } from "../../../src/core/boundary/event.ts";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { locateSite } from "../../../src/core/checkout/site.ts";
import { ownEpisode } from "../../../src/core/episode/own.ts";
import { identifyProcess, ownProcess } from "../../../src/core/fs/process.ts";
import { readJournalTail } from "../../../src/core/journal/event-journal.ts";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { readRoster } from "../../../src/core/journal/roster.ts";
import { recordEvent } from "../../../src/core/ledger/record-event.ts";
import { listClosedSessions } from "../../../src/core/records/session-store.ts";
import { judgeEpisodes } from "../../../src/core/health/judge-episodes.ts";
import { readEpisodes } from "../../../src/core/lifecycle/episodes.ts";
import { readRecovery } from "../../../src/core/lifecycle/recovery.ts";
import { readState } from "../../../src/core/lifecycle/state.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";

const LIVE = { processId: process.pid };
const CLEAR = { reason: "clear", closes: true } as const;

function endOf(place: Place, session: string): LifecycleEvent {
  return {
    provider: "claude-code",
    kind: "end",
    name: "SessionEnd",
    session,
    cwd: place.root,
    subagent: false,
    provesCompaction: false,
    ...CLEAR,
  };
}

/** The hook of an end that was killed as soon as its receipt stood. */
async function killedAfterReceipt(place: Place, session: string): Promise<void> {
  const site = locateSite(place.root, place.surroundings);
  const { worktreeIdentity } = await place.checkout();
  if (site === undefined) throw new Error("the repository is gone");
  receiveEvent({ ...site, worktreeIdentity }, endOf(place, session));
}

/** One whose ledger line stands and whose receipt was lost. */
async function killedAfterLine(place: Place, session: string): Promise<void> {
  const checkout = await place.checkout();
  recordEvent(
    checkout,
    "provider.event.received",
    { provider: "claude-code", provider_event: "end", provider_session: session, reason: "clear" },
    { session: await sessionOf(place, session) },
  );
}

async function withBrokenPolicy(place: Place, session: string): Promise<void> {
  const policy = join(place.root, ".ai/repo/policy.yaml");
  const text = readFileSync(policy, "utf8");
  appendFileSync(policy, "<<<<<<< HEAD\n");
  await place.fire("end", session, CLEAR);
  writeFileSync(policy, text);
}

async function withoutLayer(place: Place, session: string): Promise<void> {
  const aside = join(place.root, ".git", "layer");
  renameSync(join(place.root, ".ai"), aside);
  await place.fire("end", session, CLEAR);
  renameSync(aside, join(place.root, ".ai"));
}

/** A seal that cannot be done: a file stands where the records should be. */
async function withoutRoomForRecords(place: Place, session: string): Promise<void> {
  const { sessions } = (await place.checkout()).layout;
  const aside = `${sessions}.aside`;
  renameSync(sessions, aside);
  writeFileSync(sessions, "");
  await place.fire("end", session, CLEAR);
  rmSync(sessions);
  renameSync(aside, sessions);
}

async function sessionOf(place: Place, raw: string): Promise<string> {
  const { common } = await place.checkout();
  return readRegistration(common, "claude-code", raw)?.registration.session_id ?? "";
}

const WAYS = {
  "killed after its receipt": killedAfterReceipt,
  "killed after its ledger line": killedAfterLine,
  "while the policy was unreadable": withBrokenPolicy,
  "while the checkout had no layer": withoutLayer,
  "while no record could be written": withoutRoomForRecords,
};

it.each(Object.entries(WAYS))(
  "an end %s is known to every surface alike, outweighs a live worker, and the next start closes it",
  async (_name, end) => {
    const place = await newPlace();
    await place.fire("start", "one", LIVE);
    const id = await sessionOf(place, "one");
    expect(readEpisodes(await place.checkout()).episodes).toMatchObject([
      { session_id: id, standing: "current", worker_state: "alive" },
    ]);
    place.clock.forward(1);
    await end(place, "one");
    place.clock.forward(1);

    const checkout = await place.checkout();
    const plan = (await runCapability(checkout, "recover.plan", {})) as { actions: object[] };
    expect(plan.actions).toMatchObject([{ session_id: id, reason: "ended without a record" }]);
    const answer = readEpisodes(checkout);
    expect(answer.current).toBeUndefined();
    expect(answer.episodes).toMatchObject([
      { session_id: id, standing: "open", recoverable: "ended", worker_state: "unknown" },
    ]);
    expect(readRecovery(checkout).stranded).toMatchObject([{ session_id: id }]);
    const state = readState(checkout);
    expect(state.session).toBeUndefined();
    expect(state.tallies.stranded).toBe(1);
    expect(judgeEpisodes(checkout).map(({ level, message }) => `${level} ${message}`)[0]).toContain(
      `WARN ${id}: ended without a record`,
    );
    expect(ownEpisode(checkout, readRoster(checkout))).toBeUndefined();
    expect(ownEpisode({ ...checkout, providerSession: "one" }, readRoster(checkout))).toBeUndefined();

    const told = await place.fire("start", "two", { ...LIVE, source: "clear" });
    expect(told).not.toContain("pointer on disk named another");
    expect(listClosedSessions(checkout.layout.sessions).records.map(({ session }) => session)).toMatchObject([
      { session_id: id, outcome: "interrupted" },
    ]);
    expect(readRoster(checkout).entries.map(({ sessionId }) => sessionId)).toEqual([
      await sessionOf(place, "two"),
    ]);
    expect(readRecovery(checkout).balance).toMatchObject({
      started: 2,
      recovered: 1,
      open: 1,
      unaccounted: 0,
    });
    await place.fire("start", "three");
    expect(listClosedSessions(checkout.layout.sessions).records).toHaveLength(1);
  },
);

it("the same session that starts again after such an end goes on in a new episode", async () => {
  const place = await newPlace();
  await place.fire("start", "one");
  const before = await sessionOf(place, "one");
  place.clock.forward(1);
  await killedAfterReceipt(place, "one");
  place.clock.forward(1);
  await place.fire("start", "one", { source: "resume" });
  const { common } = await place.checkout();
  expect(readRegistration(common, "claude-code", "one")?.registration.continues?.session_id).toBe(before);
});

it("a prompt after the end takes the end back: the session is at work, whatever its receipt said", async () => {
  const place = await newPlace();
  await place.fire("start", "one", LIVE);
  const id = await sessionOf(place, "one");
  place.clock.forward(1);
  await killedAfterReceipt(place, "one");
  place.clock.forward(1);
  await place.fire("prompt", "one");
  const checkout = await place.checkout();
  expect(readEpisodes(checkout)).toMatchObject({
    current: id,
    episodes: [{ standing: "current", worker_state: "alive" }],
  });
  await place.fire("start", "two");
  expect(listClosedSessions(checkout.layout.sessions).records).toEqual([]);
});

it("a late stop takes no end back", async () => {
  const place = await newPlace();
  await place.fire("start", "one", LIVE);
  place.clock.forward(1);
  await killedAfterReceipt(place, "one");
  await place.fire("stop", "one");
  expect(readEpisodes(await place.checkout()).episodes).toMatchObject([{ recoverable: "ended" }]);
});

it("an end that its hook is still writing is left to that hook", async () => {
  const place = await newPlace();
  await place.fire("start", "one", LIVE);
  await killedAfterReceipt(place, "one");
  const checkout = await place.checkout();
  const journal = join(checkout.common.events, `${checkout.worktreeIdentity}.jsonl`);
  const parent = process.ppid;
  expect(identifyProcess(parent)).toBeDefined();
  writeFileSync(
    journal,
    readFileSync(journal, "utf8").replaceAll(`"pid":${ownProcess().pid}`, `"pid":${parent}`),
  );
  const plan = (await runCapability(checkout, "recover.plan", {})) as {
    actions: object[];
    skipped: object[];
  };
  expect(plan).toMatchObject({
    actions: [],
    skipped: [{ reason: `its end is being written by pid ${parent}` }],
  });
  await place.fire("start", "two");
  expect(listClosedSessions(checkout.layout.sessions).records).toEqual([]);
  const made = readJournalTail(checkout)
    .at(-1)
    ?.steps?.find(({ step }) => step === "make_up_end");
  expect(made).toMatchObject({ result: "skipped" });
});
