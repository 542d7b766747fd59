import { spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../support/bundle.ts";
import { FULL } from "../support/full.ts";
import { LIMITS_TABLE, writeMeasured } from "../support/measured.ts";
import { scratchDirectory } from "../support/scratch.ts";
import type { WriterJob } from "./support/ledger-writer.ts";
import { readStores } from "./support/stores.ts";

const WRITERS = FULL ? 32 : 8;
const LINES = FULL ? 500 : 100;
const ROTATIONS = 6;

function startWriter(job: WriterJob): Promise<{ status: number | null; stderr: string }> {
  const program = bundleProgram(join(import.meta.dirname, "support/ledger-writer.ts"));
  const child = spawn(process.execPath, [program, JSON.stringify(job)], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => {
    child.once("close", (status) => resolve({ status, stderr }));
  });
}

test(
  "many processes write at once through six rotations: every line stands once and whole, each writer's in its order",
  { timeout: 900_000 },
  async () => {
    const root = scratchDirectory();
    const state = join(root, ".ai/local/state");
    mkdirSync(join(state, "locks"), { recursive: true });
    const ends = await Promise.all(
      Array.from({ length: WRITERS }, (_, index) =>
        startWriter({
          ledger: join(state, "ledger.jsonl"),
          locks: join(state, "locks"),
          name: `w${index}`,
          lines: LINES,
          // Six of the writers rotate once each, somewhere in the middle of their work.
          rotateBefore: index < ROTATIONS ? [Math.floor((LINES * (index + 2)) / (ROTATIONS + 3))] : [],
        }),
      ),
    );
    for (const end of ends) expect(end).toEqual({ status: 0, stderr: "" });

    const { ledger, temporaries } = readStores(root);
    const written = ledger.filter((line) => line.event === "question.opened");
    expect(written).toHaveLength(WRITERS * LINES);
    const byWriter = new Map<string, number[]>();
    for (const line of written) {
      const [writer = "", number = ""] = String(line["question"]).split(" ");
      byWriter.set(writer, [...(byWriter.get(writer) ?? []), Number(number)]);
    }
    expect(byWriter.size).toBe(WRITERS);
    for (const numbers of byWriter.values()) {
      expect(numbers).toEqual(Array.from({ length: LINES }, (_, index) => index));
    }
    expect(written.filter((line) => String(line["question"]).length > 65_536)).toHaveLength(
      WRITERS * Math.ceil((LINES - 7) / 20),
    );
    const names = readdirSync(state);
    expect(names.filter((name) => name.endsWith(".archived"))).toHaveLength(ROTATIONS);
    expect(ledger.filter((line) => line.event === "ledger.rotated")).toHaveLength(ROTATIONS);
    expect(names.filter((name) => name.includes("torn") || name.includes("rotation"))).toEqual([]);
    expect([temporaries, readdirSync(join(state, "locks"))]).toEqual([[], []]);
    writeMeasured(LIMITS_TABLE, [
      "Writers at once",
      `${WRITERS} processes of ${LINES} lines, 5 % of them over 64 KiB, through ${ROTATIONS} rotations`,
      `${written.length} lines, each once and whole, each writer's in its order`,
    ]);
  },
);
