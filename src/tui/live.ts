import { watch } from "node:fs";
import type { FSWatcher } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { WatchPlan } from "./options.ts";
import { affectedBy } from "./affected.ts";
import type { SliceName } from "./questions.ts";
import { changedPaths, takeStamps } from "./stamps.ts";
import type { Stamps } from "./stamps.ts";
import type { Feed } from "./store.ts";

/** Watches the disk of one repository and says which slices became old. */
export interface LiveFeed {
  /** The paths may have changed: new episodes, new worktrees. */
  renew(): void;
  /** Settles when everything was looked at once: what is asked from then on does not grow old unseen. */
  looked: Promise<void>;
  close(): void;
}

export interface LiveOptions {
  plan: () => Promise<WatchPlan>;
  /** Worktrees of the episodes on screen. */
  worktrees: () => Iterable<string>;
  onChange: (slices: ReadonlySet<SliceName>) => void;
  onFeed: (feed: Feed) => void;
  /** The disk was looked at, and nothing had changed. */
  onVerified: () => void;
}

const DEBOUNCE_MILLISECONDS = 100;
const MOST_WATCHERS = 64;

/** Starts to watch; polling goes on beside it, because a watch can miss what a look cannot. */
export function startFeed(options: LiveOptions): LiveFeed {
  return new Feeding(options);
}

class Feeding implements LiveFeed {
  readonly looked: Promise<void>;
  readonly #options: LiveOptions;
  #plan: WatchPlan = { directories: [], files: [], pollSeconds: 2 };
  #watchers: FSWatcher[] = [];
  #stamps: Stamps = new Map();
  readonly #changed = new Set<string>();
  #debounce: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #renewing = false;
  #watching = true;
  #closed = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.looked = this.#replan().then(() => this.#schedulePoll());
  }

  renew(): void {
    if (this.#renewing || this.#closed) return;
    this.#renewing = true;
    void this.#replan().finally(() => {
      this.#renewing = false;
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#debounce);
    clearTimeout(this.#poll);
    this.#unwatch();
  }

  async #replan(): Promise<void> {
    // Without a plan the last one stands; the panes say why their capabilities fail.
    const plan = await this.#options.plan().catch(() => this.#plan);
    if (this.#closed) return;
    const same = JSON.stringify(plan) === JSON.stringify(this.#plan);
    this.#plan = plan;
    if (!same) this.#watchAll();
    const before = this.#stamps;
    this.#stamps = this.#takeStamps();
    // Paths that are new to the plan are no news; the others may have changed while it was made.
    const known = new Map([...this.#stamps].filter(([path]) => before.has(path)));
    const old = new Map([...before].filter(([path]) => this.#stamps.has(path)));
    for (const path of changedPaths(old, known)) this.#note(path);
  }

  #takeStamps(): Stamps {
    return takeStamps(this.#plan, { worktrees: this.#options.worktrees(), entries: !this.#watching });
  }

  #watchAll(): void {
    this.#unwatch();
    if (!this.#watching) return;
    const whole = new Set(this.#plan.directories);
    // A file that is replaced by a rename leaves a watch on itself behind: its directory is watched instead.
    const parents = groupByParent(this.#plan.files);
    const targets = [...new Set([...whole, ...parents.keys()])].slice(0, MOST_WATCHERS);
    for (const directory of targets) {
      const names = whole.has(directory) ? undefined : parents.get(directory);
      this.#watchOne(directory, names);
    }
  }

  #watchOne(directory: string, names: ReadonlySet<string> | undefined): void {
    try {
      const watcher = watch(directory, { persistent: false }, (_, name) => {
        if (name === null || names === undefined || names.has(name)) this.#note(join(directory, name ?? ""));
      });
      watcher.on("error", () => this.#fallBack());
      this.#watchers.push(watcher);
    } catch (error) {
      // One that is not there yet is found by polling; a system that is out of watches is not going to recover.
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code !== "ENOENT" && code !== "ENOTDIR") this.#fallBack();
    }
  }

  #fallBack(): void {
    if (!this.#watching || this.#closed) return;
    this.#watching = false;
    this.#unwatch();
    this.#options.onFeed("polling");
  }

  #unwatch(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  #note(path: string): void {
    this.#changed.add(path);
    this.#debounce ??= setTimeout(() => {
      this.#debounce = undefined;
      this.#look();
    }, DEBOUNCE_MILLISECONDS);
  }

  #schedulePoll(): void {
    if (this.#closed) return;
    this.#poll = setTimeout(() => {
      this.#look();
      this.#schedulePoll();
    }, this.#plan.pollSeconds * 1000);
    this.#poll.unref();
  }

  /** Compares the disk with the last look; what the watch reported counts even if the stamps are equal. */
  #look(): void {
    const stamps = this.#takeStamps();
    const changed = new Set([...this.#changed, ...changedPaths(this.#stamps, stamps)]);
    const appeared = this.#plan.directories.some(
      (path) => inodeOf(stamps, path) !== inodeOf(this.#stamps, path),
    );
    this.#stamps = stamps;
    this.#changed.clear();
    if (appeared) this.#watchAll();
    if (changed.size === 0) {
      this.#options.onVerified();
      return;
    }
    const slices = new Set([...changed].flatMap((path) => affectedBy(path)));
    if (slices.size > 0) this.#options.onChange(slices);
  }
}

function inodeOf(stamps: Stamps, path: string): string | undefined {
  return stamps.get(path)?.split(" ")[2];
}

function groupByParent(files: readonly string[]): Map<string, Set<string>> {
  const parents = new Map<string, Set<string>>();
  for (const file of files) {
    const names = parents.get(dirname(file)) ?? new Set();
    parents.set(dirname(file), names.add(basename(file)));
  }
  return parents;
}
