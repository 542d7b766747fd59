import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publishHandover } from "../../../src/core/continuity/publish.ts";
import { resumeRecord } from "../../../src/core/continuity/resume.ts";
import { injectFaults, parseFaultPlan } from "../../../src/core/fs/fault.ts";
import { readWorkRecords, resolveRecord } from "../../../src/core/ledger/work-records.ts";
import { bodyOf, newTeam } from "./support/machines.ts";
import type { Machine } from "./support/machines.ts";

const REFERENCE = "refs/majordomus/continuity";
const TASK = "t-20261003180000-0a1b";

const state = (machine: Machine, ...names: string[]): string =>
  join(machine.root, ".ai/local/state", ...names);
const resume = async (machine: Machine, record?: string) =>
  resumeRecord(await machine.checkout(), { record });

function handovers(machine: Machine): string[] {
  const directory = state(machine, "handovers");
  return existsSync(directory) ? readdirSync(directory).filter((name) => !name.startsWith(".")) : [];
}

/** Everything that a resume may write, by name. */
function writtenBy(machine: Machine): Record<string, string> {
  const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "absent");
  return {
    decisions: read(state(machine, "decisions.md")),
    continuity: read(state(machine, "continuity.json")),
    ledger: read(state(machine, "ledger.jsonl")),
    task: read(state(machine, "current.yaml")),
    ...Object.fromEntries(handovers(machine).map((name) => [name, read(state(machine, "handovers", name))])),
  };
}

/** A machine that has published work under a task with two decisions, and one that has its record. */
async function pair(): Promise<{ a: Machine; b: Machine; id: string }> {
  const team = await newTeam();
  const [a, b] = [team.machine("a"), team.machine("b")];
  writeFileSync(state(a, "current.yaml"), `id: ${TASK}\ntask: fix\noutcome: active\nworktree: ${a.root}\n`);
  writeFileSync(
    state(a, "decisions.md"),
    `# Decisions\n\n## 2026-10-01 — one\nTask: ${TASK}\nWhy: x\n\n## 2026-10-02 — two\nTask: ${TASK}\nWhy: y\n`,
  );
  await a.handOver(bodyOf("Fix the callback."), { task: TASK });
  const { record } = await publishHandover(await a.checkout(), { issue: "#184" });
  b.git("fetch", "-q", a.root, `+${REFERENCE}:${REFERENCE}`);
  b.clock.forward(10);
  return { a, b, id: record.id };
}

describe("resuming", () => {
  it("writes the handover, the decisions and the position, and nothing else", async () => {
    const { a, b, id } = await pair();
    const before = [b.git("status", "--porcelain"), b.git("for-each-ref")];
    const answer = await resume(b);
    const node = answer.plan.record?.device.node ?? "";
    const head = b.git("rev-parse", "HEAD");
    const name = `20261003T181000Z--continuity--main--${head.slice(0, 7)}--${id.slice(0, 16)}.md`;
    expect(answer).toMatchObject({
      resumed: true,
      handover: `.ai/local/state/handovers/${name}`,
      decisions_carried: 2,
      position: { line: id, record: id, via: "resumed", at: "2026-10-03T18:10:00Z" },
    });
    expect(answer.plan.actions.map(({ command }) => command)).toEqual(["majordomus start 'fix'"]);
    const written = writtenBy(b);
    expect(written[name]).toBe(
      [
        "---",
        "schema_version: 1",
        "created_at: 2026-10-03T18:00:00Z",
        `task_id: ${TASK}`,
        "profile: none",
        `owner: "continuity:${node}"`,
        `repository_id: ${b.root}/.git`,
        `worktree: continuity:${node}`,
        "branch: main",
        `head: ${head}`,
        "working_tree: clean",
        "changed_files:",
        `continuity_record: ${id}`,
        `continuity_device: ${node}`,
        'issue: "#184"',
        "---",
        "",
        bodyOf("Fix the callback."),
      ].join("\n"),
    );
    expect(statSync(state(b, "handovers", name)).mode & 0o777).toBe(0o600);
    const label = answer.plan.record?.device.label;
    const carried = `Carried: continuity ${id.slice(0, 16)} from ${label}`;
    expect(written["decisions"]).toBe(
      `# Decisions\n\nAppend-only. One dated entry per decision. Newest at the bottom.\n\n## 2026-10-01 — one\nTask: ${TASK}\nWhy: x\n${carried}\n\n## 2026-10-02 — two\nTask: ${TASK}\nWhy: y\n${carried}\n`,
    );
    expect(JSON.parse(written["continuity"] ?? "")).toMatchObject({
      branches: { main: { line: id, record: id, via: "resumed" } },
      offers: [],
    });
    expect(written).toMatchObject({ ledger: "absent", task: "absent" });
    expect([b.git("status", "--porcelain"), b.git("for-each-ref")]).toEqual(before);
    expect(existsSync(join(b.environment["HOME"] ?? "", ".local"))).toBe(false);

    const checkout = await b.checkout();
    const resolved = resolveRecord(checkout, readWorkRecords(checkout, "handovers"), b.clock.now());
    expect(resolved).toMatchObject({ tier: "same_branch", candidate: { name } });

    b.clock.forward(10);
    const again = await resume(b, id);
    expect(again).toMatchObject({ resumed: true, decisions_carried: 0, handover: answer.handover });
    expect(writtenBy(b)).toEqual(written);
    expect(a.git("status", "--porcelain")).toBe("");
  });

  it("goes on: what is published next continues the line, and the old record is not resumed backwards", async () => {
    const { b, id } = await pair();
    await resume(b);
    b.clock.forward(1);
    await b.handOver(bodyOf("Went on"));
    const next = await publishHandover(await b.checkout(), {});
    expect(next.record).toMatchObject({ line: id, parent: id, issue: "#184" });
    const position = JSON.parse(writtenBy(b)["continuity"] ?? "") as object;
    expect(await resume(b, id)).toMatchObject({ resumed: true, position: { record: next.record.id } });
    expect(JSON.parse(writtenBy(b)["continuity"] ?? "")).toEqual(position);
  });

  it("is not done on a plan that says no, and writes nothing then", async () => {
    const { b } = await pair();
    b.git("switch", "-q", "-c", "elsewhere");
    const before = writtenBy(b);
    expect(await resume(b)).toMatchObject({
      resumed: false,
      decisions_carried: 0,
      plan: { status: "requires_source_update" },
    });
    expect(await resume(b, "ffff")).toMatchObject({ resumed: false, plan: { status: "nothing_to_resume" } });
    expect(writtenBy(b)).toEqual(before);
  });

  it("names the handover of this very checkout that resolves before it", async () => {
    const { b, id } = await pair();
    b.clock.forward(-100_000);
    const own = await b.handOver(bodyOf("Old, and of here"));
    b.clock.forward(100_000);
    const answer = await resume(b, id);
    expect(answer.plan.outranked_by).toMatchObject({ path: `.ai/local/state/handovers/${own}` });
  });

  it("adds each decision once, keeps every byte that stands, and takes no markup for more than text", async () => {
    const { a, b } = await pair();
    writeFileSync(
      state(b, "decisions.md"),
      Buffer.from([0x23, 0x20, 0xff, 0x0a, ...Buffer.from("## 2026-10-02 — two\r\nTask: x")]),
    );
    writeFileSync(
      state(a, "decisions.md"),
      `# Decisions\n\n## 2026-10-02 — two\nTask: ${TASK}\n\n## 2026-10-03 — three\nTask: ${TASK}\nWhy: a\n#### deeper\n`,
    );
    await a.handOver(bodyOf("More"), { task: TASK });
    a.clock.forward(1);
    const { record } = await publishHandover(await a.checkout(), {});
    b.git("fetch", "-q", a.root, `+${REFERENCE}:${REFERENCE}`);
    expect(await resume(b, record.id)).toMatchObject({ resumed: true, decisions_carried: 1 });
    const log = readFileSync(state(b, "decisions.md"));
    expect([...log.subarray(0, 4)]).toEqual([0x23, 0x20, 0xff, 0x0a]);
    expect(log.toString()).toMatch(
      /Task: x\n\n## 2026-10-03 — three\nTask: .*\nWhy: a\n#### deeper\nCarried: continuity [0-9a-f]{16} from \S+\n$/,
    );
  });
});

