import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { orderDirectory } from "../../../src/core/boundary/autosave-order.ts";
import { announceTaker } from "../../../src/core/boundary/autosave-taker.ts";
import { DIVERTING, orderAutosave, startAutosave } from "../../../src/core/boundary/autosave-start.ts";
import type { LifecycleEvent } from "../../../src/core/boundary/event.ts";
import type { Site } from "../../../src/core/checkout/checkout.ts";
import { locateSite } from "../../../src/core/checkout/site.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { newPlace } from "../../support/checkout.ts";

/** A number that no process of this machine has. */
const NOBODY = 0x7fff_fffe;
/** Notes that it was started, and leaves its order where it is. */
const PROGRAM = `require("node:fs").writeFileSync(process.argv[1] + ".started", process.argv[2]);`;

let site: Site;
let event: LifecycleEvent;
let program: string;

beforeEach(async () => {
  const place = await newPlace();
  const directory = mkdtempSync(join(tmpdir(), "mj-autosave-start-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  program = join(directory, "save.cjs");
  writeFileSync(program, PROGRAM);
  const transcript = join(directory, "talk.jsonl");
  writeFileSync(transcript, "{}\n");
  const found = locateSite(place.root, { ...place.surroundings, autosaveProgram: program });
  if (found === undefined) throw new Error("there is no site");
  site = found;
  event = {
    provider: "claude-code",
    name: "Stop",
    kind: "stop",
    session: "one",
    subagent: false,
    autosave: true,
    provesCompaction: false,
    transcriptPath: transcript,
  };
});

const orders = (): { session: string; handed?: true; reply?: string }[] =>
  readdirSync(orderDirectory(site.common))
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(orderDirectory(site.common), name), "utf8")));
const wasStarted = (): boolean => existsSync(`${program}.started`);
const started = (): Promise<void> =>
  vi.waitFor(() => expect(wasStarted()).toBe(true), { timeout: 20_000, interval: 20 });

/** Nothing is saved yet when these are said. */
const LEFT = { result: "done", reason: "an order was left to the server" };
const STARTED = { result: "done", reason: "a process was started" };

describe("the order to save what a turn said", () => {
  it("is left for the work tree's server, and no process is started", () => {
    announceTaker(site.common, site.root, ownProcess());
    expect(orderAutosave(site, { ...event, lastAssistantMessage: "Done." })).toEqual(LEFT);
    expect(orders()).toMatchObject([{ session: "one", root: site.root, handed: true, reply: "Done." }]);
    expect(wasStarted()).toBe(false);
  });

  it.each([
    ["no server ever was", () => undefined],
    ["the server died", () => announceTaker(site.common, site.root, { ...ownProcess(), pid: NOBODY })],
    ["another work tree has the server", () => announceTaker(site.common, "/another", ownProcess())],
    [
      "the server did not take the order before",
      () => {
        announceTaker(site.common, site.root, ownProcess());
        orderAutosave(site, event);
        expect(wasStarted()).toBe(false);
      },
    ],
  ])("starts a process where %s", async (_, prepare) => {
    prepare();
    expect(orderAutosave(site, event)).toEqual(STARTED);
    await started();
    expect(orders()).toEqual([expect.not.objectContaining({ handed: true })]);
  });

  // Elsewhere a hook cannot afford to ask when a process began.
  it.runIf(process.platform === "linux")(
    "starts a process where another one has the server's number",
    async () => {
      announceTaker(site.common, site.root, { ...ownProcess(), started: "1" });
      expect(orderAutosave(site, event)).toEqual(STARTED);
      await started();
    },
  );

  it.each(DIVERTING.filter((name) => name !== "LIFECYCLE_KILL_STOP_WRITER"))(
    "starts a process where %s tells the hook what the server does not know",
    async (name) => {
      announceTaker(site.common, site.root, ownProcess());
      const elsewhere = { ...site, environment: { ...site.environment, [name]: site.root } };
      // Memory is looked for where the environment says.
      expect(orderAutosave(elsewhere, event)).toEqual(STARTED);
      await started();
    },
  );

  it("starts a process at once for an end, whose memory is wanted now", async () => {
    announceTaker(site.common, site.root, ownProcess());
    expect(startAutosave(site, event)).toBeUndefined();
    await started();
  });

  it.each([
    ["no autosave is asked for", { autosave: false }],
    ["the payload names no transcript", { transcriptPath: undefined }],
    ["there is no transcript", { transcriptPath: "/nowhere/at/all.jsonl" }],
  ])("is not given where %s", (reason, more) => {
    announceTaker(site.common, site.root, ownProcess());
    expect(orderAutosave(site, { ...event, ...more } as LifecycleEvent)).toEqual({
      result: "skipped",
      reason,
    });
    expect(existsSync(orderDirectory(site.common)) ? orders() : []).toEqual([]);
  });
});
