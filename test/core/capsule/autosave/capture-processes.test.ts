import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { steadyPatience } from "../../../../src/core/base/patience.ts";
import { claimNewest } from "../../../../src/core/capsule/spend.ts";
import { validateCapsuleText } from "../../../../src/core/capsule/validate.ts";
import { bundleProgram } from "../../../support/bundle.ts";
import { FULL } from "../../../support/full.ts";
import { newTree, NOW, select, textOf } from "../support/memory.ts";
import { converse, SESSION, user } from "./support.ts";

const program = (): string => bundleProgram(join(import.meta.dirname, "../support/capture-program.ts"));
const clearProgram = (): string => bundleProgram(join(import.meta.dirname, "../support/clear-program.ts"));

function run(
  base: string,
  transcript: string,
  plan?: string,
): ReturnType<typeof spawnSync> & { stdout: string } {
  const plans = plan === undefined ? [] : [plan];
  return spawnSync(process.execPath, [program(), base, String(NOW), SESSION, transcript, ...plans], {
    encoding: "utf8",
  });
}

const row = (text: string): string => `${JSON.stringify(user(text))}\n`;

it("killed before any of its operations loses no word and doubles none, and spends nothing", () => {
  let finished = false;
  for (let at = 1; !finished; at += 1) {
    const talk = converse();
    talk.say("The very first request of all");
    talk.capture();
    for (let number = 0; number < 13; number += 1) talk.say(`Something between them, number ${number}`);
    talk.say("The second request of them all");
    finished =
      run(talk.tree.base, talk.transcript, `kill@${at}:write,rename,link,unlink,fsync,mkdir`).signal === null;
    talk.capture();
    const { capsule, rejected } = select(talk.tree);
    expect(rejected, `kill@${at}`).toEqual([]);
    const text = textOf(talk.tree, capsule?.name ?? "");
    expect(validateCapsuleText(text).problems, `kill@${at}`).toEqual([]);
    expect(text.match(/\[OPERATOR\] The /g), `kill@${at}`).toHaveLength(2);
    expect(text.match(/\(\d+ more utterances, not kept\)/g), `kill@${at}`).toEqual([
      "(2 more utterances, not kept)",
    ]);
    expect(text, `kill@${at}`).toContain('objective: "The second request of them all"');
  }
});

it("beside clears never writes a spent capsule active again, and no word is in two capsules", async () => {
  const tree = newTree();
  const transcript = join(tree.base, "t.jsonl");
  writeFileSync(transcript, "");
  program();
  const loaded: string[] = [];
  for (let round = 0; round < 6; round += 1) {
    appendFileSync(transcript, row(`Request number ${round} of this conversation`));
    const ends = [
      [program(), tree.base, String(NOW), SESSION, transcript],
      [clearProgram(), tree.base, String(NOW)],
      [clearProgram(), tree.base, String(NOW)],
    ].map(
      (arguments_) =>
        new Promise<string>((resolve, reject) => {
          const child = spawn(process.execPath, arguments_, { stdio: ["ignore", "pipe", "inherit"] });
          let out = "";
          child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
          child.once("error", reject);
          child.once("close", () => resolve(out.trim()));
        }),
    );
    const [, ...clears] = await Promise.all(ends);
    loaded.push(...clears.filter((id) => id !== "-"));
  }
  run(tree.base, transcript);
  for (;;) {
    const last = claimNewest(tree, { now: NOW, patience: steadyPatience(1000) }).loaded;
    if (last === undefined) break;
    loaded.push(last.id);
  }
  expect(new Set(loaded).size, "no capsule twice").toBe(loaded.length);
  expect(select(tree).rejected.every(({ reason }) => reason === "already-consumed")).toBe(true);
  const all = readdirSync(tree.capsules)
    .map((name) => readFileSync(join(tree.capsules, name), "utf8"))
    .join("\n");
  for (let round = 0; round < 6; round += 1) {
    const said = all.match(new RegExp(`\\[OPERATOR\\] Request number ${round} `, "g")) ?? [];
    expect(said, `request ${round}`).toHaveLength(1);
  }
});

it(
  "streams a large transcript in little memory, and reads only its new part the next time",
  { timeout: 600_000 },
  () => {
    const tree = newTree();
    const transcript = join(tree.base, "t.jsonl");
    const filler = `${JSON.stringify({ type: "attachment", content: "x".repeat(100_000) })}\n`;
    writeFileSync(transcript, row("The one request before the flood"));
    for (let part = 0; part < 12; part += 1) appendFileSync(transcript, filler.repeat(100));
    appendFileSync(transcript, `${JSON.stringify({ type: "user", note: "y".repeat(9_000_000) })}\n`);
    // The recorded conversation again and again, to a gigabyte in the whole run.
    const recorded = readFileSync(
      join(import.meta.dirname, "../../../fixtures/payloads/claude-code/transcript.jsonl"),
      "utf8",
    ).trimEnd();
    const many = `${recorded}\n`.repeat(100);
    for (let part = 0; part < (FULL ? 230 : 3); part += 1) appendFileSync(transcript, many);
    const first = run(tree.base, transcript);
    expect(first.stdout).toMatch(/^flushed /);
    expect(Number(first.stdout.split(" ")[2])).toBeLessThan(200 * 1024 * 1024);
    // However often it is said: a person's words, and nobody else's.
    const captured = textOf(tree, select(tree).capsule?.name ?? "");
    expect(captured).toContain('objective: "Go on with resume.ts."');
    expect(captured).not.toMatch(/List every caller|Summary of the work|request copies/);
    appendFileSync(transcript, row("And the one that comes after"));
    const second = run(tree.base, transcript);
    expect(second.stdout).toMatch(/^flushed /);
    expect(textOf(tree, select(tree).capsule?.name ?? "")).toContain(
      'objective: "And the one that comes after"',
    );
  },
);
