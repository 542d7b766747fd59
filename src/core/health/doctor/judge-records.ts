import { basename, join } from "node:path";
import { isCommitId } from "../../base/id.ts";
import type { Checkout } from "../../checkout/checkout.ts";
import { shownPath } from "../../checkout/shown-path.ts";
import { listDirectory, stampOf } from "../../fs/read.ts";
import { askExisting } from "../../git/ancestry-questions.ts";
import { runGit } from "../../git/run.ts";
import { isShallow } from "../../git/shallow.ts";
import { copiesDirectory, RECORD_KINDS } from "../../journal/record-copies.ts";
import type { RecordKind } from "../../journal/record-copies.ts";
import type { Finding } from "../../labels/terms.ts";
import { missingRecords } from "../../ledger/missing-records.ts";
import { readWorkRecords } from "../../ledger/work-records.ts";
import { listClosedSessions } from "../../records/session-store.ts";
import type { ClosedSessionFile } from "../../records/session-store.ts";
import { readTask } from "../../records/task.ts";
import { firstOf, judgement, orWell } from "../judgement.ts";
import { judgeUnnoted } from "./judge-unnoted.ts";
import { shellWord } from "../../text/shell-word.ts";
import { showCommand } from "../../fs/show-command.ts";

const CATEGORY = "records";
const SHOWN = 20;
const EXISTING_MILLISECONDS = 60_000;

function show(checkout: Checkout, path: string): string {
  return `${showCommand(path)} ${shellWord(shownPath(checkout.root, path))}`;
}

