import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { judgeProcess, ownProcess } from "../../../src/core/fs/process.ts";
import { announceAtServer, readPeers } from "../../../src/core/serving/board-of-server.ts";
import { dropLease, endServer } from "../../../src/core/serving/end-server.ts";
import { ensureServer } from "../../../src/core/serving/ensure.ts";
import type { Ensured } from "../../../src/core/serving/ensure.ts";
import type { Executable } from "../../../src/core/serving/executable.ts";
import { readLease } from "../../../src/core/serving/lease.ts";
import type { LeasePlace } from "../../../src/core/serving/lease.ts";
import { probeServer } from "../../../src/core/serving/probe.ts";
import { anotherProcess, place, putLease, readyLease, TOKEN } from "./support.ts";

/** A server as ensuring sees one: it notes its start, takes its lease as it was written for it, and answers. */
const SERVER = `
const { appendFileSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const root = process.argv[process.argv.indexOf("--repo") + 1];
appendFileSync(join(root, "starts"), process.pid + "\\n");
const path = join(root, ".ai/local/state/mcp/server.json");
const server = require("node:http").createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ root, pid: process.pid }));
});
server.listen(0, "127.0.0.1", function ready() {
  let lease;
  try { lease = JSON.parse(readFileSync(path, "utf8")); } catch {}
  if (lease?.pid !== process.pid) return setTimeout(ready, 5);
  const url = "http://127.0.0.1:" + server.address().port;
  writeFileSync(path + ".new", JSON.stringify({ ...lease, state: "ready", url }));
  renameSync(path + ".new", path);
});
`;

/** As above, and it never gets as far as to answer. */
const NEVER_READY = SERVER.replace("server.listen(", "setInterval(() => {}, 60_000); void (");

/** As above, and it leaves its first question without an answer, as where others have the processor. */
const SLOW = SERVER.replace(
  "response.setHeader(",
  "if (!globalThis.asked) return void (globalThis.asked = true); response.setHeader(",
);

const WAIT = 30_000;

function ensuring(source: string): { checkout: LeasePlace; program: Executable; ensure: Ensure } {
  const { checkout, program } = place(source);
  onTestFinished(() => {
    for (const pid of startsOf(checkout)) killIfThere(pid);
  });
  const ensure: Ensure = (waitMilliseconds = WAIT) =>
    ensureServer(checkout, { executable: program, waitMilliseconds });
  return { checkout, program, ensure };
}

type Ensure = (waitMilliseconds?: number) => Promise<Ensured>;

function startsOf({ root }: LeasePlace): number[] {
  try {
    return readFileSync(join(root, "starts"), "utf8").trimEnd().split("\n").map(Number);
  } catch {
    return [];
  }
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself, or was ended.
  }
}

