import { join } from "node:path";
import { isStale } from "./age.ts";
import type {
  CapsuleFile,
  CapsuleListAnswer,
  CapsuleSelectAnswer,
  CapsuleShowAnswer,
  CapsuleValues,
  MemoryView,
  RejectedFile,
} from "./answers.ts";
import { deferralOf } from "./coordination.ts";
import type { CapsuleDocument } from "./document.ts";
import { listCapsules, readForListing } from "./files.ts";
import type { NamedCapsule } from "./find.ts";
import { checkFraming } from "./framing-check.ts";
import { installBaseOf } from "./install-root.ts";
import { isAutosave, judgeCapsule } from "./judge.ts";
import { MemoryRootError } from "./memory-declaration.ts";
import { openMemory } from "./memory-tree.ts";
import type { MemoryTree } from "./memory-tree.ts";
import { fieldOf, isOrdinary } from "./reasons.ts";
import type { Rejection } from "./reasons.ts";
import { selectAndRead, selectCapsule } from "./select.ts";
import { parseStamp } from "./stamp.ts";
import { groupRejections } from "./summary.ts";
import { writtenDirectories } from "./unfinished.ts";
import { problemText, validateDocument } from "./validate.ts";

/** Of a group; every name stands among the rejected. */
const SHOWN_NAMES = 3;

type Place = Parameters<typeof openMemory>[0];

/** A work tree's memory, or the one line that says why it cannot be used. */
export type Memory = { tree: MemoryTree } | { fault: string };

/** Opens a work tree's memory; a root that cannot be trusted is an answer, not an accident. */
export function readMemory(place: Place): Memory {
  try {
    return { tree: openMemory(place) };
  } catch (error) {
    if (error instanceof MemoryRootError) return { fault: error.line };
    throw error;
  }
}

/** Where a work tree's memory has its locks, and where it is written: nowhere when there is no telling. */
export function memoryDirectories(place: Place): { locks: string[]; written: string[] } {
  const memory = readMemory(place);
  if ("fault" in memory) return { locks: [], written: [] };
  return { locks: [memory.tree.locks], written: writtenDirectories(memory.tree) };
}

/** Where memory lies, for people. */
export function viewMemory(place: Place, memory: Memory): MemoryView {
  const { diverted } = installBaseOf(place.environment, place.root);
  if ("fault" in memory) return { exists: false, diverted, error: memory.fault };
  const { root, relative, source, exists } = memory.tree.memory;
  return { root, relative, source, exists, diverted };
}

/** A capsule's values as they are told of, whatever its state. */
export function viewCapsule(
  name: string,
  path: string,
  document: CapsuleDocument,
  now: number,
): CapsuleValues {
  const created = parseStamp(document.text("created_at"));
  const verdict = judgeCapsule(document, now);
  const [captured, updated] = [document.text("captured"), document.text("updated_at")];
  return {
    id: document.text("id").trim(),
    name,
    path,
    status: document.text("status"),
    objective: document.value("objective").trim(),
    waiting_on: document.value("waiting_on").trim(),
    next_valid_action: document.value("next_valid_action").trim(),
    ...(created === undefined ? {} : { created: new Date(created).toISOString() }),
    created_at: document.text("created_at"),
    ...(updated === "" ? {} : { updated_at: updated }),
    autosave: isAutosave(document),
    ...(captured === "" ? {} : { captured }),
    stale: created !== undefined && isStale(created, now),
    placeholder: verdict.valid && verdict.candidate.placeholder,
    problems: validateDocument(document).problems.map(problemText),
  };
}

