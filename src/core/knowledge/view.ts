import { sha256Hex } from "../base/id.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { shownPath } from "../checkout/shown-path.ts";
import { listKnowledge } from "../records/knowledge-store.ts";
import type { KnowledgeFile, KnowledgeShelf, KnowledgeStore } from "../records/knowledge-store.ts";
import type { CandidateView } from "./answers.ts";
import { answeredQuestion } from "./answered-question.ts";
import { branchesOfEpisodes, episodeOf } from "./attribution.ts";
import { EvidenceReader, referencesOf, summariseEvidence } from "./evidence.ts";
import { dayTimestamp, faultsOf } from "./rules.ts";

/** The store as it is read for people: each record with its evidence looked at and its episode's branch. */
export interface ReadStore extends KnowledgeStore {
  evidence: EvidenceReader;
  view(file: KnowledgeFile): CandidateView;
}

/** The digest by which an act may insist on the very file that was looked at. */
export function digestOf(file: Pick<KnowledgeFile, "text">): string {
  return sha256Hex(file.text);
}

/**
 * Reads the store and what its records rest on, with one git process at most.
 *
 * @param shown whose evidence and branch are wanted; all when absent
 */
export function readStore(
  checkout: Checkout,
  shown: (file: KnowledgeFile) => boolean = () => true,
  shelves?: readonly KnowledgeShelf[],
): ReadStore {
  const whole = listKnowledge(checkout);
  const store: KnowledgeStore =
    shelves === undefined
      ? whole
      : {
          files: whole.files.filter(({ shelf }) => shelves.includes(shelf)),
          skipped: whole.skipped.filter(({ shelf }) => shelves.includes(shelf)),
        };
  const wanted = store.files.filter(shown);
  const episodes = wanted.map(({ record }) => episodeOf(record)).filter((id) => id !== undefined);
  const branches = branchesOfEpisodes(checkout, episodes);
  const evidence = new EvidenceReader(checkout, whole).prepare(
    wanted.flatMap(({ record }) => referencesOf(record)),
  );
  return {
    ...store,
    evidence,
    view: (file) => {
      const { record } = file;
      const episode = episodeOf(record);
      const question = answeredQuestion(record.description);
      return {
        id: file.stem,
        class: record.class,
        status: record.status,
        epistemics: record.epistemics,
        date: record.date,
        episode: episode ?? null,
        branch: (episode === undefined ? undefined : branches.get(episode)) ?? null,
        path: shownPath(checkout.root, file.path),
        title: record.title,
        description: record.description,
        ...(question === undefined ? {} : { question }),
        recorded_at: dayTimestamp(record.date),
        evidence: summariseEvidence(referencesOf(record).map((reference) => evidence.of(reference))),
        faults: faultsOf(file),
        digest: digestOf(file),
      };
    },
  };
}
