import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { newPlace } from "../../support/checkout.ts";
import { commitFile, git } from "../../support/repository.ts";

it("the record of a worktree whose branch is gone too claims no commits, and names where its notes are kept", async () => {
  const place = await newPlace();
  const lane = join(place.root, ".git", "lane");
  git(place.root, "worktree", "add", "-q", "-b", "lane", lane);
  await place.fire("start", "one", { cwd: lane });
  const commit = commitFile(lane, "a.txt", "a\n");
  await place.fire("compact", "one", { cwd: lane });
  const { worktreeIdentity } = await place.checkout(lane);
  git(place.root, "worktree", "remove", "--force", lane);
  git(place.root, "branch", "-q", "-D", "lane");

  await runCapability(await place.checkout(), "recover.apply", { subject: "episodes" });
  const store = join(place.root, ".ai/repo/sessions");
  const [name = ""] = readdirSync(store).filter((entry) => /^\d/.test(entry));
  const text = readFileSync(join(store, name), "utf8");
  expect(text).toMatch(/^commits:\n {2}- "?unknown"?$/m);
  expect(text).toContain(
    `which commits it made: its branch lane is gone; the ledger last saw ${commit.slice(0, 12)}`,
  );
  expect(text).toContain("decisions with their reasons");
  expect(text).toContain(
    `1 checkpoints of its worktree, in majordomus/records/${worktreeIdentity}/checkpoints of git's common directory`,
  );
  expect(text.split("\n---\n")[0]).not.toContain(place.root);
});