describe("a resume that is stopped", () => {
  it("at every single disk operation completes on the second try, and ends as one clean run does", async () => {
    const { b, id } = await pair();
    // Positions carry the second of the run: the clock stands still.
    const clean = await resume(b);
    expect(clean.resumed).toBe(true);
    const expected = writtenBy(b);
    const wipe = (): void => {
      for (const name of ["handovers", "decisions.md", "continuity.json"])
        rmSync(state(b, name), { recursive: true, force: true });
    };
    let failures = 0;
    for (let at = 1; at < 80; at += 1) {
      wipe();
      mkdirSync(state(b, "handovers"));
      const checkout = await b.checkout();
      injectFaults(parseFaultPlan(`ENOSPC@${at}:write,rename,fsync,link,open`));
      let error: unknown;
      let outcome: unknown;
      try {
        outcome = resumeRecord(checkout, {});
      } catch (thrown) {
        error = thrown;
      } finally {
        injectFaults(undefined);
      }
      if (error !== undefined) failures += 1;
      // The next run is another process; to it a lock that this one could not give back is a dead one's.
      rmSync(state(b, "locks"), { recursive: true, force: true });
      const again = await resume(b, id);
      expect(again.resumed, `operation ${at}`).toBe(true);
      expect(writtenBy(b), `operation ${at}`).toEqual(expected);
      if (error === undefined && outcome !== undefined && at > 40) break;
    }
    expect(failures).toBeGreaterThan(5);
  });

  it("leaves the earlier handover to resolve, and says which steps stand", async () => {
    const { b, id } = await pair();
    const own = await b.handOver(bodyOf("Earlier"));
    // A directory in the place of the log: the second step cannot be done.
    mkdirSync(state(b, "decisions.md"));
    await expect(resume(b, id)).rejects.toMatchObject({
      code: "continuity.half_resumed",
      exit: 13,
      subject: "its decisions",
      message: expect.stringMatching(/^the handover is written; its decisions could not be: /),
      remedy: expect.stringContaining("doubles nothing"),
    });
    const checkout = await b.checkout();
    expect(
      resolveRecord(checkout, readWorkRecords(checkout, "handovers"), b.clock.now())?.candidate.name,
    ).toBe(own);
    expect(handovers(b)).toHaveLength(2);
    renameSync(state(b, "decisions.md"), state(b, "was-a-directory"));
    expect(await resume(b, id)).toMatchObject({ resumed: true, decisions_carried: 2 });
    expect(handovers(b)).toHaveLength(2);
  });
});
