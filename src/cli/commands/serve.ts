import type { CommandDeclaration } from "../declaration.ts";
import { defineCommand } from "../declaration.ts";

const IDLE = {
  name: "idle",
  value: "S",
  integer: { minimum: 1, maximum: 86_400 },
  summary: "seconds without a client after which the server ends (server.idle_seconds, 900)",
} as const;

const PORT = {
  name: "port",
  value: "P",
  integer: { minimum: 0, maximum: 65_535 },
  summary: "the port to try first; a free one where it is taken (server.port, 8741)",
} as const;

const WAIT = { name: "wait", value: "S", integer: { minimum: 0, maximum: 600 } } as const;

const serve = defineCommand({
  path: ["serve"],
  summary: "be this checkout's shared server until interrupted or idle",
  options: [
    IDLE,
    PORT,
    { name: "fallback", summary: "as a process of its own: one that is not needed ends without a word" },
  ],
  notes: [
    "One server answers a checkout, on the loopback address alone, and only those who know the token of its lease.",
    "`serve status`, `serve ensure` and `serve stop` look at it, see to it that it answers, and end it.",
    "Sessions start one by themselves where session.ensure_server_on_start is true and MAJORDOMUS_SERVER is not off.",
  ],
  run: async (invocation) => {
    const { serveHere } = await import("../actions/serve.ts");
    return serveHere(invocation, invocation.options);
  },
});

const status = defineCommand({
  path: ["serve", "status"],
  summary: "where the shared server stands; 10 when none answers",
  options: [
    {
      name: "checkouts",
      value: "WHICH",
      choices: ["this", "repository"],
      default: "this",
      summary: "of this checkout, or of every worktree of the repository",
    },
  ],
  run: async (invocation) => {
    const { showServer } = await import("../actions/serve.ts");
    return showServer(invocation, invocation.options.checkouts);
  },
});

const ensure = defineCommand({
  path: ["serve", "ensure"],
  summary: "start the shared server unless it answers; 10 when it cannot be",
  options: [IDLE, { ...WAIT, summary: "seconds to wait for one that starts (5)" }, PORT],
  run: async (invocation) => {
    const { ensureHere } = await import("../actions/serve.ts");
    return ensureHere(invocation, invocation.options);
  },
});

const stop = defineCommand({
  path: ["serve", "stop"],
  summary: "end the shared server; 10 when it cannot be ended",
  options: [{ ...WAIT, summary: "seconds to wait before it is killed (5)" }],
  run: async (invocation) => {
    const { stopHere } = await import("../actions/serve.ts");
    return stopHere(invocation, invocation.options);
  },
});

const peers = defineCommand({
  path: ["peers"],
  summary: "who else is at work in this checkout, and on what",
  run: async (invocation) => {
    const { showPeers } = await import("../actions/peers.ts");
    return showPeers(invocation);
  },
});

const announce = defineCommand({
  path: ["announce"],
  summary: "tell the other workers of this checkout what you are at work on",
  arguments: [
    { name: "text", required: true, summary: "at most 200 characters; empty takes back what was announced" },
    { name: "paths", variadic: true, summary: "what is worked on" },
  ],
  options: [
    { name: "peer", value: "HANDLE", summary: "who announces it; this process's episode when absent" },
  ],
  run: async (invocation) => {
    const { announceHere } = await import("../actions/peers.ts");
    return announceHere(invocation, invocation.arguments, invocation.options);
  },
});

export const serveCommands: readonly CommandDeclaration[] = [serve, status, ensure, stop, peers, announce];
