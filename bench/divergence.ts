import { spawnSync } from "node:child_process";
import { indexDivergence } from "../src/core/git/divergence-index.ts";
import { findRepository } from "../src/core/git/repository.ts";
import { benchDirectory, git } from "./place.ts";
import { figureOf, timed } from "./measure.ts";
import { describeFigure } from "./row.ts";
import type { Bench } from "./row.ts";

const COMMITS = 50_000;
const RECORDED = 5000;
const ASKED_ONE_BY_ONE = 20;

/** A history by fast-import: 50,000 commits on main, and a branch of 3,000 that left it at the 10,000th. */
function history(): string {
  const commands: string[] = [];
  const commit = (ref: string, mark: number, from?: number): void => {
    const message = `Commit ${mark}`;
    commands.push(
      `commit ${ref}`,
      `mark :${mark}`,
      `committer bench <bench@example.invalid> ${1_700_000_000 + mark} +0000`,
      `data ${message.length}`,
      message,
      ...(from === undefined ? [] : [`from :${from}`]),
    );
  };
  for (let mark = 1; mark <= COMMITS; mark += 1) commit("refs/heads/main", mark);
  for (let mark = COMMITS + 1; mark <= COMMITS + 3000; mark += 1) {
    commit("refs/heads/side", mark, mark === COMMITS + 1 ? 10_000 : undefined);
  }
  return `${commands.join("\n")}\n`;
}

function recorded(root: string): string[] {
  const main = git(root, ["rev-list", "main"]).split("\n");
  const side = git(root, ["rev-list", "main..side"]).split("\n");
  const absent = Array.from({ length: 100 }, (_, index) => index.toString(16).padStart(40, "a"));
  const step = Math.floor(main.length / 4000);
  return [
    ...main.filter((_, index) => index % step === 0).slice(0, 4000),
    ...side.slice(0, 900),
    ...absent,
  ].slice(0, RECORDED);
}

export const divergence: Bench = {
  name: "divergence",
  run: () => {
    const root = benchDirectory();
    git(root, ["init", "-q", "-b", "main"]);
    git(root, ["fast-import", "--quiet"], history());
    const commits = recorded(root);
    const repository = findRepository(root, process.env);
    if (repository === undefined) throw new Error("the bench's own repository is not found");
    const head = git(root, ["rev-parse", "main"]);
    const cold = timed(() => indexDivergence(repository, head, commits), 7);
    const sample = commits.slice(0, ASKED_ONE_BY_ONE);
    const oneByOne = figureOf(
      sample.map((commit) => {
        const begun = performance.now();
        spawnSync("git", ["merge-base", "--is-ancestor", commit, head], { cwd: root, stdio: "ignore" });
        return performance.now() - begun;
      }),
    );
    const reference = oneByOne.median * RECORDED;
    const index = indexDivergence(repository, git(root, ["rev-parse", "main~20"]), commits);
    const moved = timed(() => indexDivergence(repository, head, commits, index), 7);
    return [
      {
        bench: "divergence",
        bar: "label 5,000 recorded commits, cold",
        goal: "<= 350 ms",
        measured: describeFigure(cold),
        reached: cold.median <= 350,
        ours: cold,
      },
      {
        bench: "divergence",
        bar: `against one merge-base each (${ASKED_ONE_BY_ONE} asked, the rest reckoned)`,
        goal: ">= 80x",
        measured: `${(reference / cold.median).toFixed(0)}x`,
        reached: reference / cold.median >= 80,
      },
      {
        bench: "divergence",
        bar: "label again after HEAD moved by 20 commits",
        goal: "<= 60 ms",
        measured: describeFigure(moved),
        reached: moved.median <= 60,
        ours: moved,
      },
    ];
  },
};
