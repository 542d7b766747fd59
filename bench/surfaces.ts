import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "../test/support/load.ts";
import { newBenchRepository, PROGRAM } from "./place.ts";
import type { Bench, Row } from "./row.ts";

const SESSIONS = 20;
const REQUESTS = 2_000;
const CONNECTIONS = 50;
const PATH = "/api/v1/lifecycle/episodes";

interface Served {
  url: string;
  token: string;
  pid: number;
}

/** A repository with some sessions, and its server. */
function serve(): { served: Served; stop: () => void } {
  const { root, environment } = newBenchRepository();
  const run = (arguments_: string[], input = ""): void => {
    execFileSync(process.execPath, [PROGRAM, ...arguments_], { cwd: root, env: environment, input });
  };
  for (let number = 0; number < SESSIONS; number += 1) {
    const payload = {
      hook_event_name: "SessionStart",
      source: "startup",
      session_id: `s-${number}`,
      cwd: root,
    };
    run(["hook", "--provider", "claude-code"], JSON.stringify(payload));
  }
  run(["serve", "ensure"]);
  const lease = readFileSync(join(root, ".ai/local/state/mcp/server.json"), "utf8");
  return { served: JSON.parse(lease) as Served, stop: () => run(["serve", "stop"]) };
}

function percentile(milliseconds: readonly number[], share: number): number {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function latencyRow(bar: string, limit: number, measured: number, others: string): Row {
  return {
    bench: "surfaces",
    bar,
    goal: `<= ${limit} ms`,
    measured: `${measured.toFixed(1)} ms (${others})`,
    reached: measured <= limit,
  };
}

/** Megabytes that a process holds, as Linux tells them. */
function residentMegabytes(pid: number): number {
  const [, kilobytes = ""] = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function* measure({ url, token, pid }: Served): AsyncIterable<Row> {
  const asking = { url, token, paths: [PATH] };
  await load({ ...asking, requests: 500, connections: 10 });
  const one = await load({ ...asking, requests: REQUESTS, connections: 1 });
  const p99 = percentile(one.milliseconds, 0.99);
  yield latencyRow(
    "a GET on a warm server, p50",
    3,
    percentile(one.milliseconds, 0.5),
    `p99 ${p99.toFixed(1)}`,
  );
  const many = await load({ ...asking, requests: REQUESTS * 5, connections: CONNECTIONS });
  const p50 = percentile(many.milliseconds, 0.5);
  const failed = Object.entries(many.statuses).filter(([status]) => status !== "200").length;
  yield latencyRow(
    `the same over ${CONNECTIONS} connections, p99`,
    25,
    percentile(many.milliseconds, 0.99),
    `p50 ${p50.toFixed(1)}; ${failed === 0 ? "no error" : JSON.stringify(many.statuses)}`,
  );
  const resident = residentMegabytes(pid);
  yield {
    bench: "surfaces",
    bar: "resident after that",
    goal: "<= 120 MB",
    measured: `${resident.toFixed(0)} MB`,
    reached: resident <= 120,
  };
}

export const surfaces: Bench = {
  name: "surfaces",
  run: async function* run() {
    const { served, stop } = serve();
    try {
      yield* measure(served);
    } finally {
      stop();
    }
  },
};
