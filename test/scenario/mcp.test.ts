import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { launcher } from "../support/binary.ts";
import { newClient, REVISIONS } from "../support/mcp.ts";
import type { Revision } from "../support/mcp.ts";
import { command, makePlace, readLine } from "./support/place.ts";
import type { Place } from "./support/place.ts";

/** A limit for hangs. */
const WAIT = { timeout: 20_000, interval: 50 };

type Client = Awaited<ReturnType<typeof newClient>>;

/** The process of the lease, where there is one. */
function leaseOf({ root }: Place): { pid: number } | undefined {
  const path = join(root, ".ai", "local", "state", "mcp", "server.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { pid: number }) : undefined;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

/** A story that starts a server ends it. */
async function stopServer(place: Place): Promise<void> {
  expect((await command(place, ["serve", "stop"])).status).toBe(0);
}

/** A client whose server is the built program, started as an AI tool starts it. */
async function startClient(
  { root, environment }: Place,
  revision: Revision,
  { arguments_ = [], more = {} }: { arguments_?: string[]; more?: Record<string, string> } = {},
): Promise<{ client: Client; pid: number; warnings: () => string }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [launcher(), "mcp", ...arguments_],
    cwd: root,
    env: { ...environment, ...more },
    stderr: "pipe",
  });
  let text = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  const client = await newClient(transport, revision);
  return { client, pid: transport.pid ?? 0, warnings: () => text };
}

async function answerOf(
  client: Client,
  name: string,
  arguments_: Record<string, unknown> = {},
): Promise<unknown> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: arguments_ });
  expect(isError, JSON.stringify(content)).not.toBe(true);
  return structuredContent;
}

describe.each(REVISIONS)("the program as a server of revision %s over standard input", (revision) => {
  it("answers alone what `run` answers, reads resources, and ends with its client", async () => {
    const place = await makePlace();
    const { client, pid, warnings } = await startClient(place, revision, { arguments_: ["--standalone"] });
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(60);
    for (const id of ["lifecycle.episodes", "lifecycle.runtime"]) {
      const { stdout } = await readLine(place, ["run", id]);
      expect(await answerOf(client, `majordomus_${id.replace(".", "_")}`)).toEqual(JSON.parse(stdout));
    }
    const heard: { progress: number }[] = [];
    await client.callTool({ name: "majordomus_doctor" }, { onprogress: (told) => heard.push(told) });
    expect(heard.length).toBeGreaterThan(0);
    expect(heard.map(({ progress }) => progress)).toEqual([
      ...new Set(heard.map(({ progress }) => progress)),
    ]);
    expect(heard[0]).toMatchObject({ total: expect.any(Number), message: expect.any(String) });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("majordomus://continuity");
    const { contents } = await client.readResource({
      uri: "majordomus://document/.ai/repo/knowledge/README.md",
    });
    expect(contents).toMatchObject([
      { mimeType: "text/markdown", text: expect.stringContaining("What was learned") },
    ]);
    await expect(client.readResource({ uri: "majordomus://document/.ai/../README.md" })).rejects.toThrow();
    await client.close();
    await expect.poll(() => isGone(pid), WAIT).toBe(true);
    expect(warnings()).toBe("");
    expect(leaseOf(place)).toBeUndefined();
  });
});

/** What a client says that writes all its questions at once, and closes its end. */
function questions(...calls: string[]): string {
  const clientInfo = { name: "a-test", version: "1.0.0" };
  const lines = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    ...calls.map((name, index) => ({
      id: index + 2,
      method: "tools/call",
      params: { name, arguments: name === "majordomus_search_run" ? { text: "learned" } : {} },
    })),
  ];
  return lines.map((line) => JSON.stringify({ jsonrpc: "2.0", ...line })).join("\n");
}

