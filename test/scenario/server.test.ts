import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { PeersAnswer, ServerAnswer } from "../../src/core/serving/answers.ts";
import type { Started } from "../support/binary.ts";
import { newTranscript, vaultOf } from "./support/capsules.ts";
import { claude, startClaude } from "./support/hooks.ts";
import { addWorktree, answerOf, command, commitFile, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { readAll } from "./support/stores.ts";

const PATIENCE = { timeout: 60_000, interval: 100 };

/** A place whose sessions start servers, which end soon and take any port; what is left of them ends with the test. */
async function servedPlace(idleSeconds: number): Promise<Place> {
  const place = await makePlace();
  const switches = `schema: majordomus-switches/v1\nserver:\n  idle_seconds: ${idleSeconds}\n  port: 0\n`;
  writeFileSync(join(place.root, ".ai/repo/majordomus.yaml"), switches);
  onTestFinished(() => {
    for (const pid of serversOf(place)) kill(pid);
  });
  return { ...place, environment: { ...place.environment, MAJORDOMUS_SERVER: "on" } };
}

/** The processes that serve, or start to serve, any work tree of a place. */
function serversOf({ directory }: Pick<Place, "directory">): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,stat=,args="], { encoding: "utf8" });
  return table.split("\n").flatMap((line) => {
    const [, pid, state = ""] = /^\s*(\d+)\s+(\S+)/.exec(line) ?? [];
    const ours = line.includes(" serve --fallback ") && line.includes(directory) && !state.startsWith("Z");
    return pid !== undefined && ours ? [Number(pid)] : [];
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}

function leaseOf({ root }: Pick<Place, "root">): { pid: number; state: string; token: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(root, ".ai/local/state/mcp/server.json"), "utf8"));
  } catch {
    return undefined;
  }
}

function serverLineOf(stdout: string): string | undefined {
  return /^Shared server: (.*)$/m.exec(stdout)?.[1];
}

test("twenty sessions and their servers, killed at any moment: one server at most is left, and none when nobody asks", async () => {
  const place = await servedPlace(8);
  for (let round = 0; round < 4; round += 1) {
    const sessions = Array.from({ length: 5 }, (_, number): Started =>
      startClaude(place, { sample: "SessionStart", session: `killed-${round}-${number}` }),
    );
    // Each at another moment of its life, the last one not at all.
    for (const [number, { child }] of sessions.slice(0, 4).entries()) {
      setTimeout(() => child.kill("SIGKILL"), 60 + 60 * number + 25 * round);
    }
    await Promise.all(sessions.map(({ end }) => end));
    await vi.waitFor(() => expect(serversOf(place).length).toBeLessThanOrEqual(1), PATIENCE);
    const lease = leaseOf(place);
    if (lease !== undefined && round < 3) kill(lease.pid);
  }
  const ensured = await command(place, ["serve", "ensure", "--wait", "60"]);
  expect(ensured.stdout).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+ pid \d+\n$/);
  const [server, ...others] = serversOf(place);
  expect(others).toEqual([]);
  expect(leaseOf(place)).toMatchObject({ pid: server, state: "ready" });
  await vi.waitFor(() => expect(serversOf(place)).toEqual([]), PATIENCE);
  expect(leaseOf(place)).toBeUndefined();
});

