import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine } from "./support/machines.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/verify.md"), "utf8");
const SCRIPT = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "").join("\n");

/** Runs the page's commands for one record, in a directory of their own. */
function runPage(machine: Machine, id: string): { stdout: string; status: number | null } {
  const room = join(machine.root, ".git", "by-hand");
  mkdirSync(room, { recursive: true });
  const { stdout, stderr, status } = spawnSync("sh", ["-c", SCRIPT], {
    cwd: room,
    env: { PATH: process.env["PATH"], GIT_DIR: join(machine.root, ".git"), id },
    encoding: "utf8",
  });
  expect(
    stderr
      .replaceAll("Signature Verification Failure", "")
      .replaceAll(/.*(?:error|Error).*\n?/g, "")
      .trim(),
  ).toBe("");
  return { stdout, status };
}

it("a record of ours is proved by the page's commands alone, and an altered one is not", async () => {
  const machine = (await newTeam()).machine("a");
  writeFileSync(join(machine.root, "b.txt"), "dirty\n");
  await machine.handOver(bodyOf('Quotes "and" \\ commas, {braces}, [lists], ü, a tab\t and an end,'));
  const first = (await publishHandover(await machine.checkout(), { issue: "#1," })).record;
  machine.clock.forward(1);
  await machine.handOver(bodyOf("Two"));
  const second = (await publishHandover(await machine.checkout(), {})).record;
  for (const { id, parent } of [first, second]) {
    const { stdout } = runPage(machine, id);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        `records/${id}.json`,
        "id holds",
        "Signature Verified Successfully",
        "device holds",
        "repository holds",
      ]),
    );
    if (parent !== undefined) expect(lines.at(-1)).toBe(parent);
  }

  const reference = "refs/majordomus/continuity";
  const path = `${reference}:records/${second.id}.json`;
  const text = execFileSync("git", ["cat-file", "blob", path], { cwd: machine.root })
    .toString()
    .replace("Two", "Tow");
  const input = (command: string[], stdin: string): string =>
    execFileSync("git", command, { cwd: machine.root, input: stdin }).toString().trim();
  const blob = input(["hash-object", "-w", "--stdin"], text);
  const records = input(["mktree"], `100644 blob ${blob}\t${second.id}.json\n`);
  machine.git(
    "update-ref",
    reference,
    machine.git("commit-tree", "-m", "x", input(["mktree"], `040000 tree ${records}\trecords\n`)),
  );
  const { stdout } = runPage(machine, second.id);
  expect(stdout).not.toContain("id holds");
  expect(stdout).not.toContain("Signature Verified Successfully");
  expect(stdout).toContain("device holds");
});