describe("the end of a client's input", () => {
  const HEAVY = ["majordomus_lifecycle_episodes", "majordomus_search_run", "majordomus_doctor"];

  it.each([
    ["in this process", ["--standalone"], {}],
    ["by the shared server", [], { MAJORDOMUS_SERVER: "on" }],
  ])("ends nothing that was asked before it: %s", async (_, arguments_, environment) => {
    const place = await makePlace();
    try {
      const input = `{broken\n${questions(...HEAVY)}`;
      const { status, stdout, stderr } = await command(place, ["mcp", ...arguments_], { input, environment });
      expect(status).toBe(0);
      const answers = stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { id: number | null; result?: { isError?: boolean } });
      expect(answers.map(({ id }) => id ?? 0).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
      expect(answers.filter(({ result }) => result !== undefined && result.isError !== true)).toHaveLength(4);
      expect(stderr.trimEnd().split("\n")).toEqual([expect.stringMatching(/is not JSON; .* -32700$/)]);
    } finally {
      if (leaseOf(place) !== undefined) await stopServer(place);
    }
  });
});

describe("clients of one checkout", () => {
  it("share one server that the first of them starts, and see each other there", async () => {
    const place = await makePlace();
    const more = { MAJORDOMUS_SERVER: "on" };
    try {
      const first = await startClient(place, "2025-11-25", { more });
      await answerOf(first.client, "majordomus_lifecycle_episodes");
      const lease = leaseOf(place);
      expect(lease?.pid).not.toBe(first.pid);
      const heard: unknown[] = [];
      await first.client.callTool({ name: "majordomus_doctor" }, { onprogress: (told) => heard.push(told) });
      expect(heard.length).toBeGreaterThan(0);
      const second = await startClient(place, "2026-07-28", { more });
      await answerOf(second.client, "majordomus_announce", { text: "the parser" });
      expect(leaseOf(place)?.pid).toBe(lease?.pid);
      const { peers } = (await answerOf(first.client, "majordomus_peers")) as {
        peers: { name?: string; connected: boolean; claims: { text: string }[] }[];
      };
      expect(peers.filter(({ connected }) => connected)).toHaveLength(2);
      expect(peers.flatMap(({ claims }) => claims.map(({ text }) => text))).toEqual(["the parser"]);
      await second.client.close();
      await expect
        .poll(async () => {
          const after = (await answerOf(first.client, "majordomus_peers")) as {
            peers: { connected: boolean }[];
          };
          return after.peers.filter(({ connected }) => connected).length;
        }, WAIT)
        .toBe(1);
      expect(first.warnings() + second.warnings()).toBe("");
    } finally {
      await stopServer(place);
    }
  });

  it("go on when their server is killed: another one is started, and writes are never done twice", async () => {
    const place = await makePlace();
    try {
      const { client } = await startClient(place, "2026-07-28", { more: { MAJORDOMUS_SERVER: "on" } });
      await answerOf(client, "majordomus_question_add", { question: "Before?" });
      const before = leaseOf(place)?.pid ?? 0;
      process.kill(before, "SIGKILL");
      await expect.poll(() => isGone(before), WAIT).toBe(true);
      await answerOf(client, "majordomus_question_add", { question: "After?" });
      expect(leaseOf(place)?.pid).not.toBe(before);
      const { open } = (await answerOf(client, "majordomus_question_list")) as {
        open: { question: string }[];
      };
      expect(open.map(({ question }) => question)).toEqual(["Before?", "After?"]);
    } finally {
      await stopServer(place);
    }
  });

  it("write as the session that started them, whoever started the server", async () => {
    const place = await makePlace();
    const more = { MAJORDOMUS_SERVER: "on" };
    try {
      const other = await startClient(place, "2025-11-25", { more });
      await answerOf(other.client, "majordomus_session_start", {
        provider: "claude-code",
        provider_session: "one",
      });
      await answerOf(other.client, "majordomus_session_start", {
        provider: "claude-code",
        provider_session: "two",
      });
      const { client } = await startClient(place, "2026-07-28", {
        more: { ...more, CLAUDE_CODE_SESSION_ID: "one" },
      });
      const { episodes } = (await answerOf(client, "majordomus_lifecycle_episodes")) as {
        episodes: { session_id: string; provider_session: string }[];
      };
      const own = episodes.find(({ provider_session }) => provider_session === "one")?.session_id;
      await answerOf(client, "majordomus_question_add", { question: "Mine?" });
      const { lines } = (await answerOf(client, "majordomus_history_query", { limit: 1 })) as {
        lines: { event: string; session: string }[];
      };
      expect(lines).toMatchObject([{ event: "question.opened", session: own }]);
    } finally {
      await stopServer(place);
    }
  });
});
