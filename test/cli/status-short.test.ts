import { rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { initialiseLayer } from "../../src/core/boundary/initialise.ts";
import { newRepository } from "../support/repository.ts";
import { runLine } from "../support/run-program.ts";

it("keeps one line of a shell prompt short, however long the task's title is", async () => {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  await initialiseLayer(root, { extend: false });
  const title = `Move the parser ${"on and on ".repeat(15)}`.trim();
  expect((await runLine(["start", title, "--scope", "src"], { directory: root })).status).toBe(0);
  const { stdout } = await runLine(["status", "--short"], { directory: root });
  expect(stdout).toMatch(/ · t-\S+ Move the parser (?:on and )*\S*.*…/);
  expect(stdout.length).toBeLessThan(160);
  const whole: { task: { title: string } } = JSON.parse(
    (await runLine(["status", "--short", "--json"], { directory: root })).stdout,
  );
  expect(whole.task.title).toBe(title);
});
