import { dirname, join } from "node:path";
import type { Site } from "../checkout/checkout.ts";
import { refuseFollowed } from "../fs/linked.ts";
import { listDirectory } from "../fs/read.ts";
import { createExclusive, makeDirectory, writeAtomic } from "../fs/write.ts";
import { branchKey } from "../records/record-name.ts";

/** The records that are kept a second time, by the name of their directory. */
export const RECORD_KINDS = ["handovers", "checkpoints"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];
/** Closed records are kept again too: until somebody commits them, git takes them for litter. */
export const CLOSED_COPIES = "sessions";

/** Identities come from directory names: one that is not of our form is nobody's. */
const IDENTITY = /^[0-9a-f]{16}$/;
/** A longer branch key may be cut in a name, and then tells nothing. */
const WHOLE_KEY_LENGTH = 100;

/** Where a worktree's records are kept again, in the common directory, so that its removal loses none. */
export function copiesDirectory(
  site: Pick<Site, "common">,
  identity: string,
  kind: RecordKind | typeof CLOSED_COPIES,
): string {
  return join(site.common.records, identity, kind);
}

function makeCopies(
  site: Pick<Site, "common"> & { worktreeIdentity: string },
  kind: RecordKind | typeof CLOSED_COPIES,
): string {
  const directory = copiesDirectory(site, site.worktreeIdentity, kind);
  refuseFollowed([dirname(directory), directory]);
  makeDirectory(directory, 0o700);
  return directory;
}

/** Keeps a published record again under its own name (decisions.md 1). */
export function copyRecord(
  site: Pick<Site, "common"> & { worktreeIdentity: string },
  kind: RecordKind | typeof CLOSED_COPIES,
  name: string,
  text: string,
): void {
  const directory = makeCopies(site, kind);
  createExclusive(join(directory, name), text, { mode: 0o600 });
}

/** Keeps the new text of a record that was rewritten in the place of the old one. */
export function replaceCopy(
  site: Pick<Site, "common"> & { worktreeIdentity: string },
  kind: typeof CLOSED_COPIES,
  name: string,
  text: string,
): void {
  const directory = makeCopies(site, kind);
  writeAtomic(join(directory, name), text, { mode: 0o600 });
}

/** The closed records that are kept again, of every worktree, removed ones too. */
export function closedCopies(site: Pick<Site, "common">): { identity: string; path: string; name: string }[] {
  return listDirectory(site.common.records)
    .filter((identity) => IDENTITY.test(identity))
    .flatMap((identity) => {
      const directory = copiesDirectory(site, identity, CLOSED_COPIES);
      return listDirectory(directory)
        .filter((name) => name.endsWith(".md") && !name.startsWith("."))
        .map((name) => ({ identity, path: join(directory, name), name }));
    });
}

/** The names that this worktree has copies of: what proves that a record is its own, whatever path it notes. */
export function ownCopies(
  site: Pick<Site, "common"> & { worktreeIdentity: string },
  kind: RecordKind,
): Set<string> {
  return new Set(listDirectory(copiesDirectory(site, site.worktreeIdentity, kind)));
}

/**
 * The copies that other worktrees, removed ones too, have left of records of a branch. Names that carry
 * another branch are passed over unread: we gave them ourselves.
 */
export function copiesElsewhere(
  site: Pick<Site, "common" | "worktreeIdentity">,
  kind: RecordKind,
  branch: string,
): { identity: string; path: string; name: string }[] {
  const key = branchKey(branch);
  const fits = (name: string): boolean => key.length > WHOLE_KEY_LENGTH || name.includes(`--${key}--`);
  return listDirectory(site.common.records)
    .filter((identity) => IDENTITY.test(identity) && identity !== site.worktreeIdentity)
    .flatMap((identity) => {
      const directory = copiesDirectory(site, identity, kind);
      return listDirectory(directory)
        .filter((name) => name.endsWith(".md") && !name.startsWith(".") && fits(name))
        .map((name) => ({ identity, path: join(directory, name), name }));
    });
}
