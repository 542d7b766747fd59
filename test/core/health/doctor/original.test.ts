import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { steadyPatience } from "../../../../src/core/base/patience.ts";
import { systemRandom } from "../../../../src/core/base/random.ts";
import { runCapability } from "../../../../src/core/capabilities/run.ts";
import type { Checkout } from "../../../../src/core/checkout/checkout.ts";
import { openCheckout } from "../../../../src/core/checkout/open.ts";
import type { FindingsAnswer } from "../../../../src/core/health/answers.ts";
import type { Finding } from "../../../../src/core/labels/terms.ts";
import { git, newRepository } from "../../../support/repository.ts";

const ORIGINAL = join(import.meta.dirname, "../../../fixtures/original");
const EXPECTED: { findings: { subject: string; why: string }[] } = JSON.parse(
  readFileSync(join(ORIGINAL, "expected-findings.json"), "utf8"),
);

/** The original's tree in a fresh repository: the layer committed, its local half ignored. */
async function original(): Promise<Checkout> {
  const root = newRepository();
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const home = join(root, ".git", "home");
  mkdirSync(home);
  cpSync(ORIGINAL, join(root, ".ai"), { recursive: true });
  rmSync(join(root, ".ai", "expected-findings.json"));
  writeFileSync(join(root, ".gitignore"), ".ai/local/\n");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "What the original left");
  return openCheckout(root, {
    environment: { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_GLOBAL: "/dev/null" },
    clock: { now: () => Date.parse("2026-11-30T12:00:00Z") },
    random: systemRandom,
    patience: steadyPatience(5000),
  });
}

async function ask(checkout: Checkout, id: "doctor" | "check.run" | "watch.run"): Promise<Finding[]> {
  return ((await runCapability(checkout, id, {})) as FindingsAnswer).findings;
}

/** The program, what it runs on and whether a server runs are no findings about a tree. */
const ABOUT_NO_TREE: ReadonlySet<string> = new Set(["environment", "server"]);

/** What is not in order. */
function told(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ level, category }) => level !== "OK" && !ABOUT_NO_TREE.has(category));
}

const SUBJECTS = EXPECTED.findings.flatMap(({ subject }) => subject.split(" and ")).toSorted();

describe("a repository that the original left", () => {
  it("gives the doctor exactly the findings that stand written beside it", async () => {
    const findings = told(await ask(await original(), "doctor"));
    const lines = findings.map(({ level, subject }) => `${level} ${subject}`);
    expect(lines).toEqual([
      "FAIL doctor-on-commit",
      "WARN CLAUDE.md",
      "FAIL hooks",
      "WARN hand",
      "WARN cc-1",
      "WARN session-current.yaml",
      "INFO s-20260906120000-77aa",
      "INFO commits",
      "INFO t-20260906120100-c0de",
      "WARN open-questions.md",
      "FAIL one-store",
      "WARN candidates",
    ]);
    expect(findings.map(({ subject }) => subject).toSorted()).toEqual(SUBJECTS);
    // Each shows itself by a command that only looks.
    expect(findings.filter(({ reproduce }) => reproduce === undefined).map(({ subject }) => subject)).toEqual(
      [],
    );
  });

  it("gives check and watch none but those", async () => {
    const checkout = await original();
    expect(told(await ask(checkout, "check.run")).map(({ level, subject }) => `${level} ${subject}`)).toEqual(
      ["INFO t-20260906120100-c0de", "WARN open-questions.md", "FAIL one-store"],
    );
    expect(told(await ask(checkout, "watch.run")).map(({ level, subject }) => `${level} ${subject}`)).toEqual(
      ["INFO t-20260906120100-c0de", "DRIFT hand", "DRIFT cc-1", "DRIFT one-store"],
    );
  });

  it("is left as it was", async () => {
    const checkout = await original();
    const before = git(checkout.root, "status", "--porcelain", "--ignored", "-uall");
    const ledger = readFileSync(checkout.layout.ledger, "utf8");
    await ask(checkout, "doctor");
    await ask(checkout, "watch.run");
    await ask(checkout, "check.run");
    expect(git(checkout.root, "status", "--porcelain", "--ignored", "-uall")).toBe(before);
    expect(readFileSync(checkout.layout.ledger, "utf8")).toBe(ledger);
  });
});