/** Listens like a server of somebody else; closed with the test. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function leaseOf(ensured: Ensured): { pid: number; url?: string | undefined; token: string } {
  if (ensured.ensured) return ensured.lease;
  throw new Error(ensured.reason);
}

describe("to ensure a server", () => {
  it("starts one, finds it again, and of twenty at once starts one", async () => {
    const { checkout, ensure } = ensuring(SERVER);
    const all = await Promise.all(Array.from({ length: 20 }, () => ensure()));
    const pids = new Set(all.map((ensured) => leaseOf(ensured).pid));
    expect(pids.size).toBe(1);
    expect(leaseOf(await ensure()).pid).toBe([...pids][0]);
    expect(startsOf(checkout)).toEqual([...pids]);
  });

  it("takes no notice of a number that belongs to another program, nor of its port's new owner", async () => {
    const { checkout, program, ensure } = ensuring(SERVER);
    let asked = 0;
    const mute = createServer(() => {
      asked += 1;
    });
    const url = `http://127.0.0.1:${await listening(mute)}`;
    const stranger = await anotherProcess();
    putLease(checkout, readyLease(checkout, program, stranger, { url, started: "1" }));
    const lease = leaseOf(await ensure());
    expect(lease.url).not.toBe(url);
    expect(asked).toBe(0);
    expect(judgeProcess(stranger)).toBe("alive");
  });

  it("ends a server that runs and says nothing, and starts another", async () => {
    const { checkout, program, ensure } = ensuring(SERVER);
    const url = `http://127.0.0.1:${await listening(createServer(() => undefined))}`;
    const silent = await anotherProcess();
    putLease(checkout, readyLease(checkout, program, silent, { url }));
    expect(await probeServer(checkout, program)).toMatchObject({ standing: "stale", silent: true });
    const lease = leaseOf(await ensure());
    expect(lease.token).not.toBe(TOKEN);
    expect(judgeProcess(silent)).toBe("gone");
  });

  it("is not taken in by another program at the server's address", async () => {
    const { checkout, program } = ensuring(SERVER);
    const other = createHttpServer((_, response) => response.end('{"root":"/elsewhere","pid":1}'));
    const url = `http://127.0.0.1:${await listening(other)}`;
    putLease(checkout, readyLease(checkout, program, ownProcess(), { url }));
    const probed = await probeServer(checkout, program);
    expect(probed).toMatchObject({ standing: "stale", silent: true });
    expect(probed.note).toContain("another program answers");
  });

  it("replaces a server that nobody can see once it does not answer, and ends nothing", async () => {
    const { checkout, program, ensure } = ensuring(SERVER);
    const url = `http://127.0.0.1:${await listening(createServer((socket) => socket.destroy()))}`;
    const hidden = await anotherProcess();
    putLease(checkout, readyLease(checkout, program, { ...hidden, namespace: "pid:[1]" }, { url }));
    expect(leaseOf(await ensure()).token).not.toBe(TOKEN);
    expect(judgeProcess(hidden)).toBe("alive");
  });

  it("gives up where servers end at once, and says where to look", async () => {
    const { checkout, ensure } = ensuring(
      `require("node:fs").appendFileSync(process.argv[process.argv.indexOf("--repo") + 1] + "/starts", process.pid + "\\n"); process.exit(13);`,
    );
    const ensured = await ensure();
    expect(ensured).toMatchObject({ ensured: false });
    expect(ensured.ensured ? "" : ensured.reason).toContain("`server.log` beside the lease says why");
    expect(startsOf(checkout)).toHaveLength(2);
  });

  it("asks one that it has started again when that was too slow, instead of ending it", async () => {
    const { checkout, ensure } = ensuring(SLOW);
    const lease = leaseOf(await ensure());
    expect(startsOf(checkout)).toEqual([lease.pid]);
  });

  it("gives up where one starts and never comes, after the time that it was given", async () => {
    const { checkout, ensure } = ensuring(NEVER_READY);
    const ensured = await ensure(200);
    expect(ensured).toMatchObject({ ensured: false });
    expect(ensured.ensured ? "" : ensured.reason).toMatch(/^process \d+ is starting, still after 0\.2 s$/);
    expect(readLease(checkout)).toMatchObject({ kind: "held", lease: { state: "starting" } });
  });

  it("replaces a build that was replaced, and leaves another installation's server alone", async () => {
    const { checkout, program, ensure } = ensuring(SERVER);
    const first = leaseOf(await ensure());
    writeFileSync(join(program.path, "../../dist/cli.cjs"), "// built anew\n");
    const rebuilt = { ...program, build: "another" };
    const again = await ensureServer(checkout, { executable: rebuilt, waitMilliseconds: WAIT });
    expect(leaseOf(again).pid).not.toBe(first.pid);
    const lease = { ...readyLease(checkout, rebuilt, ownProcess()), version: "0.0.1" };
    const answers = createHttpServer((_, response) =>
      response.end(JSON.stringify({ root: checkout.root, pid: process.pid })),
    );
    putLease(checkout, { ...lease, url: `http://127.0.0.1:${await listening(answers)}` });
    const other = { path: "/opt/other/bin/majordomus", build: "1" };
    expect(await ensureServer(checkout, { executable: other, waitMilliseconds: WAIT })).toMatchObject({
      ensured: false,
    });
  });
});

describe("to end a server", () => {
  it("asks it, and kills one that does not listen", async () => {
    const { checkout, program } = ensuring(SERVER);
    const server = await anotherProcess();
    const lease = readyLease(checkout, program, server);
    putLease(checkout, lease);
    expect(await endServer(lease, WAIT)).toBe(true);
    dropLease(checkout, lease);
    expect(readLease(checkout)).toEqual({ kind: "absent" });
  });

  it("never touches a process that only has its number", async () => {
    const { checkout, program } = ensuring(SERVER);
    const stranger = await anotherProcess();
    expect(await endServer(readyLease(checkout, program, stranger, { started: "1" }), 0)).toBe(true);
    expect(judgeProcess(stranger)).toBe("alive");
  });

  it("leaves a lease that changed hands meanwhile", async () => {
    const { checkout, program } = ensuring(SERVER);
    const newer = readyLease(checkout, program, ownProcess(), { token: "b".repeat(64) });
    putLease(checkout, newer);
    dropLease(checkout, { ...newer, token: TOKEN });
    expect(readLease(checkout)).toEqual({ kind: "held", lease: newer });
  });
});

describe("the board of a server", () => {
  it("is empty where none answers, and cannot be written on", async () => {
    const { checkout } = place();
    expect(await readPeers(checkout)).toEqual({
      standing: "absent",
      note: "no server runs for this checkout",
      peers: [],
    });
    await expect(announceAtServer(checkout, { text: "here" })).rejects.toMatchObject({
      code: "server.absent",
      exit: 12,
    });
  });

  it("says why it could not be read: no answer, a status, another form", async () => {
    const { checkout, program } = place();
    let status = 503;
    const odd = createHttpServer((_, response) => {
      response.statusCode = status;
      response.end('{"error":{"code":"http.busy","message":"too many requests"}}');
    });
    const url = `http://127.0.0.1:${await listening(odd)}`;
    putLease(checkout, readyLease(checkout, program, ownProcess(), { url }));
    expect(await readPeers(checkout)).toMatchObject({
      peers: [],
      note: expect.stringContaining("status 503"),
    });
    await expect(announceAtServer(checkout, { text: "here" })).rejects.toMatchObject({
      code: "http.busy",
      message: "too many requests",
    });
    status = 200;
    expect(await readPeers(checkout)).toMatchObject({ peers: [] });
    await expect(announceAtServer(checkout, { text: "here" })).rejects.toMatchObject({
      code: "server.answer",
    });
  });
});
