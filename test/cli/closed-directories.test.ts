import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newPlace } from "../support/checkout.ts";
import { runLine } from "../support/run-program.ts";
import { canRunUnprivileged, closed, handOver, runUnprivileged } from "../support/unprivileged.ts";

async function newWork(): Promise<string> {
  const place = await newPlace();
  await place.fire("start", "one");
  await place.fire("end", "one");
  await place.fire("start", "two");
  await runLine(["checkpoint"], { directory: place.root, stdin: "Half.\n" });
  handOver(place.root);
  return place.root;
}

/** How often a text says something. */
const times = (text: string, said: string): number => text.split(said).length - 1;

describe.skipIf(!canRunUnprivileged)("a directory that may not be searched", () => {
  it.each([".ai/local/state", ".git/majordomus"])(
    "is named once, and the rest is told all the same: %s",
    async (directory) => {
      const root = await newWork();
      const [status, watch, recovery, episodes, runtime] = await closed(join(root, directory), () =>
        Promise.all(
          [
            ["status"],
            ["watch"],
            ["lifecycle", "recovery"],
            ["lifecycle", "episodes"],
            ["lifecycle", "runtime"],
          ].map((words) => runUnprivileged(words, root)),
        ),
      );
      const named = `[reproduce: ls -ld ${directory}]`;
      expect([status, watch, recovery, episodes, runtime].map((run) => run?.status)).toEqual([
        10, 11, 0, 0, 0,
      ]);
      for (const run of [watch, recovery, episodes]) expect(times(run?.stdout ?? "", named)).toBe(1);
      expect(status?.stdout).toContain(named);
      expect(status?.stdout).toMatch(/^Branch: {5}main at /mu);
      expect(status?.stdout).toContain(`Session:    unknown: ${directory}: `);
      expect(status?.stdout).toContain("Episodes:   unknown\n");
      expect(status?.stdout).toContain("\nHooks: ");
      expect(watch?.stdout).toContain("OK   prompts ");
      expect(recovery?.stdout).toMatch(
        /^Pointer: {2}(?:unknown — \.ai\/local\/state: |pointer — names an open episode\nBalance: {2}unknown\n)/u,
      );
      expect(recovery?.stdout).toContain("Balance:  unknown\n");
      expect(episodes?.stdout).toContain("Which episodes are open is unknown.\n");
      expect(runtime?.stdout).toContain("Agree:      yes");
    },
  );

  it("does not make records none that cannot be listed", async () => {
    const root = await newWork();
    const [shelf, counted, recovery] = await closed(join(root, ".ai/repo/sessions"), () =>
      Promise.all(
        [
          ["lifecycle", "closed"],
          ["lifecycle", "closed", "--json"],
          ["lifecycle", "recovery"],
        ].map((words) => runUnprivileged(words, root)),
      ),
    );
    const named = " .ai/repo/sessions — cannot be listed (EACCES)  [reproduce: ls -ld .ai/repo/sessions]\n";
    expect(shelf?.stdout).toBe(`How many are closed is unknown.\nFAIL sessions   ${named}`);
    expect(JSON.parse(counted?.stdout ?? "")).toEqual({
      window: 20,
      findings: [expect.objectContaining({ level: "FAIL", subject: ".ai/repo/sessions" })],
    });
    expect(recovery?.stdout).toContain("Balance:  started 2 = closed 1 + recovered 0 + open 1");
    expect(recovery?.stdout).toContain(`FAIL recovery   ${named}`);
  });

  it("is what a start says, which cannot record anything", async () => {
    const root = await newWork();
    const payload = JSON.stringify({
      session_id: "three",
      hook_event_name: "SessionStart",
      source: "startup",
      cwd: root,
    });
    const words = ["hook", "SessionStart", "--provider", "claude-code"];
    const run = await closed(join(root, ".ai/local/state"), () => runUnprivileged(words, root, payload));
    expect(run).toMatchObject({ status: 0, stderr: "" });
    expect(run.stdout).toMatch(
      /^Majordomus cannot work here: EACCES: permission denied, .*\.ai\/local\/state/u,
    );
  });
});
