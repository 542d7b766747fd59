import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import type { RunOptions } from "../../../src/core/capabilities/run.ts";
import type { CandidatesAnswer, DeriveAnswer, ShowAnswer } from "../../../src/core/knowledge/answers.ts";
import { composeLine } from "../../../src/core/ledger/line.ts";
import type { Payload } from "../../../src/core/ledger/line.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { git } from "../../support/repository.ts";

export const SESSION = "s-20260904153733-fc51";
export const TASK = "t-20260904153800-0a1b";

/** A repository with a layer and a ledger that a test writes by itself. */
export interface KnowledgePlace extends Place {
  /** Directories of the two shelves, absolute. */
  candidates: string;
  curated: string;
  /** Appends one line to the ledger, of the episode unless another is named. */
  say(event: string, payload: Payload, envelope?: { session?: string; head?: string; ts?: string }): void;
  ask(id: string, input?: object, options?: RunOptions, directory?: string): Promise<unknown>;
  derive(input?: object, directory?: string): Promise<DeriveAnswer>;
  queue(input?: object, directory?: string): Promise<CandidatesAnswer>;
  show(id: string): Promise<ShowAnswer>;
}

export async function newKnowledgePlace(): Promise<KnowledgePlace> {
  const place = await newPlace();
  const ledger = join(place.root, ".ai/local/state/ledger.jsonl");
  const ask: KnowledgePlace["ask"] = async (id, input = {}, options = {}, directory = place.root) =>
    runCapability(await place.checkout(directory), id, input, options);
  return {
    ...place,
    candidates: join(place.root, ".ai/repo/knowledge/candidates"),
    curated: join(place.root, ".ai/repo/knowledge/curated"),
    say: (event, payload, envelope = {}) => {
      const {
        session = SESSION,
        ts = "2026-09-04T16:00:00Z",
        head = git(place.root, "rev-parse", "HEAD"),
      } = envelope;
      const line = composeLine(
        { ts, event, head, branch: "main", by: "majordomus/0.19.0", session },
        payload,
      );
      appendFileSync(ledger, `${line}\n`);
    },
    ask,
    derive: async (input = {}, directory) =>
      (await ask("knowledge.derive", { episode: SESSION, ...input }, {}, directory)) as DeriveAnswer,
    queue: async (input = {}, directory) =>
      (await ask("knowledge.candidates", input, {}, directory)) as CandidatesAnswer,
    show: async (id) => (await ask("knowledge.show", { id })) as ShowAnswer,
  };
}

/** Name and bytes of every record of a shelf, as text. */
export function recordsIn(directory: string): Map<string, string> {
  const names = readdirSync(directory).filter((name) => name !== "README.md");
  return new Map(names.map((name) => [name, readFileSync(join(directory, name), "utf8")]));
}

/** Commits one file below the repository, making its directory. */
export function commitBelow(root: string, path: string, text = path): string {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
  git(root, "add", "--", path);
  git(root, "commit", "-q", "-m", `Write ${path}`, "--", path);
  return git(root, "rev-parse", "HEAD");
}
