import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { FULL } from "../support/full.ts";
import { balanceOf, episodesOf } from "./support/episodes.ts";
import { claude } from "./support/hooks.ts";
import { answerOf, command, makePlace } from "./support/place.ts";
import type { Place } from "./support/place.ts";
import { countEvents, outcomesOf, readAll } from "./support/stores.ts";

const STATE = ".ai/local/state";

type Obstacle = "a directory" | "a FIFO" | "a link" | "a dangling link" | "garbage" | "an empty file";
const OBSTACLES: readonly Obstacle[] = [
  "a directory",
  "a FIFO",
  "a link",
  "a dangling link",
  "garbage",
  "an empty file",
];

const GARBAGE = '\u0000\u0001\uFFFD---\n: [not yaml\n{"half":';

function obstruct(path: string, obstacle: Obstacle, victim: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  const acts: Record<Obstacle, () => void> = {
    "a directory": () => mkdirSync(path),
    "a FIFO": () => execFileSync("mkfifo", [path]),
    "a link": () => symlinkSync(victim, path),
    "a dangling link": () => symlinkSync(join(dirname(victim), "nothing-here"), path),
    garbage: () => writeFileSync(path, GARBAGE),
    "an empty file": () => writeFileSync(path, ""),
  };
  acts[obstacle]();
}

/** Places of single files, by what they are. Each is told where it lies in a place whose session is `s`. */
const PLACES: Readonly<Record<string, (place: Place) => string>> = {
  "the ledger": ({ root }) => join(root, STATE, "ledger.jsonl"),
  "the pointer": ({ root }) => join(root, STATE, "session-current.yaml"),
  "the open file": ({ root }) => join(root, STATE, "sessions-open/s.yaml"),
  "the task": ({ root }) => join(root, STATE, "current.yaml"),
  "the questions": ({ root }) => join(root, STATE, "open-questions.md"),
  "a closed record": ({ root }) =>
    join(
      root,
      ".ai/repo/sessions/20260101T000000Z--s-20260101000000-0000--main--abcdef0--0123456789abcdef.md",
    ),
  "a working context": ({ root }) =>
    join(root, ".ai/local/session-contexts/20260101T000000Z--s-20260101000000-0000.md"),
  "a registration": ({ root }) =>
    join(root, ".git/majordomus/episodes/0123456789abcdef0123456789abcdef.json"),
  "a spool entry": ({ root }) => join(root, ".git/majordomus/spool/00000001.json"),
  "the parsed settings": ({ root }) => join(root, ".git/majordomus/cache"),
  "the worktree's identity": ({ root }) => join(root, ".git/majordomus-worktree"),
};

const READING = [
  ["status"],
  ["session", "list"],
  ["lifecycle", "episodes"],
  ["lifecycle", "recovery"],
  ["history", "--validate"],
  ["recover", "all", "--check"],
];

/** In each place another obstacle, so that each is met in several places; all of them when asked for. */
function obstaclesFor(place: number): Obstacle[] {
  return FULL ? [...OBSTACLES] : OBSTACLES.filter((_, index) => index === place % OBSTACLES.length);
}

test.for(Object.keys(PLACES).map((name, number) => ({ name, number })))(
  "$name replaced by a directory, a FIFO, a link or garbage: hooks end, commands tell, nothing is followed",
  async ({ name, number }) => {
    const place = await makePlace();
    const victim = join(place.directory, "victim.txt");
    writeFileSync(victim, "somebody else's words\n");
    for (const [index, obstacle] of obstaclesFor(number).entries()) {
      const path = PLACES[name]?.(place) ?? "";
      const label = `${obstacle} as ${name}`;
      const session = index === 0 ? "s" : `s${index}`;
      obstruct(path, obstacle, victim);
      const start = await claude(place, "SessionStart", session);
      expect(start, label).toMatchObject({ status: 0, stderr: "" });
      const arguments_ = READING[(number + index) % READING.length] ?? [];
      const [run, end] = await Promise.all([
        command(place, arguments_),
        claude(place, "SessionEnd.logout", session),
      ]);
      expect(run.stderr, `${label}: ${arguments_.join(" ")}`).not.toMatch(/unexpected|^\s+at /m);
      expect([0, 10, 12, 13], `${label}: ${arguments_.join(" ")}: ${run.stderr}`).toContain(run.status);
      expect(end, label).toMatchObject({ status: 0, stdout: "", stderr: "" });
      expect(readFileSync(victim, "utf8"), label).toBe("somebody else's words\n");
      expect(
        lstatSync(join(place.directory, "nothing-here"), { throwIfNoEntry: false }),
        label,
      ).toBeUndefined();
      rmSync(path, { recursive: true, force: true });
    }
    // With the last obstacle gone the next session does whatever was left undone.
    await claude(place, "SessionStart", "after");
    const found = readAll(place.root);
    expect(found.records.some(({ text }) => text.includes("somebody else"))).toBe(false);
    expect(await balanceOf(place)).toMatchObject({ unaccounted: 0 });
  },
);

