import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCapability } from "../../../../src/core/capabilities/run.ts";
import type { CheckAnswer, FinishAnswer, FinishInput } from "../../../../src/core/health/answers.ts";
import { finishTask } from "../../../../src/core/health/gate/finish.ts";
import { Moment } from "../../../../src/core/git/moment.ts";
import type { Finding } from "../../../../src/core/labels/terms.ts";
import type { Task } from "../../../../src/core/records/task.ts";
import { startTask } from "../../../../src/core/task/start-task.ts";
import { newPlace } from "../../../support/checkout.ts";
import type { Place } from "../../../support/checkout.ts";

/** A note with every section that the policy asks for. */
export const NOTE = "# Objective\nDo it.\n\n# Current State\nDone.\n\n# Next Action\nNothing.\n";

export interface Work extends Place {
  task: Task;
  /** Writes a file below the root, its directories too. */
  write(path: string, text: string): void;
  check(input?: { overlap?: boolean }): Promise<CheckAnswer>;
  finish(input: FinishInput): Promise<FinishAnswer>;
}

/** A repository with a layer and an active task. */
export async function newWork(given: { profile?: string; scope?: string[] } = {}): Promise<Work> {
  const place = await newPlace();
  const checkout = await place.checkout();
  const { task } = startTask(
    checkout,
    { task: "split the parser", scope: given.scope ?? ["lib"], profile: given.profile ?? "implementation" },
    {},
    new Moment(checkout.repository, checkout.head),
  );
  return {
    ...place,
    task,
    write: (path, text) => {
      mkdirSync(dirname(join(place.root, path)), { recursive: true });
      writeFileSync(join(place.root, path), text);
    },
    check: async (input = {}) => {
      const now = await place.checkout();
      return (await runCapability(now, "check.run", input)) as CheckAnswer;
    },
    finish: async (input) =>
      finishTask(await place.checkout(), input, {
        session: undefined,
        signal: { aborted: false },
        own: [".aigent"],
      }),
  };
}

/** Findings as `LEVEL category subject`, those in order left out. */
export function faults(findings: readonly Finding[]): string[] {
  return findings
    .filter(({ level }) => level !== "OK")
    .map(({ level, category, subject }) => `${level} ${category} ${subject}`);
}

/** The one finding of a category and a level. */
export function findingOf(
  findings: readonly Finding[],
  category: string,
  level: Finding["level"],
): Finding | undefined {
  return findings.find((finding) => finding.category === category && finding.level === level);
}