function fileOf(
  rejection: Rejection | { name: string; reason: "selected" },
  document?: CapsuleDocument,
): CapsuleFile {
  const selected = rejection.reason === "selected";
  const field = selected ? undefined : fieldOf(rejection);
  const detail = selected ? undefined : rejection.detail;
  const captured = document?.text("captured") ?? "";
  return {
    name: rejection.name,
    verdict: rejection.reason,
    ...(detail === undefined ? {} : { detail }),
    ...(field === undefined ? {} : { field }),
    ordinary: selected || isOrdinary(rejection),
    ...(document === undefined
      ? {}
      : {
          id: document.text("id").trim(),
          status: document.text("status"),
          objective: document.value("objective").trim().slice(0, 500),
          created_at: document.text("created_at"),
          autosave: isAutosave(document),
          ...(captured === "" ? {} : { captured }),
        }),
  };
}

/** Every file of the capsules directory with its verdict, in the order of names. */
export function listVerdicts(place: Place, now: number): CapsuleListAnswer {
  const memory = readMemory(place);
  const view = viewMemory(place, memory);
  if ("fault" in memory)
    return { schema: 1, memory: view, unavailable: "bad-memory-root", total: 0, files: [] };
  const { capsules, memory: root } = memory.tree;
  const selection = selectCapsule(root.root, now);
  const verdicts = new Map(selection.rejected.map((rejection) => [rejection.name, rejection]));
  const entries = listCapsules(capsules);
  const files = (entries.ok ? entries.value : []).map((entry) => {
    const document = readForListing(capsules, entry);
    const rejection = verdicts.get(entry.name);
    const selected = entry.name === selection.capsule?.name;
    // A file that came between the two looks is told of by what it is, not left out.
    const reason = selected ? "selected" : document.ok ? "not-newest" : document.error;
    return fileOf(rejection ?? { name: entry.name, reason }, document.ok ? document.value : undefined);
  });
  return {
    schema: 1,
    memory: view,
    ...(selection.unavailable === undefined ? {} : { unavailable: selection.unavailable }),
    total: files.length,
    files,
  };
}

/** One of perhaps thousands: spelled out, for a copy by `...` takes ten times as long. */
export function viewRejection(rejection: Rejection): RejectedFile {
  const { name, reason, detail } = rejection;
  const field = fieldOf(rejection);
  const ordinary = isOrdinary(rejection);
  if (detail === undefined) {
    return field === undefined ? { name, reason, ordinary } : { name, reason, field, ordinary };
  }
  return field === undefined ? { name, reason, detail, ordinary } : { name, reason, detail, field, ordinary };
}

/** What a clear would resume now, and of every other file why not. */
export function viewSelection(place: Place, now: number): CapsuleSelectAnswer {
  const memory = readMemory(place);
  const tree = "tree" in memory ? memory.tree : undefined;
  const { capsule, rejected, unavailable, document } = selectAndRead(tree?.memory.root, now);
  const deferred = deferralOf(place);
  return {
    schema: 1,
    memory: viewMemory(place, memory),
    capsule:
      capsule === undefined || document === undefined
        ? null
        : viewCapsule(capsule.name, capsule.path, document, now),
    ...(deferred === undefined ? {} : { deferred }),
    fell_back_to_placeholder: capsule?.placeholder === true,
    ...(unavailable === undefined ? {} : { unavailable }),
    total: rejected.length + (capsule === undefined ? 0 : 1),
    groups: groupRejections(rejected).map((group) => ({
      ...group,
      names: group.names.slice(0, SHOWN_NAMES),
    })),
    rejected: rejected.map(viewRejection),
  };
}

/** One capsule whole: its values, what the selector and the validators say of it, its text. */
export function showCapsule(tree: MemoryTree, named: NamedCapsule, now: number): CapsuleShowAnswer {
  const { name, path, document, bytes } = named;
  const selection = selectCapsule(tree.memory.root, now);
  const rejection = selection.rejected.find((candidate) => candidate.name === name);
  const told = fileOf(rejection ?? { name, reason: "selected" });
  return {
    schema: 1,
    capsule: viewCapsule(name, join(path), document, now),
    verdict: told.verdict,
    ...(told.detail === undefined ? {} : { detail: told.detail }),
    ...(told.field === undefined ? {} : { field: told.field }),
    framing: checkFraming(document),
    text: bytes.toString("utf8"),
  };
}
