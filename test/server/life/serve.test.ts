import { renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { ownProcess } from "../../../src/core/fs/process.ts";
import type { AnnounceAnswer, PeersAnswer, ServerAnswer } from "../../../src/core/serving/answers.ts";
import { askServer } from "../../../src/core/serving/ask-server.ts";
import { claimLease } from "../../../src/core/serving/hold-lease.ts";
import { leaseLockPath, readLease } from "../../../src/core/serving/lease.ts";
import type { Lease } from "../../../src/core/serving/lease.ts";
import { serveCheckout } from "../../../src/server/life/serve.ts";
import { anotherProcess, fakeProgram, putLease, readyLease } from "../../core/serving/support.ts";
import { newPlace } from "../../support/checkout.ts";
import { commitFile } from "../../support/repository.ts";

interface Served {
  checkout: Checkout;
  root: string;
  ended: Promise<string>;
  end: () => Promise<string>;
  lease: () => Lease;
}

/** A server in this process; ended with the test. */
async function serving(
  options: { idleMilliseconds?: number; port?: number; autosave?: string } = {},
): Promise<Served> {
  const place = await newPlace();
  const checkout = await place.checkout();
  const program = fakeProgram(join(place.root, ".git", "program"));
  const claim = claimLease(checkout, { executable: program });
  if (!("held" in claim)) throw new Error(claim.refused.note);
  const controller = new AbortController();
  let ended: Promise<string> | undefined;
  await new Promise<void>((resolve, reject) => {
    ended = serveCheckout(checkout, {
      held: claim.held,
      worker: join(place.root, "no-worker.mjs"),
      autosave: options.autosave ?? join(place.root, "no-autosave.mjs"),
      idleMilliseconds: options.idleMilliseconds ?? 600_000,
      port: options.port ?? 0,
      signal: controller.signal,
      onReady: () => resolve(),
      pulseMilliseconds: 10,
    });
    ended.catch(reject);
  });
  const end = (): Promise<string> => {
    controller.abort();
    return ended ?? Promise.reject(new Error("it never began"));
  };
  onTestFinished(async () => void (await end()));
  return {
    checkout,
    root: place.root,
    ended: ended ?? Promise.reject(new Error("it never began")),
    end,
    lease: () => {
      const reading = readLease(checkout);
      if (reading.kind !== "held") throw new Error(reading.kind);
      return reading.lease;
    },
  };
}

it("answers where it stands, and gives its lease back when it is asked to end", async () => {
  const { checkout, lease, end } = await serving();
  const { url, token } = lease();
  const answer = (await runCapability(checkout, "server", {})) as ServerAnswer;
  expect(answer).toMatchObject({ standing: "ready", url, pid: process.pid, agree: true });
  expect(JSON.stringify(answer)).not.toContain(token);
  const own = await askServer(lease(), { method: "GET", path: "/api/v1/server", timeout: 10_000 });
  expect(own).toMatchObject({
    ok: true,
    value: { status: 200, value: { ...answer, note: expect.any(String) } },
  });
  expect(await end()).toBe("it was asked to");
  expect(readLease(checkout)).toEqual({ kind: "absent" });
  expect(await runCapability(checkout, "server", {})).toMatchObject({ standing: "absent" });
});

it("keeps a board that others write on and read", async () => {
  const { checkout } = await serving();
  const first = (await runCapability(checkout, "announce", {
    text: "moving the parser",
    paths: ["src/parser"],
  })) as AnnounceAnswer;
  expect(first.peer.claims).toMatchObject([{ text: "moving the parser", paths: ["src/parser"] }]);
  await runCapability(checkout, "announce", { text: "at the reader", peer: "s-20260904120000-fc51" });
  const { peers } = (await runCapability(checkout, "peers", {})) as PeersAnswer;
  expect(peers.map(({ id }) => id)).toEqual([first.peer.id, "s-20260904120000-fc51"]);
  await expect(runCapability(checkout, "announce", { text: "x".repeat(201) })).rejects.toMatchObject({
    exit: 2,
  });
});

it("announces for the episode of the process that asks", async () => {
  const { checkout: opened, root } = await serving();
  const place = { ...opened, environment: { ...opened.environment } };
  const { takeEvent } = await import("../../../src/core/boundary/take-event.ts");
  await takeEvent(
    {
      provider: "claude-code",
      kind: "start",
      name: "SessionStart",
      session: "mine",
      cwd: root,
      subagent: false,
      provesCompaction: false,
      source: "startup",
    },
    place,
    () => 0,
  );
  const { peer } = (await runCapability({ ...opened, providerSession: "mine" }, "announce", {
    text: "at the reader",
  })) as AnnounceAnswer;
  expect(peer.id).toMatch(/^s-\d{14}-/);
});

it("follows the commit that is checked out", async () => {
  const { root, lease } = await serving();
  const before = lease().served_head;
  commitFile(root, "a.ts", "1\n");
  await vi.waitFor(() => expect(lease().served_head).not.toBe(before), { timeout: 20_000 });
});

it("goes on answering while somebody holds the lease's lock, and follows when it is free", async () => {
  const { root, checkout, lease } = await serving();
  const before = lease().served_head;
  const holder = await anotherProcess();
  const { kill, ...identity } = holder;
  writeFileSync(leaseLockPath(checkout), JSON.stringify({ token: "0123456789abcdef", ...identity }));
  commitFile(root, "a.ts", "1\n");
  for (let question = 0; question < 5; question += 1) {
    const asked = { method: "GET", path: "/api/v1/live", timeout: 20_000 } as const;
    expect(await askServer(lease(), asked)).toMatchObject({ ok: true, value: { status: 200 } });
  }
  expect(lease().served_head).toBe(before);
  // A dead holder's lock is taken over.
  await kill();
  await vi.waitFor(() => expect(lease().served_head).not.toBe(before), { timeout: 20_000 });
});

it("ends when nobody asks for anything", async () => {
  const { ended, checkout } = await serving({ idleMilliseconds: 50 });
  expect(await ended).toBe("nobody asked for anything for 0.05 s");
  expect(readLease(checkout)).toEqual({ kind: "absent" });
});

it("ends when another took its place, and leaves that one's lease", async () => {
  const { ended, checkout, lease } = await serving();
  const url = lease().url;
  const other = readyLease(checkout, { path: "/opt/x", build: "1" }, ownProcess());
  putLease(checkout, other);
  expect(await ended).toBe("another server took its place, or its lease was taken away");
  expect(readLease(checkout)).toEqual({ kind: "held", lease: other });
  const asked = { method: "GET", path: "/api/v1/live", timeout: 10_000 } as const;
  expect(await askServer({ url, token: other.token }, asked)).toMatchObject({ ok: false });
});

it("ends when its work tree is gone", async () => {
  const { ended, root } = await serving();
  renameSync(root, `${root}.moved`);
  onTestFinished(() => rmSync(`${root}.moved`, { recursive: true, force: true }));
  expect(await ended).toBe("the work tree is gone");
});

it("takes another port where somebody has the one that it wants, and never answers", async () => {
  const mute = createServer(() => undefined);
  await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void mute.close());
  const { port } = mute.address() as AddressInfo;
  const { checkout, lease } = await serving({ port });
  expect(lease().url).not.toBe(`http://127.0.0.1:${port}`);
  expect(await runCapability(checkout, "server", {})).toMatchObject({ standing: "ready" });
});
