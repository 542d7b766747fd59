import { describe, expect, it, vi } from "vitest";
import { openDesk } from "../support/console-desk.ts";
import { consoleRows } from "../support/console-frame.tsx";

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
    desk.press("j");
    expect(consoleRows(desk).join("\n")).toMatch(/SessionStart +2026-09-04T17:30:00Z/);
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
    expect(status).toContain("health 1 FAIL 1 WARN");
    expect(status).toContain("handover");
    const healthy = await openDesk({ doctor: { schema: 1, findings: [] } }, { columns: 150, rows: 36 });
    expect(consoleRows(healthy).at(-2)).toContain("health ok");
  });
});
