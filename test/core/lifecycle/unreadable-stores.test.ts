import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { runLine } from "../../support/run-program.ts";

afterEach(() => injectFaults(undefined));

/** The system refuses to open or list one path, as it does to whoever may not; also where tests run as root. */
function refuse(path: string): void {
  injectFaults({
    before: (operation, touched) => {
      if (touched !== path || (operation !== "open" && operation !== "read")) return;
      throw Object.assign(new Error(`EACCES: permission denied, ${operation} '${path}'`), {
        code: "EACCES",
        path,
      });
    },
  });
}

async function newWork(): Promise<Place> {
  const place = await newPlace();
  await place.fire("start", "one");
  const body = "# Objective\na\n# Current State\nb\n# Next Action\nGo on.\n";
  for (const command of [["checkpoint"], ["handover", "--no-task"]]) {
    const written = await runLine(command, { directory: place.root, stdin: body });
    expect(written.stderr).toBe("");
  }
  return place;
}

describe("a store that is there and cannot be read", () => {
  it.each([
    ["handovers", ".ai/local/state/handovers", "cannot be listed (EACCES)", "ls -ld"],
    ["checkpoints", ".ai/local/state/checkpoints", "cannot be listed (EACCES)", "ls -ld"],
    ["sessions", ".ai/repo/sessions", "cannot be listed (EACCES)", "ls -ld"],
    ["ledger", ".ai/local/state/ledger.jsonl", "EACCES: permission denied", "cat"],
    ["episodes", ".ai/local/state/sessions-open", "cannot be listed (EACCES)", "ls -ld"],
  ])("is named by status and watch, which tell everything else: %s", async (_name, path, message, show) => {
    const { root } = await newWork();
    refuse(join(root, path));
    const status = await runLine(["status"], { directory: root });
    expect(status.status).toBe(10);
    const told = ` ${path} — ${message}  [reproduce: ${show} ${path}]\n`;
    expect(status.stdout.split(told)).toHaveLength(2);
    for (const fact of ["Branch: ", "Task: ", "Handover: ", "Checkpoint: ", "Blockers:   0", "Hooks: "]) {
      expect(status.stdout).toContain(fact);
    }
    expect(status.stdout).toMatch(/^FAIL /mu);
    const watch = await runLine(["watch"], { directory: root });
    expect(watch.status).toBe(11);
    expect(watch.stdout.split(told)).toHaveLength(2);
    expect(watch.stdout).toMatch(/^DRIFT /mu);
    expect(watch.stdout).toContain(" prompts ");
    expect([status.stderr, watch.stderr]).toEqual(["", ""]);
  });

  it("is no evidence that nothing is in it", async () => {
    const { root } = await newWork();
    const told = async (path: string): Promise<string> => {
      refuse(join(root, path));
      const { stdout } = await runLine(["status"], { directory: root });
      const short = await runLine(["status", "--short"], { directory: root });
      injectFaults(undefined);
      return `${stdout}${short.stdout}`;
    };
    const handovers = await told(".ai/local/state/handovers");
    expect(handovers).toContain("Handover:   unknown: .ai/local/state/handovers: cannot be listed");
    expect(handovers).toContain(" · handover unknown");
    const checkpoints = await told(".ai/local/state/checkpoints");
    expect(checkpoints).toContain("Checkpoint: unknown: .ai/local/state/checkpoints: cannot be listed");
    expect(checkpoints).toMatch(/^Handover: {3}\.ai\/local\/state\/handovers\/\S+\.md /mu);
    const episodes = await told(".ai/local/state/sessions-open");
    expect(episodes).toContain("Session:    unknown: .ai/local/state/sessions-open: cannot be listed");
    expect(episodes).toContain("Episodes:   unknown\n");
    expect(episodes).toContain("session unknown · ");
  });

  it("takes nothing else from what a start is told", async () => {
    const place = await newWork();
    refuse(join(place.root, ".ai/local/state/handovers"));
    const text = await place.fire("start", "two");
    expect(text).toContain(", on main at ");
    expect(text).toContain(
      "\nHandover unknown: .ai/local/state/handovers cannot be listed (EACCES); `ls -ld .ai/local/state/handovers` shows it.\n",
    );
    expect(text).not.toContain("No relevant handover");
    expect(text).toContain("`majordomus context` prints the full briefing");
  });
});
