import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { judgeRecords } from "../../../src/core/health/doctor/judge-records.ts";
import { readRecovery } from "../../../src/core/lifecycle/recovery.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";

const STORE = ".ai/repo/sessions";

interface Plan {
  actions: { kind: string; reason: string; writes?: string[]; removes?: string[] }[];
}

function names(place: Place): string[] {
  return readdirSync(join(place.root, STORE)).filter((name) => /^\d/.test(name));
}

/** A session that was closed by hand with a summary of its own. */
async function closedPlace(): Promise<{ place: Place; name: string; text: string }> {
  const place = await newPlace();
  const checkout = await place.checkout();
  await runCapability(checkout, "session.start", {});
  place.clock.forward(1);
  await runCapability(checkout, "session.close", { summary: "# What Happened\n\nThe parser was split.\n" });
  const [name = ""] = names(place);
  return { place, name, text: readFileSync(join(place.root, STORE, name), "utf8") };
}

async function planOf(place: Place): Promise<Plan> {
  return (await runCapability(await place.checkout(), "recover.plan", { subject: "records" })) as Plan;
}

function commit(place: Place, message: string): void {
  git(place.root, "add", "-A");
  git(place.root, "commit", "-q", "-m", message);
}

const AWAY: Readonly<Record<string, (place: Place) => void>> = {
  "a clean": (place) => {
    git(place.root, "clean", "-fdq", STORE);
  },
  "a stash of untracked files": (place) => {
    git(place.root, "stash", "-q", "-u");
  },
  "a reset of its commit": (place) => {
    commit(place, "Keep the record");
    git(place.root, "reset", "-q", "--hard", "HEAD~1");
  },
};

it.each(Object.entries(AWAY))(
  "a closed record that %s took away is told of, and given back word for word",
  async (_name, takeAway) => {
    const { place, name, text } = await closedPlace();
    expect((await planOf(place)).actions).toEqual([]);
    takeAway(place);
    expect(names(place)).toEqual([]);

    const checkout = await place.checkout();
    expect(judgeRecords(checkout)).toContainEqual(
      expect.objectContaining({
        level: "FAIL",
        message: expect.stringContaining("closed, but its record is not there"),
        reproduce: "majordomus recover records --check",
      }),
    );
    expect(
      readRecovery(checkout)
        .findings?.map(({ message }) => message)
        .join("\n"),
    ).toContain("counts as closed, but its record is not there");
    expect((await planOf(place)).actions).toMatchObject([
      { kind: "restore", reason: "closed record taken away", writes: [`${STORE}/${name}`] },
    ]);

    await runCapability(checkout, "recover.apply", { subject: "records" });
    expect(readFileSync(join(place.root, STORE, name), "utf8")).toBe(text);
    expect((await planOf(place)).actions).toEqual([]);
    expect(judgeRecords(checkout).filter(({ level }) => level === "FAIL")).toEqual([]);
    expect(readRecovery(checkout).findings).toBeUndefined();
  },
);

it("a record that another branch has, or that somebody removed for good, is not missing", async () => {
  const { place, name } = await closedPlace();
  git(place.root, "checkout", "-q", "-b", "side");
  commit(place, "Keep the record");
  git(place.root, "checkout", "-q", "main");
  expect(names(place)).toEqual([]);
  expect((await planOf(place)).actions).toEqual([]);
  git(place.root, "checkout", "-q", "side");
  git(place.root, "rm", "-q", `${STORE}/${name}`);
  commit(place, "Remove the record");
  expect((await planOf(place)).actions).toEqual([]);
});

it("an untracked record of a worktree that was removed is given back where recovery runs", async () => {
  const place = await newPlace();
  const lane = join(place.root, ".git", "lane");
  git(place.root, "worktree", "add", "-q", "-b", "lane", lane);
  await place.fire("start", "one", { cwd: lane });
  await place.fire("end", "one", { cwd: lane, reason: "clear", closes: true });
  git(place.root, "worktree", "remove", "--force", lane);
  await runCapability(await place.checkout(), "recover.apply", { subject: "records" });
  expect(names(place)).toHaveLength(1);
});

it("a record without a copy is told of and not offered", async () => {
  const { place } = await closedPlace();
  const checkout = await place.checkout();
  rmSync(checkout.common.records, { recursive: true });
  git(place.root, "clean", "-fdq", STORE);
  expect((await planOf(place)).actions).toEqual([]);
  expect(judgeRecords(checkout)).toContainEqual(
    expect.objectContaining({ level: "WARN", message: expect.stringContaining("and no copy was kept") }),
  );
});