/** A value that names a place of one machine (records.md 3.5); bodies may say what they like. */
function absoluteValues({ session }: ClosedSessionFile): string[] {
  const { body: _body, ...fields } = session;
  return Object.entries(fields).flatMap(([key, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return values.some((item) => typeof item === "string" && item.startsWith("/")) ? [key] : [];
  });
}

/** Records of this worktree name local files by their path; what another checkout keeps cannot be judged here. */
function danglingReferences(checkout: Checkout, { session }: ClosedSessionFile): string[] {
  if (session.worktree_id !== checkout.worktreeId) return [];
  const references: [RecordKind, string][] = RECORD_KINDS.flatMap((kind) =>
    (session[kind] ?? []).map((path): [RecordKind, string] => [kind, path]),
  );
  return references
    .filter(([kind, path]) => {
      const copy = join(copiesDirectory(checkout, checkout.worktreeIdentity, kind), basename(path));
      return stampOf(join(checkout.root, path)) === undefined && stampOf(copy) === undefined;
    })
    .map(([, path]) => path);
}

function judgeClosed(checkout: Checkout, file: ClosedSessionFile): Finding[] {
  const { session, path } = file;
  const judge = (level: Finding["level"], message: string): Finding =>
    judgement(level, CATEGORY, session.session_id, message, show(checkout, path));
  return [
    ...absoluteValues(file).map((key) => judge("FAIL", `its ${key} holds an absolute path`)),
    ...danglingReferences(checkout, file).map((reference) => judge("WARN", `${reference} does not resolve`)),
    ...(session.commits?.[0] === "diverged"
      ? [judge("INFO", "commits: diverged; its start was not in the history of its end")]
      : []),
  ];
}

/** Records of closed episodes that git took away before anybody committed them. */
function judgeMissing(checkout: Checkout): Finding[] {
  return missingRecords(checkout).map(({ sessionId, path, copy }) =>
    copy === undefined
      ? judgement(
          "WARN",
          CATEGORY,
          sessionId,
          `closed, but its record is not there (${path}), and no copy was kept`,
          `git log --all --oneline -- ${shellWord(path)}`,
        )
      : judgement(
          "FAIL",
          CATEGORY,
          sessionId,
          `closed, but its record is not there (${path}); a copy is kept`,
          "majordomus recover records --check",
        ),
  );
}

function duplicates(checkout: Checkout, records: readonly ClosedSessionFile[]): Finding[] {
  const bySession = new Map<string, string[]>();
  for (const { session, path } of records) {
    bySession.set(session.session_id, [...(bySession.get(session.session_id) ?? []), path]);
  }
  return [...bySession].flatMap(([id, paths]) =>
    paths.length === 1
      ? []
      : [
          judgement(
            "FAIL",
            CATEGORY,
            id,
            `has ${paths.length} records: ${paths.map((path) => shownPath(checkout.root, path)).join(", ")}`,
            "majordomus recover records --check",
          ),
        ],
  );
}

/** Closed records are for everybody: those that the newest commit has not, staged ones too, stay on this machine. */
function judgeUncommitted(checkout: Checkout, records: readonly ClosedSessionFile[]): Finding[] {
  const { sessions } = checkout.settings.manifest.sections;
  if (sessions === undefined || records.length === 0) return [];
  const directory = `.ai/${sessions}`;
  const committed = committedPaths(checkout, directory);
  const missing = records.filter(({ path }) => committed?.has(shownPath(checkout.root, path)) === false);
  if (missing.length === 0) return [];
  const message = `${missing.length} closed record(s) are not committed`;
  return [judgement("WARN", CATEGORY, directory, message, `git status --short -- ${shellWord(directory)}`)];
}

/** What the newest commit has below a directory; undefined where git cannot tell. */
function committedPaths({ repository, head }: Checkout, directory: string): Set<string> | undefined {
  if (head === undefined) return new Set();
  const command = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", head, "--", directory];
  const listed = runGit(repository, command);
  return listed.status === 0 ? new Set(listed.stdout.toString("utf8").split("\0")) : undefined;
}

function judgeHeads(checkout: Checkout, heads: readonly (string | undefined)[]): Finding[] {
  const { repository, head: here } = checkout;
  const named = heads.filter((head) => head !== undefined && head !== here && isCommitId(head));
  const commits = [...new Set(named as string[])];
  if (here === undefined || commits.length === 0) return [];
  const existing = askExisting(repository, commits, EXISTING_MILLISECONDS);
  const missing = existing.ok ? commits.filter((commit) => !existing.value.has(commit)) : [];
  const [first] = missing;
  if (first === undefined) return [];
  const label = isShallow(repository) ? "unknown in this shallow clone" : "their label is diverged";
  const message = `${missing.length} recorded head(s) are not in this repository; ${label}`;
  return [judgement("INFO", CATEGORY, "commits", message, `git cat-file -t ${first}`)];
}

/** How many records the policy would keep of each kind (records.md 5). */
export function judgeRetention(level: "WARN" | "DRIFT", { layout, settings }: Checkout): Finding[] {
  const { policy } = settings;
  const caps = { handovers: policy.handover, checkpoints: policy.checkpoint };
  return RECORD_KINDS.flatMap((kind) => {
    const cap = caps[kind].retention_max_files;
    const count = listDirectory(layout[kind]).filter((name) => name.endsWith(".md")).length;
    if (count <= cap) return [];
    const message = `${count} files, the policy keeps ${cap}`;
    return [judgement(level, "retention", kind, message, `ls .ai/local/state/${kind}`)];
  });
}

/** The closed records of the store and the records that work left: form, uniqueness, references, retention. */
export function judgeRecords(checkout: Checkout): Finding[] {
  const store = listClosedSessions(checkout.layout.sessions);
  const kinds = RECORD_KINDS.map((kind) => readWorkRecords(checkout, kind));
  const task = readTask(checkout.layout.task);
  const halves = [checkout.layout.sessions, checkout.layout.handovers, checkout.layout.checkpoints].flatMap(
    (directory) =>
      listDirectory(directory)
        .filter((name) => name.startsWith(".tmp."))
        .map((name) => join(directory, name)),
  );
  const findings = [
    ...firstOf(
      store.skipped.map(({ path, reason }) =>
        judgement("FAIL", CATEGORY, shownPath(checkout.root, path), reason, show(checkout, path)),
      ),
      SHOWN,
    ),
    ...firstOf(judgeMissing(checkout), SHOWN),
    ...duplicates(checkout, store.records),
    ...firstOf(
      store.records.flatMap((file) => judgeClosed(checkout, file)),
      SHOWN,
    ),
    ...judgeUncommitted(checkout, store.records),
    ...firstOf(
      kinds.flatMap(({ skipped }) =>
        skipped.map(({ path, reason }) =>
          judgement(
            "WARN",
            CATEGORY,
            shownPath(checkout.root, path),
            `is passed over: ${reason}`,
            show(checkout, path),
          ),
        ),
      ),
      SHOWN,
    ),
    ...firstOf(judgeUnnoted(checkout, kinds), SHOWN),
    ...halves.map((path) =>
      judgement(
        "WARN",
        CATEGORY,
        shownPath(checkout.root, path),
        "was never published: a write was stopped",
        "majordomus recover orphans --check",
      ),
    ),
    ...judgeHeads(checkout, [
      ...store.records.map(({ session }) => session.head),
      ...kinds.flatMap(({ candidates }) => candidates.map(({ head }) => head)),
      ...(task.ok ? [task.value.head] : []),
    ]),
    ...judgeRetention("WARN", checkout),
  ];
  const count = store.records.length + kinds.reduce((sum, { candidates }) => sum + candidates.length, 0);
  return orWell(findings, judgement("OK", CATEGORY, "records", `${count} record(s), all readable`));
}
