import { join } from "node:path";
import type { Checkout } from "../checkout/checkout.ts";
import { containedPath } from "../fs/contain.ts";
import { stampOf } from "../fs/read.ts";
import { existingObjects } from "../git/existing-objects.ts";
import { isShallow } from "../git/shallow.ts";
import type { KnowledgeStore } from "../records/knowledge-store.ts";
import type { KnowledgeRecord } from "../records/knowledge.ts";
import { clip, inert } from "../text/inert.ts";
import type { Evidence, EvidenceSummary } from "./answers.ts";
import { LocalMemory } from "./local-memory.ts";
import { parseReference } from "./references.ts";
import type { Reference } from "./references.ts";
import { SectionIndex } from "./section-index.ts";

type Verdict = Pick<Evidence, "state" | "reason">;

const RESOLVED = (reason: string): Verdict => ({ state: "resolved", reason });
const DANGLING = (reason: string): Verdict => ({ state: "dangling", reason });
const NOT_HERE = (reason: string): Verdict => ({ state: "not-here", reason });

const ABBREVIATED = /^[0-9a-f]{7,64}$/;

/** The path of a file or a test; what names one test inside it is cut off. */
function pathOf({ kind, value }: Reference): string {
  return kind === "test" ? value.replace(/(?:::|#).*$/s, "") : value;
}

/** The name by which git knows what a reference names; undefined where git has no part in it. */
function objectOf(reference: Reference): string | undefined {
  if (reference.kind === "commit") {
    return ABBREVIATED.test(reference.value) ? `${reference.value}^{commit}` : undefined;
  }
  if (reference.kind === "file" || reference.kind === "test") return `HEAD:${pathOf(reference)}`;
  return undefined;
}

/** Looks at what references name, each kind of thing read once for many of them. */
export class EvidenceReader {
  readonly #checkout: Checkout;
  readonly #ids: ReadonlySet<string>;
  readonly #memory: LocalMemory;
  readonly #sections = new Map<string, SectionIndex>();
  readonly #verdicts = new Map<string, Verdict>();

  /** @param store both halves: knowledge may name knowledge */
  constructor(checkout: Checkout, store: KnowledgeStore) {
    this.#checkout = checkout;
    this.#ids = new Set(store.files.map(({ stem }) => stem));
    this.#memory = new LocalMemory(checkout);
  }

  /** Judges many references with one git process at most; `of` then answers from memory. */
  prepare(references: Iterable<string>): this {
    const open: [text: string, reference: Reference][] = [];
    for (const text of references) {
      if (this.#verdicts.has(text)) continue;
      const reference = parseReference(text);
      if ("fault" in reference) this.#verdicts.set(text, DANGLING(reference.fault));
      else open.push([text, reference]);
    }
    const names = open
      .filter(([, reference]) => this.#place(reference) === "unseen")
      .map(([, reference]) => objectOf(reference))
      .filter((name) => name !== undefined);
    const existing = existingObjects(this.#checkout.repository, names);
    for (const [text, reference] of open) {
      this.#verdicts.set(text, this.#judge(reference, existing.ok ? existing.value : existing.error));
    }
    return this;
  }

  /** Whether what a reference names is still there. */
  of(text: string): Evidence {
    if (!this.#verdicts.has(text)) this.prepare([text]);
    const verdict = this.#verdicts.get(text) ?? DANGLING("names nothing");
    return { reference: text, ...verdict };
  }

  /** Where a reference is to be looked for: git dies of a path that leads out, and need not see what is on disk. */
  #place(reference: Reference): "on-disk" | "outside" | "unseen" {
    if (reference.kind !== "file" && reference.kind !== "test") return "unseen";
    try {
      const path = containedPath(this.#checkout.root, pathOf(reference));
      return stampOf(path) === undefined ? "unseen" : "on-disk";
    } catch {
      return "outside";
    }
  }

  #judge(reference: Reference, objects: ReadonlySet<string> | string): Verdict {
    switch (reference.kind) {
      case "file":
      case "test":
        return this.#judgeFile(reference, objects);
      case "commit":
        return this.#judgeCommit(reference, objects);
      case "session":
        return this.#memory.knowsSession(reference.value)
          ? RESOLVED("the episode is known here")
          : NOT_HERE("this checkout does not know the episode");
      case "task":
        return this.#memory.knowsTask(reference.value)
          ? RESOLVED("the task is known here")
          : NOT_HERE("tasks are kept by the checkout that had them");
      case "decision":
        return this.#memory.knowsDecisionOf(reference.value)
          ? RESOLVED("the decision log or the ledger has it")
          : NOT_HERE("decisions are kept by the checkout that took them");
      case "knowledge":
        return this.#ids.has(reference.value)
          ? RESOLVED("the record stands in the store")
          : DANGLING("no record of the store is of this id");
      case "rule":
        return this.#judgeSection("rules", reference, "no rule is called so");
      case "adr":
        return this.#judgeSection("adrs", reference, "no decision record is called so");
      case "issue":
        return this.#judgeSection("project", reference, "no issue of the project is called so");
    }
  }

  #judgeFile(reference: Reference, objects: ReadonlySet<string> | string): Verdict {
    const place = this.#place(reference);
    if (place === "on-disk") return RESOLVED("the file is there");
    if (place === "outside") return DANGLING("leads out of the repository");
    if (typeof objects === "string") return { state: "unknown", reason: `git did not answer: ${objects}` };
    return objects.has(`HEAD:${pathOf(reference)}`)
      ? RESOLVED("HEAD has the file, the working tree has not")
      : DANGLING("there is no such file any more");
  }

  #judgeCommit(reference: Reference, objects: ReadonlySet<string> | string): Verdict {
    if (!ABBREVIATED.test(reference.value)) return DANGLING("is not a commit id");
    if (typeof objects === "string") return { state: "unknown", reason: `git did not answer: ${objects}` };
    if (objects.has(`${reference.value}^{commit}`)) return RESOLVED("the commit is in this repository");
    return isShallow(this.#checkout.repository)
      ? { state: "unknown", reason: "the commit is not in this shallow clone" }
      : DANGLING("the commit is not in this repository");
  }

  #judgeSection(section: "rules" | "adrs" | "project", { value }: Reference, absence: string): Verdict {
    let index = this.#sections.get(section);
    if (index === undefined) {
      const { layout, settings } = this.#checkout;
      index = new SectionIndex(join(layout.ai, settings.manifest.sections[section]));
      this.#sections.set(section, index);
    }
    if (index.has(value)) return RESOLVED("the section has it");
    // Issues may live in a tracker of the repository's host, of which nothing is known here.
    if (section === "project" && index.isEmpty) return NOT_HERE("this repository keeps no issues of its own");
    return DANGLING(absence);
  }
}

/** Everything that a record rests on or relates to, in its order. */
export function referencesOf(record: KnowledgeRecord): string[] {
  return [...record.derivedFrom, ...record.relations.map(({ target }) => target)];
}

const WORST: readonly Evidence["state"][] = ["dangling", "unknown", "not-here", "resolved"];

/** The worst of a record's references. */
export function summariseEvidence(evidence: readonly Evidence[]): EvidenceSummary {
  return WORST.find((state) => evidence.some((one) => one.state === state)) ?? "none";
}

/** A reference for a finding: safe, and no longer than a line takes. */
export function shownReference(reference: string): string {
  return clip(inert(reference), 120);
}
