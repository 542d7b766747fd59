import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { steadyPatience } from "../../../../src/core/base/patience.ts";
import type { Random } from "../../../../src/core/base/random.ts";
import { sha256Hex } from "../../../../src/core/base/id.ts";
import { compactTimestamp, formatTimestamp } from "../../../../src/core/base/time.ts";
import { initialiseLayer } from "../../../../src/core/boundary/initialise.ts";
import type { Checkout, Surroundings } from "../../../../src/core/checkout/checkout.ts";
import { openCheckout } from "../../../../src/core/checkout/open.ts";
import { formatWorkRecord } from "../../../../src/core/records/work-record.ts";
import { testClock } from "../../../support/checkout.ts";
import type { TestClock } from "../../../support/checkout.ts";
import { git } from "../../../support/repository.ts";

/** Random hex that counts, and is not the same on every machine. */
function countedRandom(seed: string): Random {
  let count = 0;
  return {
    hex: (bytes) => {
      count += 1;
      let text = "";
      for (let part = 0; text.length < bytes * 2; part += 1) text += sha256Hex(`${seed}/${count}/${part}`);
      return text.slice(0, bytes * 2);
    },
  };
}

/** One person's machine: a clone, a home, a clock. */
export interface Machine {
  name: string;
  root: string;
  environment: Record<string, string | undefined>;
  clock: TestClock;
  checkout(): Promise<Checkout>;
  git(...arguments_: string[]): string;
  /** Writes a handover as `majordomus handover` does; its file name. */
  handOver(body: string, fields?: { task?: string; branch?: string }): Promise<string>;
  commit(name: string, text: string): string;
}

/** A bare remote and machines that share it. */
export interface Team {
  directory: string;
  remote: string;
  machine(name: string): Machine;
}

let template: string | undefined;

async function makeTemplate(): Promise<string> {
  const directory = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-team-template-")));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const root = join(directory, "seed");
  mkdirSync(root);
  git(root, "init", "-q", "-b", "main");
  await initialiseLayer(root, { extend: false });
  writeFileSync(join(root, "README.md"), "# Tidepool\n");
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "Begin");
  git(directory, "clone", "-q", "--bare", root, join(directory, "remote.git"));
  return directory;
}

function makeMachine(directory: string, remote: string, name: string): Machine {
  const root = join(directory, name);
  git(directory, "clone", "-q", remote, root);
  mkdirSync(join(root, ".ai/local/state"), { recursive: true });
  const clock = testClock("2026-10-03T18:00:00Z");
  const environment = {
    PATH: process.env["PATH"],
    HOME: join(directory, `${name}-home`),
    USER: name,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  const surroundings: Surroundings = {
    environment,
    clock,
    random: countedRandom(name),
    patience: steadyPatience(10_000),
  };
  const checkout = (): Promise<Checkout> => openCheckout(root, surroundings);
  return {
    name,
    root,
    environment,
    clock,
    checkout,
    git: (...arguments_) => git(root, ...arguments_),
    handOver: async (body, fields = {}) => {
      const here = await checkout();
      const at = clock.now();
      const file = `${compactTimestamp(at)}--${here.branch.replaceAll("/", "-")}--${(here.head ?? "NONE").slice(0, 7)}--${surroundings.random.hex(8)}.md`;
      mkdirSync(here.layout.handovers, { recursive: true });
      writeFileSync(
        join(here.layout.handovers, file),
        formatWorkRecord({
          created_at: formatTimestamp(at),
          task_id: fields.task ?? "none",
          profile: "none",
          owner: name,
          repository_id: here.localRepositoryId,
          worktree: here.root,
          branch: fields.branch ?? here.branch,
          head: here.head ?? "NONE",
          working_tree: "clean",
          changed_files: [],
          body,
        }),
      );
      return file;
    },
    commit: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
      git(root, "add", "--", path);
      git(root, "commit", "-q", "-m", `Change ${path}`);
      return git(root, "rev-parse", "HEAD");
    },
  };
}

/** Makes a bare remote with one commit and a layer; everything is removed when the test ends. */
export async function newTeam(): Promise<Team> {
  template ??= await makeTemplate();
  const directory = realpathSync.native(mkdtempSync(join(tmpdir(), "majordomus-team-")));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  const remote = join(directory, "remote.git");
  cpSync(join(template, "remote.git"), remote, { recursive: true });
  git(remote, "config", "core.logAllRefUpdates", "always");
  return { directory, remote, machine: (name) => makeMachine(directory, remote, name) };
}

/** A handover's body with everything that a plan shows. */
export function bodyOf(objective: string, next = "Go on."): string {
  return `# Objective\n\n${objective}\n\n# Current State\n\nHalf of it is done.\n\n# Next Action\n\n${next}\n`;
}