test.for(["a directory", "a FIFO", "a link"] as const)(
  "%s in the event journal's place loses receipts, never events",
  async (obstacle) => {
    const place = await makePlace();
    await claude(place, "SessionStart", "first");
    const events = join(place.root, ".git/majordomus/events");
    const [journal] = readdirSync(events);
    const victim = join(place.directory, "victim.txt");
    writeFileSync(victim, "somebody else's words\n");
    obstruct(join(events, journal ?? ""), obstacle, victim);
    const start = await claude(place, "SessionStart", "unreceipted");
    expect(start).toMatchObject({ status: 0, stderr: "" });
    expect(start.stdout).toContain("Episode s-");
    expect(await claude(place, "SessionEnd.logout", "unreceipted")).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "",
    });
    rmSync(join(events, journal ?? ""), { recursive: true });
    const found = readAll(place.root);
    expect([...found.open.keys()]).toEqual(["first"]);
    expect(found.records).toHaveLength(1);
    expect(readFileSync(victim, "utf8")).toBe("somebody else's words\n");
    // What could not be receipted is complained of where the user's state lies.
    const log = readFileSync(join(place.directory, "state/majordomus/hooks.log"), "utf8");
    expect(log).toMatch(/claude-code SessionStart: no receipt: /);
  },
);

test("a pointer that dangles, leads astray or is empty is told, others are listed, and a start repairs it", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "a");
  await claude(place, "SessionStart", "b");
  const pointer = join(place.root, STATE, "session-current.yaml");
  const aims = ["sessions-open/gone.yaml", "sessions-open", "../../../etc/passwd", "/etc/passwd"];
  for (const target of aims) {
    rmSync(pointer);
    symlinkSync(target, pointer);
    const recovery = await answerOf<{ pointer: { layout: string; resolves: boolean; note: string } }>(place, [
      "lifecycle",
      "recovery",
    ]);
    expect(recovery.pointer, target).toMatchObject({ layout: "pointer", resolves: false });
  }
  const plan = await command(place, ["recover", "all", "--check"]);
  expect(plan.status).toBe(10);
  expect(plan.stdout).toContain("pointer names nothing");
  expect(await episodesOf(place)).toHaveLength(2);
  await claude(place, "SessionStart", "b");
  expect(readAll(place.root).pointer).toBe("sessions-open/b.yaml");
  rmSync(pointer);
  symlinkSync("sessions-open/gone.yaml", pointer);
  expect((await command(place, ["recover", "all"])).stdout).toContain(
    "removed the pointer that named nothing",
  );
  expect(readAll(place.root).pointer).toBeUndefined();
});

test("a damaged registration is told, kept aside, and its session opened once and not at each event", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "hurt");
  const before = readAll(place.root);
  const directory = join(place.root, ".git/majordomus/episodes");
  const [name = ""] = readdirSync(directory);
  writeFileSync(join(directory, name), '{"schema":"majordomus-registration/v1","session_id":');
  await claude(place, "SessionStart.resume", "hurt");
  const first = readdirSync(directory)
    .filter((file) => file === name)
    .map((file) => readFileSync(join(directory, file), "utf8"));
  expect(JSON.parse(first[0] ?? "")).toMatchObject({
    session_id: before.open.get("hurt")?.["session_id"],
    raw_id: "hurt",
  });
  await claude(place, "SessionStart.resume", "hurt");
  await claude(place, "SessionEnd.logout", "hurt");
  const found = readAll(place.root);
  expect(found.records).toHaveLength(1);
  expect(countEvents(found.ledger)).toMatchObject({ "session.started": 1, "session.closed": 1 });
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("ledger lines with CRLF, a mark, no form and fifty megabytes are told of, and the rest goes on", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "long");
  const ledger = join(place.root, STATE, "ledger.jsonl");
  const line = readFileSync(ledger, "utf8").split("\n")[0] ?? "";
  appendFileSync(
    ledger,
    `${line.replace("session.started", "task.started")}\r\n\uFEFF${line}\nnot a line\n{"ts":"x"}\n`,
  );
  appendFileSync(
    ledger,
    `{"ts":"2026-01-01T00:00:00Z","event":"task.started","pad":"${"x".repeat(50 * 1024 * 1024)}"}\n`,
  );
  const check = await command(place, ["history", "--validate"]);
  expect(check.status).toBe(10);
  expect(check.stdout).toMatch(/ledger\.jsonl:4 — /);
  expect(check.stdout.split("\n").every((text) => text.length < 2000)).toBe(true);
  const history = await answerOf<{ total: number; malformed: number }>(place, ["history"]);
  expect(history.malformed).toBeGreaterThanOrEqual(3);
  await claude(place, "SessionEnd.logout", "long");
  expect(await balanceOf(place)).toMatchObject({ started: 1, closed: 1, unaccounted: 0 });
});

