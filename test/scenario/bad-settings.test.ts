import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inertLines } from "../../src/core/text/inert.ts";
import { claude } from "./support/hooks.ts";
import { command, makePlace } from "./support/place.ts";
import { outcomesOf, readAll } from "./support/stores.ts";

const POLICY = ".ai/repo/policy.yaml";
const MANIFEST = ".ai/manifest.yaml";
const SWITCHES = ".ai/repo/majordomus.yaml";

interface Damage {
  what: string;
  path: string;
  damage: (path: string) => void;
  /** The command's exit status. */
  exit: number;
  /** What both the command's line and the hook's receipt must say. */
  says: RegExp;
}

function append(text: string): (path: string) => void {
  return (path) => writeFileSync(path, `${readFileSync(path, "utf8")}${text}`);
}

const DAMAGES: readonly Damage[] = [
  {
    what: "a policy that is not YAML",
    path: POLICY,
    damage: (path) => writeFileSync(path, "a: [1\nb: }"),
    exit: 10,
    says: /policy\.yaml:\d+:\d+: is not YAML/,
  },
  {
    what: "a policy with an unknown key",
    path: POLICY,
    damage: append("frobnicate: 1\n"),
    exit: 10,
    says: /policy\.yaml.*frobnicate/,
  },
  {
    what: "a policy with a value of a wrong type",
    path: POLICY,
    damage: append("ledger:\n  retention_max_lines: many\n"),
    exit: 10,
    says: /policy\.yaml/,
  },
  {
    what: "a policy that is absent",
    path: POLICY,
    damage: (path) => rmSync(path),
    exit: 12,
    says: /policy\.yaml/,
  },
  {
    what: "a directory in the policy's place",
    path: POLICY,
    damage: (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    exit: 10,
    says: /policy\.yaml/,
  },
  {
    what: "a FIFO in the policy's place",
    path: POLICY,
    damage: (path) => {
      rmSync(path);
      execFileSync("mkfifo", [path]);
    },
    exit: 10,
    says: /policy\.yaml.*(?:FIFO|not a regular file)/i,
  },
  {
    what: "a link in the policy's place",
    path: POLICY,
    damage: (path) => {
      renameSync(path, `${path}.real`);
      symlinkSync(`${path}.real`, path);
    },
    exit: 10,
    says: /policy\.yaml/,
  },
  {
    what: "two megabytes of policy",
    path: POLICY,
    damage: append(`# ${"x".repeat(2 * 1024 * 1024)}\n`),
    exit: 10,
    says: /policy\.yaml/,
  },
  {
    what: "a policy of a later schema",
    path: POLICY,
    damage: (path) =>
      writeFileSync(path, readFileSync(path, "utf8").replace(/policy\/v1|^version: .*$/m, "policy/v9")),
    exit: 10,
    says: /policy\.yaml/,
  },
  {
    what: "a manifest that is not YAML",
    path: MANIFEST,
    damage: (path) => writeFileSync(path, "{{{"),
    exit: 10,
    says: /manifest\.yaml/,
  },
  {
    what: "a manifest with an unknown key",
    path: MANIFEST,
    damage: append("frobnicate: 1\n"),
    exit: 10,
    says: /manifest\.yaml.*frobnicate/,
  },
  {
    what: "a manifest that is empty",
    path: MANIFEST,
    damage: (path) => writeFileSync(path, ""),
    exit: 10,
    says: /manifest\.yaml/,
  },
  {
    what: "a manifest whose section leads out of the layer",
    path: MANIFEST,
    damage: (path) =>
      writeFileSync(path, readFileSync(path, "utf8").replace(/policy: .*/, "policy: ../../../etc/passwd")),
    exit: 10,
    says: /manifest\.yaml/,
  },
  {
    what: "a switch that nobody knows",
    path: SWITCHES,
    damage: (path) => writeFileSync(path, "schema: majordomus-switches/v1\nfrobnicate: true\n"),
    exit: 10,
    says: /majordomus\.yaml.*frobnicate/,
  },
  {
    what: "an alias bomb in the policy",
    path: POLICY,
    damage: append(
      "x: &a [1,1,1,1,1,1,1,1,1]\ny: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nz: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nw: [*c,*c,*c,*c,*c,*c,*c,*c]\n",
    ),
    exit: 10,
    says: /policy\.yaml/,
  },
];

test.for(DAMAGES)(
  "$what: a command says so in one line, a hook in its receipt, and nothing is opened",
  async ({ path, damage, exit, says }) => {
    const place = await makePlace();
    damage(join(place.root, path));
    const [run, hook] = await Promise.all([
      command(place, ["session", "status"]),
      claude(place, "SessionStart", "damaged"),
    ]);
    expect(run.stderr).toMatch(says);
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(run).toMatchObject({ status: exit, stdout: "" });
    expect(hook).toMatchObject({ status: 0, stderr: "" });
    // In the briefing's place stands what is wrong: who sees nothing at all looks for the fault in the hooks.
    expect(hook.stdout).toMatch(/^Majordomus cannot work here: [^\n]+ The next prompt [^\n]+\n$/);
    expect(hook.stdout).toMatch(says);
    expect(inertLines(hook.stdout)).toEqual(hook.stdout.split("\n"));
    const found = readAll(place.root);
    const failed = outcomesOf(found.receipts, "damaged")[0]?.steps?.find(({ result }) => result === "failed");
    expect(failed).toMatchObject({ step: "settings", reason: expect.stringMatching(says) });
    expect([found.open.size, found.registrations]).toEqual([0, []]);
  },
);

test("an event that damaged settings kept from its work is made good by the next one after the repair", async () => {
  const place = await makePlace();
  const path = join(place.root, POLICY);
  const whole = readFileSync(path);
  writeFileSync(path, "a: [1\nb: }");
  await claude(place, "SessionStart", "damaged");
  expect((await claude(place, "UserPromptSubmit", "damaged")).stdout).toBe("");
  const json = await command(place, ["session", "status", "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    error: { code: "policy.yaml", message: expect.any(String), subject: expect.stringContaining(`${path}:`) },
  });
  writeFileSync(path, whole);
  await claude(place, "UserPromptSubmit", "damaged");
  expect([...readAll(place.root).open.keys()]).toEqual(["damaged"]);
});

test("settings with a byte order mark and CRLF line ends are read as they are meant", async () => {
  const place = await makePlace();
  for (const path of [POLICY, MANIFEST]) {
    const text = readFileSync(join(place.root, path), "utf8");
    writeFileSync(join(place.root, path), `\uFEFF${text.replaceAll("\n", "\r\n")}`);
  }
  expect((await command(place, ["session", "status"])).status).toBe(0);
  await claude(place, "SessionStart", "crlf");
  expect([...readAll(place.root).open.keys()]).toEqual(["crlf"]);
});

test("an edit of the policy counts at the next event, although the last one was kept parsed", async () => {
  const place = await makePlace();
  expect((await claude(place, "SessionStart", "first")).stdout).not.toBe("");
  const path = join(place.root, POLICY);
  const text = readFileSync(path, "utf8");
  expect(text).toMatch(/briefing_on_start: true/);
  writeFileSync(path, text.replace(/briefing_budget_lines: \d+/, "briefing_budget_lines: many"));
  expect((await claude(place, "SessionStart", "second")).stdout).toMatch(/^Majordomus cannot work here: /);
  writeFileSync(path, text.replace("briefing_on_start: true", "briefing_on_start: false"));
  const quiet = await claude(place, "SessionStart", "third");
  expect(quiet).toMatchObject({ status: 0, stderr: "" });
  expect(quiet.stdout).not.toContain("replaces earlier briefs");
  expect([...readAll(place.root).open.keys()].toSorted()).toEqual(["first", "third"]);
});
