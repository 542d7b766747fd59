/** Claims without a result that are remembered from one stretch to the next. */
const MOST_OPEN = 50;
/** Tasks that one stretch takes. */
const MOST_TASKS = 50;
/** A longer id of a call is none that a harness gives. */
const LONGEST_ID = 128;

interface Task {
  /** Claimed in this stretch. */
  made: boolean;
  /** A claim of it came to a good end, or its end cannot be known. */
  held: boolean;
  /** Only a claim of an earlier stretch, whose result is still to come, put its line there. */
  carried: boolean;
}

/**
 * Which tasks were claimed: a claim counts until its result comes as an error, in this stretch or in a later one.
 */
export class ClaimBook {
  readonly #tasks = new Map<string, Task>();
  /** The task by the id of the call that claimed it, where no result has come yet. */
  readonly #open = new Map<string, string>();
  readonly #whole: boolean;
  /** Claims beyond the bound. */
  left = 0;

  /**
   * @param carried what an earlier stretch left open.
   * @param whole whether the conversation is read from its start, so that no claim of it is unknown.
   */
  constructor(carried: ReadonlyMap<string, string>, whole: boolean) {
    this.#whole = whole;
    for (const [call, task] of carried) {
      this.#open.set(call, task);
      this.#tasks.set(task, { made: false, held: false, carried: true });
    }
  }

  /** Takes a call of any tool: one whose id is used again has a result that belongs to nobody. */
  call(id: unknown): void {
    if (typeof id === "string") this.#settle(id, true);
  }

  claim(id: unknown, name: string): void {
    const task = this.#tasks.get(name) ?? { made: false, held: false, carried: false };
    if (!this.#tasks.has(name) && this.#tasks.size >= MOST_TASKS) {
      this.left += 1;
      return;
    }
    this.#tasks.set(name, task);
    task.made = true;
    if (typeof id === "string" && id.length <= LONGEST_ID) this.#open.set(id, name);
    else task.held = true;
  }

  result(id: unknown, failed: boolean): void {
    if (typeof id === "string") this.#settle(id, !failed);
  }

  #settle(id: string, held: boolean): void {
    const name = this.#open.get(id);
    const task = name === undefined ? undefined : this.#tasks.get(name);
    this.#open.delete(id);
    if (task !== undefined && held) task.held = true;
  }

  #isClaimed(name: string, task: Task): boolean {
    return task.held || [...this.#open.values()].includes(name);
  }

  /** The tasks that this stretch claimed. */
  claims(): string[] {
    return [...this.#tasks]
      .filter(([name, task]) => task.made && this.#isClaimed(name, task))
      .map(([name]) => name);
  }

  /** The tasks whose only claim turned out to be none, so that their lines go. */
  retracted(): string[] {
    return [...this.#tasks]
      .filter(([name, task]) => (task.carried || this.#whole) && !this.#isClaimed(name, task))
      .map(([name]) => name);
  }

  /**
   * What is open for the next stretch, the newest.
   *
   * @param stood the tasks whose lines stood there before, from claims that came to a good end.
   */
  open(stood: readonly string[]): ReadonlyMap<string, string> {
    const left = [...this.#open].filter(([, name]) => {
      const task = this.#tasks.get(name);
      return task?.held === false && (task.carried || !stood.includes(name));
    });
    return new Map(left.slice(-MOST_OPEN));
  }
}