test("a record with CRLF and a byte order mark is read, and an unknown key or schema is told by file and field", async () => {
  const place = await makePlace();
  await claude(place, "SessionStart", "r");
  await claude(place, "SessionEnd.logout", "r");
  const [record] = readAll(place.root).records;
  const path = join(place.root, ".ai/repo/sessions", record?.name ?? "");
  const text = readFileSync(path, "utf8");
  writeFileSync(path, `\uFEFF${text.replaceAll("\n", "\r\n")}`);
  expect((await answerOf<{ sessions: unknown[] }>(place, ["session", "list"])).sessions).toHaveLength(1);
  for (const [damaged, says] of [
    [text.replace("outcome: closed", "outcome: closed\nfrobnicate: 1"), /frobnicate/],
    [text.replace("session/v1", "session/v9"), /session\/v9|schema/],
    [text.replace(/^started_at: .*$/m, "started_at: yesterday"), /started_at/],
    [text.replace(/^outcome: .*$/m, ""), /outcome/],
  ] as const) {
    writeFileSync(path, damaged);
    const list = await command(place, ["session", "list"]);
    expect(list.status).toBe(0);
    expect(list.stderr).toMatch(says);
    expect(list.stderr).toContain(record?.name);
  }
});

test("without git on the PATH a hook still opens the episode, and says at the end what it could not do", async () => {
  const place = await makePlace();
  const environment = { PATH: join(place.directory, "empty") };
  const start = await claude(place, "SessionStart", "gitless", { environment });
  expect(start).toMatchObject({ status: 0, stderr: "" });
  expect(start.stdout).toMatch(/Episode s-\S+, on main at [0-9a-f]{7}, working tree unknown/);
  expect(start.stdout).toContain("git is not on the PATH of this hook");
  const found = readAll(place.root);
  expect([...found.open.keys()]).toEqual(["gitless"]);
  const steps = outcomesOf(found.receipts, "gitless").flatMap((receipt) => receipt.steps ?? []);
  expect(steps.filter(({ result }) => result === "failed")).toEqual([]);
  const end = await claude(place, "SessionEnd.logout", "gitless", { environment });
  expect(end).toMatchObject({ status: 0, stdout: "", stderr: "" });
  const outcome = outcomesOf(readAll(place.root).receipts, "gitless").at(-1);
  expect(JSON.stringify(outcome)).toContain("git is not installed");
  // With git back, the same end again finishes the work.
  await claude(place, "SessionEnd.logout", "gitless");
  expect(readAll(place.root).records).toHaveLength(1);
  expect(await balanceOf(place)).toMatchObject({ started: 1, open: 0, unaccounted: 0 });
});

test.for([
  ".ai",
  ".ai/local",
  ".ai/local/state",
  ".ai/local/state/locks",
  ".ai/local/state/handovers",
  ".ai/repo/sessions",
  ".git/majordomus",
])(
  "%s behind a link is refused by its name: nothing is written, moved or removed where the link leads",
  async (linked) => {
    const place = await makePlace();
    await claude(place, "SessionStart", "before");
    const elsewhere = join(place.directory, "elsewhere");
    renameSync(join(place.root, linked), elsewhere);
    symlinkSync(elsewhere, join(place.root, linked));
    const before = snapshot(elsewhere);
    const run = await command(place, ["decision", "add", "x", "--why", "y"]);
    expect(run.status).toBe(15);
    expect(run.stderr).toContain("is a symbolic link, and a layer is never followed through one");
    const doctor = await command(place, ["doctor"]);
    expect(doctor.status).toBe(15);
    expect(doctor.stderr).toContain(join(place.root, linked));
    for (const event of ["Stop", "SessionEnd.logout"]) {
      // oxlint-disable-next-line no-await-in-loop
      const hook = await claude(place, event, "before");
      expect(hook).toMatchObject({ status: 0, stdout: "", stderr: "" });
    }
    expect(snapshot(elsewhere)).toEqual(before);
  },
);

/** Every file below a directory, with its text. */
function snapshot(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, "utf8")];
    }),
  );
}
