import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterEach, expect, it, vi } from "vitest";
import { NEVER } from "../../../src/core/base/cancellation.ts";
import { runNetworkGit } from "../../../src/core/git/network.ts";
import { commit, git, initRepository, pathWithGit, repositoryAt, temporaryDirectory } from "./sandbox.ts";

let server: Server | undefined;
afterEach(() => server?.close());

/** A remote that takes a connection and never answers; its port. */
async function silentRemote(): Promise<number> {
  server = createServer((socket) => socket.on("error", () => undefined).unref());
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function processesAt(mark: string): string[] {
  return execFileSync("ps", ["-eo", "pid,args"], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(mark) && !line.includes("ps -eo"));
}

it("talks to a remote and gives its answer", async () => {
  const directory = initRepository(join(temporaryDirectory(), "app"));
  const head = commit(directory, "Begin");
  const outcome = await runNetworkGit(repositoryAt(directory), ["ls-remote", directory, "refs/heads/main"], {
    timeoutMilliseconds: 20_000,
    signal: NEVER,
  });
  expect(outcome).toMatchObject({ status: 0, timedOut: false });
  expect(outcome.stdout.toString()).toBe(`${head}\trefs/heads/main\n`);
});

it("gives up on a remote that never answers, and leaves no process behind", async () => {
  const directory = initRepository(join(temporaryDirectory(), "app"));
  const port = await silentRemote();
  const outcome = await runNetworkGit(
    repositoryAt(directory),
    ["ls-remote", `http://127.0.0.1:${port}/silent.git`],
    { timeoutMilliseconds: 600, signal: NEVER },
  );
  expect(outcome).toMatchObject({ status: null, timedOut: true, stderr: "no answer within 1 s" });
  await vi.waitFor(() => expect(processesAt(`:${port}/`)).toEqual([]), { timeout: 10_000 });
});

it("stops at once when nobody waits any more", async () => {
  const directory = initRepository(join(temporaryDirectory(), "app"));
  const port = await silentRemote();
  const controller = new AbortController();
  const running = runNetworkGit(
    repositoryAt(directory),
    ["ls-remote", `http://127.0.0.1:${port}/silent.git`],
    { timeoutMilliseconds: 50_000, signal: controller.signal },
  );
  await vi.waitFor(() => expect(processesAt(`:${port}/`).length).toBeGreaterThan(0), { timeout: 10_000 });
  controller.abort();
  expect(await running).toMatchObject({ status: null, timedOut: false, stderr: "was cancelled" });
  await vi.waitFor(() => expect(processesAt(`:${port}/`)).toEqual([]), { timeout: 10_000 });
});

it("does not wait for a connection that is kept after git has ended", async () => {
  const directory = initRepository(join(temporaryDirectory(), "app"));
  const environment = { PATH: pathWithGit(join(directory, "bin"), "sleep 30 & echo done; exit 0") };
  const outcome = await runNetworkGit(repositoryAt(directory, environment), ["ls-remote"], {
    timeoutMilliseconds: 25_000,
    signal: NEVER,
  });
  expect(outcome).toMatchObject({ status: 0, stdout: Buffer.from("done\n") });
});

it("a git that is not there is an outcome", async () => {
  const directory = initRepository(join(temporaryDirectory(), "app"));
  const outcome = await runNetworkGit(repositoryAt(directory, { PATH: "/nowhere" }), ["ls-remote"], {
    timeoutMilliseconds: 5_000,
    signal: NEVER,
  });
  expect(outcome.status).toBeNull();
  expect(git(directory, "status", "--porcelain")).toBe("");
});
