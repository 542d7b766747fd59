import { join } from "node:path";
import type { Result } from "../base/result.ts";
import { listDirectory } from "../fs/read.ts";
import type { ClosedSession } from "./closed-session.ts";
import { parseClosedSession } from "./closed-session.ts";
import { isContextDocument } from "./context-document.ts";
import type { SkippedFile } from "./record-file.ts";
import { readRecordText } from "./record-file.ts";
import { nameCarriesSession } from "./record-name.ts";

export interface ClosedSessionFile {
  path: string;
  session: ClosedSession;
}

export interface ClosedSessions {
  /** By name, which is by the time of publishing. */
  records: ClosedSessionFile[];
  /** Files in a record's place that are none. */
  skipped: SkippedFile[];
  /** What never was in a record's place: context documents, hidden and half-published files, other suffixes. */
  aside: string[];
}

function isRecordName(name: string): boolean {
  return name.endsWith(".md") && !name.startsWith(".");
}

/** Reads one closed session's file; fails with the reason in one clause. */
export function readClosedSession(path: string): Result<ClosedSession, string> {
  const source = readRecordText(path);
  return source.ok ? parseClosedSession(source.value) : source;
}

/** Every closed session of a store; every other entry of the directory is accounted for. */
export function listClosedSessions(directory: string): ClosedSessions {
  const store: ClosedSessions = { records: [], skipped: [], aside: [] };
  for (const name of listDirectory(directory)) {
    const path = join(directory, name);
    if (!isRecordName(name)) {
      store.aside.push(path);
      continue;
    }
    const source = readRecordText(path);
    if (source.ok && isContextDocument(source.value)) {
      store.aside.push(path);
      continue;
    }
    const record = source.ok ? parseClosedSession(source.value) : source;
    if (record.ok) store.records.push({ path, session: record.value });
    else store.skipped.push({ path, reason: record.error });
  }
  return store;
}

/**
 * The path of a session's closed record, found by its name, which carries the id, and proved by its text.
 * Reads only the files whose name fits, so that its price does not grow with the store.
 */
export function findRecordOfSession(directory: string, sessionId: string): string | undefined {
  for (const name of listDirectory(directory)) {
    if (!isRecordName(name) || !nameCarriesSession(name, sessionId)) continue;
    const path = join(directory, name);
    const session = readClosedSession(path);
    if (session.ok && session.value.session_id === sessionId) return path;
  }
  return undefined;
}
