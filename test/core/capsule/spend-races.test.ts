import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { steadyPatience } from "../../../src/core/base/patience.ts";
import { claimNewest } from "../../../src/core/capsule/spend.ts";
import { bundleProgram } from "../../support/bundle.ts";
import { capsuleText, hoursAgo, newTree, NOW, put, select, textOf } from "./support/memory.ts";

const program = (): string => bundleProgram(join(import.meta.dirname, "support/clear-program.ts"));

function clear(base: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program(), base, String(NOW)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
    child.once("error", reject);
    child.once("close", () => resolve(out.trim()));
  });
}

it("of six clears at once none loads a capsule that another one loads, and none is lost", async () => {
  program();
  const tree = newTree();
  for (const number of [1, 2, 3, 4]) {
    put(tree, `c${number}.md`, capsuleText({ id: `c${number}`, created_at: hoursAgo(number) }));
  }
  const loaded = await Promise.all(Array.from({ length: 6 }, () => clear(tree.base)));
  expect(loaded.toSorted()).toEqual(["-", "-", "c1", "c2", "c3", "c4"]);
  expect(select(tree).rejected.map(({ reason }) => reason)).toEqual(Array(4).fill("already-consumed"));
});

it("killed before any of its operations leaves the capsule whole, active or spent, and the next clear goes on", () => {
  let finished = false;
  for (let at = 1; !finished; at += 1) {
    const tree = newTree();
    put(tree, "one.md", capsuleText());
    put(tree, "older.md", capsuleText({ id: "older", created_at: hoursAgo(80) }));
    const run = spawnSync(
      process.execPath,
      [program(), tree.base, String(NOW), `kill@${at}:write,rename,link,unlink,fsync,mkdir`],
      {
        encoding: "utf8",
      },
    );
    finished = run.signal === null;
    const text = textOf(tree, "one.md");
    const spent = text === capsuleText().replace("active", "resumed");
    expect(spent || text === capsuleText(), `kill@${at}`).toBe(true);
    // What was told is spent; what was not told may be spent, and then the next clear does not tell it again.
    if (finished) expect([run.stdout.trim(), spent]).toEqual(["one", true]);
    const next = claimNewest(tree, { now: NOW, patience: steadyPatience(1000) });
    expect(next.loaded?.id, `after kill@${at}`).toBe(spent ? "older" : "one");
    expect(readdirSync(tree.capsules).filter((name) => name.endsWith(".md"))).toHaveLength(2);
  }
});
