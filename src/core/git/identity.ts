import type { Repository } from "./repository.ts";
import { runGit } from "./run.ts";

/** Who is named in a commit that a program makes. */
export interface CommitIdentity {
  name: string;
  email: string;
}

/** Who commits of ours are by. */
export interface Committer {
  /** In place of what git would take, an empty email leaving git's own; undefined where git can say it by itself. */
  missing: CommitIdentity | undefined;
  /** `Name <email>` as git would write it; undefined where only git can tell. */
  signature: string | undefined;
}

const SETTINGS = String.raw`^((user|author|committer)\.(name|email)|i18n\.commitencoding)$`;
const PLAIN_SETTINGS: ReadonlySet<string> = new Set(["user.name", "user.email"]);
const OVERRIDES = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];

/** What git takes over letter by letter: it leaves brackets and controls out, and blanks and some marks at both ends. */
const PLAIN = /^[^\p{C}\s<>.,:;"'\\]([^\p{C}<>]*[^\p{C}\s<>.,:;"'\\])?$/u;

function formatSignature({ name, email }: CommitIdentity): string {
  return `${name} <${email}>`;
}

/**
 * Who commits of ours are by: the user as git knows it, else the given stand-in (records.md 14.10). One process.
 */
export function askCommitter(repository: Repository, standIn: CommitIdentity): Committer {
  const outcome = runGit(repository, ["config", "--null", "--get-regexp", SETTINGS]);
  const settings = new Map<string, string>();
  for (const setting of outcome.stdout.toString("utf8").split("\0").filter(Boolean)) {
    const end = setting.indexOf("\n");
    const value = end === -1 ? "" : setting.slice(end + 1);
    if (value.trim() !== "") settings.set(end === -1 ? setting : setting.slice(0, end), value);
  }
  const email = settings.get("user.email");
  const name = settings.get("user.name") ?? standIn.name;
  const rules = [...settings.keys()].every((key) => PLAIN_SETTINGS.has(key));
  if (email === undefined)
    return { missing: standIn, signature: rules ? formatSignature(standIn) : undefined };
  const free = OVERRIDES.every((variable) => repository.environment[variable] === undefined);
  return {
    missing: settings.has("user.name") ? undefined : { ...standIn, email: "" },
    signature:
      rules && free && PLAIN.test(name) && PLAIN.test(email) ? formatSignature({ name, email }) : undefined,
  };
}