test("a start of a session waits for no server, says where it stands, and finds it the next time", async () => {
  const place = await servedPlace(600);
  const first = await claude(place, "SessionStart", "first");
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(serverLineOf(first.stdout)).toMatch(/^starting pid \d+$/);
  const { line, pid } = await answerOf<{ line: string; pid: number }>(place, [
    "serve",
    "ensure",
    "--wait",
    "60",
  ]);
  expect(serverLineOf(first.stdout)).toBe(`starting pid ${pid}`);
  const second = await claude(place, "SessionStart", "second");
  expect(serverLineOf(second.stdout)).toBe(line);
  expect(serversOf(place)).toEqual([pid]);

  const announced = ["announce", "moving the parser", "src/parser"];
  const session = { CLAUDE_CODE_SESSION_ID: "first" };
  expect(await command(place, announced, { environment: session })).toMatchObject({ status: 0, stderr: "" });
  const { peers } = await answerOf<PeersAnswer>(place, ["peers"]);
  const id = readAll(place.root).open.get("first")?.["session_id"];
  expect(peers).toMatchObject([{ id, claims: [{ text: "moving the parser", paths: ["src/parser"] }] }]);
  const context = await command(place, ["context"], { environment: { CLAUDE_CODE_SESSION_ID: "second" } });
  expect(context.stdout).toContain("moving the parser");

  const another = await command(place, ["serve"]);
  expect(another).toMatchObject({ status: 15, stdout: "" });
  expect(another.stderr).toBe(
    `majordomus: another server stands for this checkout: process ${pid} answers at ${line.split(" ")[1]}; \`majordomus serve stop\` ends it\n`,
  );
  const head = commitFile(place.root, "README.md", "# Changed\n");
  await vi.waitFor(async () => {
    const status = await answerOf<ServerAnswer>(place, ["serve", "status"]);
    expect(status).toMatchObject({ standing: "ready", served_head: head, agree: true });
  }, PATIENCE);
  expect(await command(place, ["serve", "stop"])).toMatchObject({ status: 0 });
  expect(serversOf(place)).toEqual([]);
  expect(await command(place, ["serve", "status"])).toMatchObject({ status: 10 });
});

test("each worktree has a server of its own, which ends when the worktree is removed", async () => {
  const place = await servedPlace(600);
  const lane = addWorktree(place, "lane");
  for (const directory of [place.root, lane]) {
    await answerOf(place, ["serve", "ensure", "--wait", "60"], { directory });
  }
  const { servers } = await answerOf<{ servers: ServerAnswer[] }>(place, [
    "serve",
    "status",
    "--checkouts",
    "repository",
  ]);
  expect(servers.map(({ root, standing }) => [root, standing])).toEqual([
    [place.root, "ready"],
    [lane, "ready"],
  ]);
  expect(serversOf(place)).toHaveLength(2);
  execFileSync("git", ["worktree", "remove", "--force", lane], { cwd: place.root, stdio: "ignore" });
  await vi.waitFor(() => expect(serversOf(place)).toHaveLength(1), PATIENCE);
});

test("what a turn said is saved by way of the server, and by the hook itself where that one is dead or hangs", async () => {
  const place = await servedPlace(600);
  const vault = vaultOf(place);
  const talk = newTranscript(place);
  const fields = { transcript_path: talk.path };
  await claude(place, "SessionStart", "talking", { fields });
  const { pid } = await answerOf<{ pid: number }>(place, ["serve", "ensure", "--wait", "60"]);
  const orders = (): string[] =>
    readdirSync(join(place.root, ".git/majordomus/autosave")).filter((name) => name.endsWith(".json"));
  const said = (text: string): Promise<void> =>
    vi.waitFor(
      () =>
        expect(
          vault
            .names()
            .map((name) => vault.text(name))
            .join("\n"),
        ).toContain(text),
      PATIENCE,
    );
  const turn = async (text: string): Promise<void> => {
    talk.say(text);
    const stop = await claude(place, "Stop", "talking", { fields });
    expect(stop).toMatchObject({ status: 0, stdout: "", stderr: "" });
  };

  await turn("Save this by way of the server");
  await said("Save this by way of the server");
  expect(orders()).toEqual([]);

  process.kill(pid, "SIGSTOP");
  await turn("Nobody takes this order for now");
  expect(orders()).toHaveLength(1);
  await turn("The hook does not trust it again");
  await said("The hook does not trust it again");
  await vi.waitFor(() => expect(orders()).toEqual([]), PATIENCE);

  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(serversOf(place)).toEqual([]), PATIENCE);
  await turn("Now there is no server at all");
  await said("Now there is no server at all");
  expect(vault.names()).toHaveLength(1);
});
