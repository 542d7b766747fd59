import { NameTable } from "./name-table.ts";
import { isRegistered } from "./vocabulary.ts";

/** What an event means to the count, each a bit. */
export const KIND = {
  registered: 1,
  started: 2,
  closed: 4,
  recovered: 8,
  /** Its `task_id` is a task of the episode (records.md 3.6). */
  task: 16,
  checkpoint: 32,
} as const;

const KINDS: ReadonlyMap<string, number> = new Map<string, number>([
  ["session.started", KIND.started],
  ["session.closed", KIND.closed],
  ["session.recovered", KIND.recovered],
  ["task.started", KIND.task],
  ["task.checkpoint", KIND.task | KIND.checkpoint],
  ["task.handed_over", KIND.task],
  ["task.finished", KIND.task],
]);

/** The numbers of everything that a count names. One is shared by a count and all that go on from it. */
export class TallyNames {
  readonly events = new NameTable();
  readonly sessions = new NameTable();
  readonly tasks = new NameTable();
  /** The task of a line that has none. */
  readonly noTask = this.tasks.nameOf("none");
  readonly emptyTask = this.tasks.nameOf("");
  readonly noSession = this.sessions.nameOf("");
  private readonly kinds: number[] = [];

  /** The bits of an event by its number. */
  kindOf(event: number): number {
    return this.kinds[event] ?? this.learnKinds(event);
  }

  private learnKinds(event: number): number {
    for (let number = this.kinds.length; number <= event; number += 1) {
      const text = this.events.text(number);
      this.kinds.push((isRegistered(text) ? KIND.registered : 0) | (KINDS.get(text) ?? 0));
    }
    return this.kinds[event] ?? 0;
  }
}
