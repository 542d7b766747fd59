import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { injectFaults } from "../../../src/core/fs/fault.ts";
import type { DiskOperation } from "../../../src/core/fs/fault.ts";
import { readRegistration } from "../../../src/core/journal/registration.ts";
import { RECORD_KINDS, copiesDirectory } from "../../../src/core/journal/record-copies.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";

const BODY = "# Objective\na\n# Current State\nb\n# Next Action\nc\n";

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter((name) => name.endsWith(".md"));
  } catch {
    return [];
  }
}

/** What stands of the work: records, their copies, the stores that people read, and the lines that name them. */
async function standing(place: Place): Promise<Record<string, unknown>> {
  const checkout = await place.checkout();
  const text = (path: string): string => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const session = readRegistration(checkout.common, "claude-code", "one")?.registration.session_id ?? "";
  const events = (path: string): string[] =>
    text(path)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => (JSON.parse(line) as { event: string }).event)
      .filter((event) => /^(?:task|decision|question)[.]/.test(event));
  return {
    ...Object.fromEntries(RECORD_KINDS.map((kind) => [kind, filesIn(checkout.layout[kind]).length])),
    copies: RECORD_KINDS.flatMap((kind) =>
      filesIn(copiesDirectory(checkout, checkout.worktreeIdentity ?? "", kind)),
    ).length,
    decisions: text(checkout.layout.decisions).split("\n## ").length - 1,
    questions: text(checkout.layout.questions).split("\n- [").length - 1,
    outcome: /^outcome: (\w+)/m.exec(text(checkout.layout.task))?.[1],
    ledger: events(checkout.layout.ledger),
    journal: events(`${checkout.common.journal}/${session}.jsonl`),
  };
}

/** Lets the disk have no room from its n-th writing on until `free` is called. */
function fullFrom(first: number): { free: () => void; wrote: () => number } {
  const writing: ReadonlySet<DiskOperation> = new Set<DiskOperation>(["write", "link", "fsync", "rename"]);
  let seen = 0;
  const free = (): void => injectFaults(undefined);
  onTestFinished(free);
  injectFaults({
    before(operation, path) {
      if (!writing.has(operation)) return;
      seen += 1;
      if (seen < first) return;
      throw Object.assign(new Error(`ENOSPC: no space left, ${operation} '${path}'`), {
        code: "ENOSPC",
        syscall: operation,
      });
    },
  });
  return { free, wrote: () => seen };
}

/** A repository with an episode, and the means to bring everything that we keep back to where it was. */
async function newWork(task: boolean): Promise<{ place: Place; reset: () => void }> {
  const place = await newPlace();
  await place.fire("start", "one");
  if (task) await runCapability(await place.checkout(), "task.start", { task: "split", scope: ["."] });
  const kept = [".ai/local", ".git/majordomus"];
  const aside = join(place.root, ".git", "aside");
  for (const path of kept) cpSync(join(place.root, path), join(aside, path), { recursive: true });
  const reset = (): void => {
    for (const path of kept) {
      rmSync(join(place.root, path), { recursive: true });
      cpSync(join(aside, path), join(place.root, path), { recursive: true });
    }
  };
  return { place, reset };
}

const COMMANDS: [string, Record<string, unknown>, boolean][] = [
  ["checkpoint.write", { body: "Parsed." }, true],
  ["checkpoint.write", { body: "Parsed." }, false],
  ["checkpoint.write", { derive: true }, true],
  ["checkpoint.write", {}, true],
  ["handover.write", { body: BODY }, true],
  ["handover.write", { body: BODY, close: true }, true],
  ["handover.write", { derive: true, close: true }, true],
  ["handover.write", { derive: true, no_task: true }, false],
  ["decision.add", { title: "Keep it", why: "w" }, true],
  ["question.add", { question: "Which?" }, true],
  ["task.start", { task: "split", scope: ["."] }, false],
];

describe("on a disk that fills up somewhere within it", () => {
  it.each(COMMANDS)(
    "%s %j is done once, however often it is asked for (task: %s)",
    async (id, input, task) => {
      const { place, reset } = await newWork(task);
      const before = await standing(place);
      await runCapability(await place.checkout(), id, input);
      const wanted = await standing(place);
      expect(wanted).not.toEqual(before);

      let failed = 0;
      for (let first = 1; ; first += 1) {
        reset();
        const checkout = await place.checkout();
        const disk = fullFrom(first);
        const refused = await Promise.resolve()
          .then(() => runCapability(checkout, id, input))
          .then(
            () => false,
            () => true,
          );
        const reached = disk.wrote() >= first;
        disk.free();
        if (refused) {
          failed += 1;
          const left = await standing(place);
          const { checkpoints, handovers } = before;
          // A record whose command failed is gone, but for a handover that only could not close its task.
          if (id.startsWith("checkpoint"))
            expect(left, `at ${first}`).toMatchObject({ checkpoints, handovers });
          await runCapability(await place.checkout(), id, input);
        }
        const after = await standing(place);
        expect({ ...after, copies: wanted["copies"], outcome: undefined }, `at ${first}`).toEqual({
          ...wanted,
          outcome: undefined,
        });
        if (refused) expect(after, `at ${first}`).toEqual(wanted);
        if (!reached) break;
      }
      expect(failed).toBeGreaterThan(0);
    },
  );
});
