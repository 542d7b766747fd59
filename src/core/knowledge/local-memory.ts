import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { stampOf } from "../fs/read.ts";
import { scanLines } from "../fs/scan.ts";
import { readLedgerFiles } from "../ledger/files.ts";
import { LineProbe } from "../ledger/probe.ts";
import { MAXIMUM_LINE_BYTES } from "../ledger/read.ts";
import { readDecisions } from "../records/decisions.ts";
import { listOpenEpisodes } from "../records/open-episode.ts";
import { sessionNamesOf } from "../records/session-names.ts";
import { readTask } from "../records/task.ts";

const SESSION = 2;
const TASK = 3;
const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

interface LedgerMemory {
  sessions: Set<string>;
  tasks: Set<string>;
  decided: Set<string>;
}

/**
 * What this checkout remembers of episodes, tasks and decisions. Most of it is local state, which a clone does
 * not have. Cheap questions first: the ledger is read once, and only when nothing else knows.
 */
export class LocalMemory {
  readonly #checkout: Pick<Checkout, "layout">;
  #records: ReadonlySet<string> | undefined;
  #open: ReadonlySet<string> | undefined;
  #current: string | undefined;
  #decided: ReadonlySet<string> | undefined;
  #ledger: LedgerMemory | undefined;

  constructor(checkout: Pick<Checkout, "layout">) {
    this.#checkout = checkout;
  }

  knowsSession(id: string): boolean {
    const { layout } = this.#checkout;
    this.#records ??= sessionNamesOf(layout.sessions);
    if (this.#records.has(id)) return true;
    this.#open ??= new Set(
      listOpenEpisodes(layout.sessionsOpen).episodes.map(({ episode }) => episode.session_id),
    );
    return this.#open.has(id) || this.#ofLedger().sessions.has(id);
  }

  knowsTask(id: string): boolean {
    const { layout } = this.#checkout;
    if (this.#current === undefined) {
      const current = readTask(layout.task);
      this.#current = current.ok ? current.value.id : "";
    }
    if (this.#current === id) return true;
    const files = [join(layout.taskArchive, `${id}.yaml`), join(layout.completed, `${id}.md`)];
    if (PLAIN.test(id) && files.some((path) => stampOf(path) !== undefined)) return true;
    return this.#ofLedger().tasks.has(id);
  }

  knowsDecisionOf(task: string): boolean {
    if (this.#decided === undefined) {
      const log = readDecisions(this.#checkout.layout.decisions);
      this.#decided = new Set(log.ok ? log.value.map((decision) => decision.task ?? "") : []);
    }
    return this.#decided.has(task) || this.#ofLedger().decided.has(task);
  }

  #ofLedger(): LedgerMemory {
    this.#ledger ??= readLedgerFiles(this.#checkout.layout.state, readMemory);
    return this.#ledger;
  }
}

function readMemory(files: readonly string[]): LedgerMemory {
  const memory: LedgerMemory = { sessions: new Set(), tasks: new Set(), decided: new Set() };
  const probe = new LineProbe(["session", "task_id"]);
  for (const file of files) {
    scanLines(
      file,
      0,
      (buffer, start, end) => {
        const event = probe.read(buffer, start, end) ? probe.text(1) : undefined;
        if (event === undefined) return;
        const session = probe.text(SESSION);
        if (session !== undefined) memory.sessions.add(session);
        const task = probe.text(TASK);
        if (task === undefined) return;
        memory.tasks.add(task);
        if (event === "decision.recorded") memory.decided.add(task);
      },
      { maximumLineBytes: MAXIMUM_LINE_BYTES },
    );
  }
  return memory;
}
