import { describe, expect, it, vi } from "vitest";
import type { Finding } from "../../src/core/labels/terms.ts";
import { affectedBy } from "../../src/tui/affected.ts";
import { openDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";
import { STATE } from "../support/console-answers.ts";
import { CHECK, SERVER } from "../support/console-health-answers.ts";

describe("the health view", () => {
  it("shows what every judge found, the worst first, and each finding once", async () => {
    const desk = await openDesk({}, { columns: 150, rows: 36 });
    desk.press("9");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("1 FAIL · 1 DRIFT · 1 WARN · 1 INFO · 2 OK");
    expect(frame).toMatch(/▸FAIL +hooks +hooks +no provider hook is installed/);
    const levels = desk
      .rowsOf(desk.store.getState(), "findings")
      .map((row) => (row.kind === "finding" ? row.finding.level : ""));
    expect(levels).toEqual(["FAIL", "DRIFT", "WARN", "INFO", "OK", "OK"]);
    expect(frame).toContain("see it with majordomus hooks status claude-code");
    desk.press("j");
    expect(consoleRows(desk).join("\n")).toContain("found by    doctor, watch");
    desk.press("j");
    expect(consoleRows(desk).join("\n")).toContain("contains lib/io of t-2 (fix the reader) in");
  });

  it("tells which commit is answered about, and which providers fired", async () => {
    const desk = await openDesk({}, { columns: 150, rows: 36 });
    desk.press("9", "tab");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("about 3f2a9c1, here 77aa9c1");
    expect(frame).toContain("1 of 2 fired");
    expect(frame).toMatch(/claude-code +Stop +2m/);
    expect(frame).toMatch(/codex +never fired here/);
    expect(frame).toContain("answers are about an older commit");
    desk.press("j", "j", "j", "j");
    expect(consoleRows(desk).join("\n")).toMatch(/SessionStart +2026-09-04T17:30:00Z/);
  });

  it("shows where the shared server stands, about which commit it answers, and who is at work here", async () => {
    const desk = await openDesk({}, { columns: 150, rows: 36 });
    desk.press("9", "tab");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toContain("1 of 2 fired · 2 peers");
    expect(frame).toMatch(/✗ server +about 3f2a9c1, here 77aa9c1 +45m/);
    expect(frame).toMatch(/● peer +codex: moving the parser +7m/);
    expect(frame).toMatch(/○ peer +p-0a1b2c3d announced nothing/);
    desk.press("j");
    const server = consoleRows(desk).join("\n");
    expect(server).toMatch(/shared server +ready/);
    expect(server).toContain("http://127.0.0.1:8741");
    expect(server).toMatch(/answered +3f2a9c1d3f2a9c1d on main/);
    desk.press("j");
    const peer = consoleRows(desk).join("\n");
    expect(peer).toMatch(/on +src\/parser/);
    expect(peer).toContain("reading the tests");
    desk.press("y");
    expect(desk.sent.join("")).toContain(Buffer.from("s-20260904120000-fc51").toString("base64"));
  });

  it.each([
    [{ standing: "absent", note: "no server runs for this checkout" }, /○ server +absent: no server runs/],
    [
      { standing: "stale", note: "process 4711 ended and left its lease" },
      /✕ server +stale: process 4711 ended/,
    ],
    [
      { standing: "foreign", note: "server.json \u001b[31mis no lease" },
      /✕ server +foreign: server\.json ␛\[31m/,
    ],
  ] as const)("says so where it is not ready: %o", async ({ standing, note }, row) => {
    const { root, repository_branch } = SERVER;
    const answers = {
      server: { standing, note, root, repository_branch },
      peers: { standing, note, peers: [] },
    };
    const desk = await openDesk(answers, { columns: 220, rows: 36 });
    desk.press("9", "tab");
    const frame = consoleRows(desk).join("\n");
    expect(frame).toMatch(row);
    expect(frame).not.toContain("peer");
    desk.press("j");
    expect(consoleRows(desk).join("\n")).toMatch(/start it +majordomus serve ensure/);
  });

  it("asks again about the server when its lease, its process or the commit changes, and about nothing else", () => {
    expect(affectedBy("/home/mira/app/.ai/local/state/mcp/server.json")).toEqual(["server", "peers", "told"]);
    expect(affectedBy("process 4711")).toContain("server");
    expect(affectedBy("/home/mira/app/.git/HEAD")).toContain("server");
    expect(affectedBy("/home/mira/app/.ai/local/state/ledger.jsonl")).not.toContain("server");
  });

  it("copies the command that shows a finding, and judges again when it is told to", async () => {
    const desk = await openDesk();
    desk.press("9", "y");
    expect(desk.sent.join("")).toContain(
      Buffer.from("majordomus hooks status claude-code").toString("base64"),
    );
    const judged = (): number => desk.ask.calls.filter((call) => call.id === "doctor").length;
    const before = judged();
    // The doctor rests: it does not follow each change.
    desk.refresh("/home/mira/app");
    await desk.settle();
    expect(judged()).toBe(before);
    desk.press("R");
    await desk.settle();
    expect(judged()).toBe(before + 1);
  });

  it("does not complain that nothing is checked where there is no task", async () => {
    const error = { code: "task.absent", exit: 12, message: "there is none in this checkout" };
    const desk = await openDesk();
    vi.spyOn(desk.ask, "run").mockImplementation(() =>
      Promise.resolve({ ok: false, error: { ...error, exit: 12 } }),
    );
    desk.data.refresh("/home/mira/app", ["check"], Infinity);
    await desk.settle();
    desk.press("9");
    expect(consoleRows(desk).join("\n")).not.toContain("there is none in this checkout");
  });
});

describe("the overview", () => {
  it("has one line for task, blockers, health and what would be resumed", async () => {
    const desk = await openDesk({}, { columns: 150, rows: 36 });
    const status = consoleRows(desk).at(-2);
    expect(status).toContain("task split the parser");
    expect(status).toContain("1 blocker");
    expect(status).toContain("health 1 FAIL · 1 DRIFT · 1 WARN");
    expect(status).toContain("handover");
  });

  it("says that task and blockers are unknown where nobody can read them", async () => {
    const { task: _task, blockers: _blockers, ...rest } = STATE;
    const unknown = { task_unknown: "the record is odd", blockers_unknown: "the index is odd" };
    const desk = await openDesk({ "continuity.state": { ...rest, ...unknown } }, { columns: 150, rows: 36 });
    const status = consoleRows(desk).at(-2);
    expect(status).toContain("task unknown");
    expect(status).toContain("blockers unknown");
  });

  it("names a worktree whose claims are unknown", async () => {
    const overlaps_unread = [{ worktree: "/home/mira/lane", reason: "outcome: weird" }];
    const check = { ...CHECK, overlaps: [], overlaps_unread };
    const desk = await openDesk({ "check.run": check }, { columns: 150, rows: 36 });
    const told = desk
      .rowsOf(desk.store.getState(), "findings")
      .map((row) => (row.kind === "finding" ? `${row.finding.subject} ${row.finding.message}` : ""));
    expect(told).toContain(
      "/home/mira/lane its task record cannot be read, so what it claims is unknown: outcome: weird",
    );
  });

  const WELL = {
    doctor: { schema: 1, findings: [] },
    "watch.run": { schema: 1, findings: [] },
    "check.run": { ...CHECK, overlaps: [] },
  };

  it("says that all is well when every judge has said so", async () => {
    const healthy = await openDesk(WELL, { columns: 150, rows: 36 });
    expect(consoleRows(healthy).at(-2)).toContain("health ok");
    const { repositories } = healthy.store.getState();
    const [[root, slices] = ["", undefined]] = Object.entries(repositories);
    if (slices === undefined) throw new Error("no repository");
    const waiting = { ...slices, watch: { state: "loading" as const } };
    healthy.store.setState({ repositories: { [root]: waiting } });
    expect(consoleRows(healthy).at(-2)).not.toContain("health");
  });

  it.each([60, 80, 120, 200])("counts what the health view counts, at %i columns", async (columns) => {
    const many = (level: "FAIL" | "DRIFT" | "WARN", count: number): Finding[] =>
      Array.from({ length: count }, (_, index) => ({
        level,
        category: "work",
        subject: `${level}-${index}`,
        message: "is odd",
        reproduce: "majordomus doctor",
      }));
    const cases = [
      [
        { doctor: many("WARN", 4), check: many("FAIL", 1), watch: many("DRIFT", 3) },
        "1 FAIL · 3 DRIFT · 4 WARN",
      ],
      [{ doctor: many("WARN", 1), check: many("FAIL", 1), watch: [] }, "1 FAIL · 1 WARN"],
      [{ doctor: many("WARN", 2), check: many("WARN", 2), watch: [] }, "2 WARN"],
    ] as const;
    for (const [{ doctor, check, watch }, counts] of cases) {
      const answers = {
        doctor: { schema: 1, findings: doctor },
        "check.run": { ...CHECK, findings: check, overlaps: [] },
        "watch.run": { schema: 1, findings: watch },
      };
      const desk = await openDesk(answers, { columns, rows: 30 });
      expect(consoleRows(desk).at(-2)).toContain(`health ${counts}`);
      desk.press("9");
      expect(consoleRows(desk).join("\n")).toContain(counts);
    }
  });
});
