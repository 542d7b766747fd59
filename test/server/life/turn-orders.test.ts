import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { leaveOrder, orderDirectory } from "../../../src/core/boundary/autosave-order.ts";
import type { AutosaveOrder } from "../../../src/core/boundary/autosave-order.ts";
import { announceTaker, hasTaker } from "../../../src/core/boundary/autosave-taker.ts";
import { commonPaths } from "../../../src/core/checkout/common.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { takeTurnOrders } from "../../../src/server/life/turn-orders.ts";
import type { TurnOrders } from "../../../src/server/life/turn-orders.ts";

/** Notes each order that it carries out, with what it was told by its environment, and takes it. */
const PROGRAM = `
  const { appendFileSync, readFileSync, rmSync } = require("node:fs");
  const [, program, order] = process.argv;
  const { session } = JSON.parse(readFileSync(order, "utf8"));
  const told = Object.keys(process.env).filter((name) => /^(AIGENT|LIFECYCLE|MAJORDOMUS)_/.test(name));
  appendFileSync(program + ".log", JSON.stringify({ session, told, directory: process.cwd() }) + "\\n");
  rmSync(order);
`;
/** Leaves each order where it is, as one that was killed does. */
const IDLE = `require("node:fs").appendFileSync(process.argv[1] + ".log", "{}\\n");`;

const ROOT = "/work tree";
const ENVIRONMENT = {
  PATH: process.env["PATH"],
  AIGENT_ROOT: "/elsewhere",
  AIGENT_STATE_HOME_DIR: "/elsewhere",
  LIFECYCLE_KILL_STOP_WRITER: "1",
  MAJORDOMUS_FAULT: "write:1",
  MAJORDOMUS_NOW: "2020-01-01T00:00:00Z",
  MAJORDOMUS_SERVER: "on",
};
const ORDER: AutosaveOrder = {
  provider: "claude-code",
  session: "one",
  root: ROOT,
  transcript: "/t.jsonl",
  handed: true,
};

let directory: string;
let common: ReturnType<typeof commonPaths>;
let program: string;
const taken = vi.fn<() => void>();
const faults = vi.fn<(reason: string) => void>();

beforeEach(() => {
  directory = realpathSync.native(mkdtempSync(join(tmpdir(), "mj-turn-orders-")));
  common = commonPaths(directory);
  program = join(directory, "carry-out.cjs");
  writeFileSync(program, PROGRAM);
  taken.mockClear();
  faults.mockClear();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

function taking(): TurnOrders {
  const orders = takeTurnOrders({ root: ROOT, common, environment: ENVIRONMENT }, program, {
    onTaken: taken,
    onFault: faults,
  });
  onTestFinished(() => orders.close());
  return orders;
}

function carriedOut(): { session: string; told: string[]; directory: string }[] {
  if (!existsSync(`${program}.log`)) return [];
  return readFileSync(`${program}.log`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const takerFile = (): string => {
  const [name = ""] = readdirSync(orderDirectory(common)).filter((each) => each.startsWith("taker-"));
  return join(orderDirectory(common), name);
};
const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 20 });

describe("a server that takes the orders of ended turns", () => {
  it("starts a process for each, at once, which is told of no diversion", async () => {
    taking();
    const path = leaveOrder(common, ORDER);
    leaveOrder(common, { ...ORDER, session: "two" });
    await soon(() =>
      expect(carriedOut().toSorted((one, other) => (one.session < other.session ? -1 : 1))).toEqual([
        { session: "one", told: ["MAJORDOMUS_SERVER"], directory },
        { session: "two", told: ["MAJORDOMUS_SERVER"], directory },
      ]),
    );
    await soon(() => expect(existsSync(path)).toBe(false));
    expect(taken).toHaveBeenCalledTimes(2);
    expect(faults).not.toHaveBeenCalled();
  });

  it("leaves what a hook started a process for, what another work tree's server takes, and what is no order", async () => {
    const { handed: _, ...own } = ORDER;
    const [first, second] = [
      leaveOrder(common, own),
      leaveOrder(common, { ...ORDER, session: "two", root: "/another" }),
    ];
    writeFileSync(first.replace(/[0-9a-f]{32}/, "f".repeat(32)), "no order");
    writeFileSync(first.replace(/[0-9a-f]{32}/, ".tmp.1"), JSON.stringify(ORDER));
    const orders = taking();
    orders.look();
    leaveOrder(common, { ...ORDER, session: "three" });
    await soon(() => expect(carriedOut().map(({ session }) => session)).toEqual(["three"]));
    expect([first, second].every((path) => existsSync(path))).toBe(true);
  });

  it("starts one process for an order, however often it looks, and one for the order that replaces it", async () => {
    writeFileSync(program, IDLE);
    const orders = taking();
    const path = leaveOrder(common, ORDER);
    for (let look = 0; look < 5; look += 1) orders.look();
    await soon(() => expect(carriedOut()).toHaveLength(1));
    orders.look();
    leaveOrder(common, ORDER);
    utimesSync(path, 1, 1);
    orders.look();
    orders.look();
    await soon(() => expect(carriedOut().length).toBeGreaterThanOrEqual(2));
    expect(taken.mock.calls.length).toBeLessThanOrEqual(3);
  });

  it("takes what was left before it came, and what was left before it goes", async () => {
    leaveOrder(common, ORDER);
    const orders = taking();
    orders.look();
    await soon(() => expect(carriedOut()).toHaveLength(1));
    leaveOrder(common, { ...ORDER, session: "last" });
    orders.close();
    await soon(() => expect(carriedOut().map(({ session }) => session)).toEqual(["one", "last"]));
  });

  it("is named while it takes them, and leaves the name of the one that came in its place", () => {
    expect(hasTaker(common, ROOT)).toBe(false);
    const orders = taking();
    expect(hasTaker(common, ROOT)).toBe(true);
    expect(hasTaker(common, "/another")).toBe(false);
    orders.close();
    expect(hasTaker(common, ROOT)).toBe(false);
    const again = taking();
    announceTaker(common, ROOT, { ...ownProcess(), pid: process.ppid, started: null });
    again.close();
    expect(readFileSync(takerFile(), "utf8")).toBe(`${process.ppid} \n`);
  });

  it("says once why it cannot take any, and answers on", () => {
    writeFileSync(common.root, "in the way");
    const orders = taking();
    orders.look();
    orders.look();
    expect(faults.mock.calls.length).toBeGreaterThan(0);
    expect(new Set(faults.mock.calls.map(([reason]) => reason)).size).toBe(faults.mock.calls.length);
  });
});
