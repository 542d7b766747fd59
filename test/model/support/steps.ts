import fc from "fast-check";
import { commitFile, git } from "../../scenario/support/place.ts";
import type { Model } from "./model.ts";
import { verify } from "./verify.ts";
import { WORKTREES } from "./world.ts";
import type { EventFacts, World, WorktreeName } from "./world.ts";

export const WORKERS = 3;

/** One thing that happens. */
export type Happening =
  | { what: "event"; event: EventFacts; times: 1 | 2 }
  | { what: "commit" | "switch" | "reset" | "rebase" | "add" | "remove" | "recover"; worktree: WorktreeName }
  | { what: "kill"; worker: number }
  | { what: "wait"; minutes: number };

function isPossible(happening: Happening, model: Pick<Model, "exists" | "dead">): boolean {
  switch (happening.what) {
    case "event":
    case "commit":
    case "switch":
    case "reset":
    case "rebase":
    case "recover":
      return model.exists(happening.what === "event" ? happening.event.worktree : happening.worktree);
    case "add":
      return !model.exists(happening.worktree);
    case "remove":
      return happening.worktree !== "main" && model.exists(happening.worktree);
    case "kill":
      return !model.dead.has(happening.worker);
    case "wait":
      return true;
  }
}

let changes = 0;

/** The first commit has the layer in it: that one stays. */
function hasTwoCommits(world: World, worktree: WorktreeName): boolean {
  return Number(git(world.pathOf(worktree), "rev-list", "--count", "HEAD")) > 1;
}

async function perform(happening: Happening, model: Model, world: World): Promise<void> {
  switch (happening.what) {
    case "event":
      for (let time = 0; time < happening.times; time += 1) {
        model.send(happening.event, world.now);
        await world.send(happening.event);
      }
      return;
    case "commit":
      commitFile(world.pathOf(happening.worktree), "work.txt", `${(changes += 1)}\n`);
      return;
    case "switch":
      git(world.pathOf(happening.worktree), "checkout", "-q", "-b", `topic-${(changes += 1)}`);
      return;
    case "reset":
      if (hasTwoCommits(world, happening.worktree))
        git(world.pathOf(happening.worktree), "reset", "-q", "--hard", "HEAD~1");
      return;
    case "rebase":
      if (hasTwoCommits(world, happening.worktree))
        git(world.pathOf(happening.worktree), "rebase", "-q", "--force-rebase", "HEAD~1");
      return;
    case "add":
      model.addWorktree(happening.worktree);
      world.addWorktree(happening.worktree);
      return;
    case "remove":
      model.removeWorktree(happening.worktree);
      world.removeWorktree(happening.worktree);
      return;
    case "recover":
      model.recover(happening.worktree, world.now);
      await world.recover(happening.worktree);
      return;
    case "kill":
      model.dead.add(happening.worker);
      await world.workers[happening.worker]?.kill();
      return;
    case "wait":
      world.now += happening.minutes * 60_000;
  }
}

class Step implements fc.AsyncCommand<Model, World> {
  private readonly happening: Happening;

  constructor(happening: Happening) {
    this.happening = happening;
  }

  check(model: Readonly<Model>): boolean {
    return isPossible(this.happening, model);
  }

  async run(model: Model, world: World): Promise<void> {
    world.now += 1000;
    await perform(this.happening, model, world);
    await verify(model, world);
  }

  toString(): string {
    return JSON.stringify(this.happening);
  }
}

const worktree = fc.constantFrom(...WORKTREES);
const session = fc.constantFrom("a", "b", "c");
const worker = fc.option(fc.nat(WORKERS - 1), { nil: undefined, freq: 2 });

function eventOf(kinds: readonly EventFacts["kind"][]): fc.Arbitrary<Happening> {
  return fc
    .record({
      kind: fc.constantFrom(...kinds),
      session,
      worktree,
      worker,
      source: fc.constantFrom("startup", "resume", "clear", "compact"),
      closes: fc.boolean(),
      subagent: fc.constantFrom(false, false, false, false, false, true),
      times: fc.constantFrom(1, 1, 1, 2),
    })
    .map(({ times, source, worker: named, kind, ...rest }) => ({
      what: "event" as const,
      times: times === 2 ? (2 as const) : (1 as const),
      event: {
        kind,
        ...rest,
        ...(kind === "start" ? { source } : {}),
        ...(named === undefined ? {} : { worker: named }),
      },
    }));
}

/** What may happen, events of sessions most often; each as a command for fast-check. */
export function steps(): fc.Arbitrary<fc.AsyncCommand<Model, World>>[] {
  const happenings: fc.Arbitrary<Happening>[] = [
    eventOf(["start"]),
    eventOf(["start", "prompt"]),
    eventOf(["prompt", "stop", "compact"]),
    eventOf(["end"]),
    eventOf(["start", "prompt", "stop", "compact", "end", "notification", "subagent_stop"]),
    worktree.map((name) => ({ what: "commit", worktree: name })),
    worktree.map((name) => ({ what: "switch", worktree: name })),
    worktree.map((name) => ({ what: "reset", worktree: name })),
    worktree.map((name) => ({ what: "rebase", worktree: name })),
    fc.constantFrom("lane-1" as const, "lane-2" as const).map((name) => ({ what: "add", worktree: name })),
    fc.constantFrom("lane-1" as const, "lane-2" as const).map((name) => ({ what: "remove", worktree: name })),
    fc.nat(WORKERS - 1).map((number) => ({ what: "kill", worker: number })),
    worktree.map((name) => ({ what: "recover", worktree: name })),
    fc.constantFrom(1, 30, 13 * 60).map((minutes) => ({ what: "wait", minutes })),
  ];
  return happenings.map((happening) => happening.map((what) => new Step(what)));
}
