import { execFileSync } from "node:child_process";
import { git } from "../../../support/repository.ts";

const REFERENCE = "refs/majordomus/continuity";

/** Puts files among the records of a repository's reference, as nothing of ours would. */
export function plant(directory: string, files: Readonly<Record<string, string | Buffer>>): void {
  const write = (words: string[], input: string | Buffer): string =>
    execFileSync("git", words, { cwd: directory, input }).toString().trim();
  const tree = (entries: string[]): string =>
    write(["mktree"], entries.map((entry) => `${entry}\n`).join(""));
  const standing =
    git(directory, "for-each-ref", REFERENCE) === ""
      ? []
      : git(directory, "ls-tree", `${REFERENCE}:records`).split("\n").filter(Boolean);
  const records = tree([
    ...standing,
    ...Object.entries(files).map(
      ([name, content]) => `100644 blob ${write(["hash-object", "-w", "--stdin"], content)}\t${name}`,
    ),
  ]);
  const parents = standing.length === 0 ? [] : ["-p", git(directory, "rev-parse", REFERENCE)];
  const whole = tree([`040000 tree ${records}\trecords`]);
  git(directory, "update-ref", REFERENCE, git(directory, "commit-tree", "-m", "planted", ...parents, whole));
}
