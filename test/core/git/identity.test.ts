import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { askCommitter } from "../../../src/core/git/identity.ts";
import { commitObject, objectName } from "../../../src/core/git/object-pack.ts";
import { unpackObjects, writeCommit, writeTree } from "../../../src/core/git/plumbing.ts";
import type { Repository } from "../../../src/core/git/repository.ts";
import { commit, git, initRepository, repositoryAt, temporaryDirectory } from "./sandbox.ts";

const STAND_IN = { name: "majordomus", email: "majordomus@localhost" };
const AT = 1_790_000_000;

function newRepository(): { directory: string; repository: Repository } {
  const directory = initRepository(join(temporaryDirectory(), "app"));
  commit(directory, "Begin", { "a.txt": "a\n" });
  const repository = repositoryAt(directory);
  const said = /^GIT_(?:AUTHOR|COMMITTER)_/;
  const environment = Object.fromEntries(
    Object.entries(repository.environment).filter(([name]) => !said.test(name)),
  );
  return { directory, repository: { ...repository, environment } };
}

describe("who commits", () => {
  it("is the user where git has one, else the stand-in", () => {
    const { directory, repository } = newRepository();
    expect(askCommitter(repository, STAND_IN)).toEqual({
      missing: STAND_IN,
      signature: "majordomus <majordomus@localhost>",
    });
    git(directory, "config", "user.email", "wren@example.org");
    expect(askCommitter(repository, STAND_IN).missing).toEqual({ name: "majordomus", email: "" });
    git(directory, "config", "user.name", "Wren");
    expect(askCommitter(repository, STAND_IN).missing).toBeUndefined();
    git(directory, "config", "user.email", "");
    expect(askCommitter(repository, STAND_IN).missing).toEqual(STAND_IN);
  });

  it.each([
    ["Wren Ferrier", "wren@example.org", true],
    ["Ren\u00e9e \u6797 \u{1f426}", "r\u00e9e@example.org", true],
    ["W", "w", true],
    ["D'Arcy O'Neil (home)", "a+b@example.org", true],
    ["Wren Jr.", "wren@example.org", false],
    [" Wren", "wren@example.org", false],
    ["W<r>en", "wren@example.org", false],
    ["Wren", "<wren@example.org>", false],
    ["Wren\u0001x", "wren@example.org", false],
  ])("%j with %j makes the very commit that git makes, or is left to git", (name, email, told) => {
    const { directory, repository } = newRepository();
    git(directory, "config", "user.name", name);
    git(directory, "config", "user.email", email);
    const content = {
      tree: writeTree(repository, []),
      parents: [git(directory, "rev-parse", "HEAD")],
      message: "majordomus continuity: \u00fc \u2713\n",
      at: AT,
    };
    const { missing, signature } = askCommitter(repository, STAND_IN);
    expect(signature !== undefined).toBe(told);
    if (signature === undefined) return;
    const made = commitObject(content, signature);
    expect(objectName(made, "sha1")).toBe(writeCommit(repository, { ...content, identity: missing }));
    expect(unpackObjects(repository, [made], "sha1")).toEqual([objectName(made, "sha1")]);
    execFileSync("git", ["fsck", "--strict"], { cwd: directory, stdio: "pipe" });
  });

  it.each([
    { GIT_AUTHOR_NAME: "" },
    { GIT_COMMITTER_NAME: "<>;" },
    { GIT_AUTHOR_NAME: "<>;", GIT_COMMITTER_NAME: "", GIT_AUTHOR_EMAIL: "", GIT_COMMITTER_EMAIL: "<>" },
  ])("is the stand-in where git takes %j not", (said) => {
    const { directory, repository } = newRepository();
    git(directory, "config", "user.name", "Wren");
    git(directory, "config", "user.email", "wren@example.org");
    const odd = { ...repository, environment: { ...repository.environment, ...said } };
    const { missing: identity } = askCommitter(odd, STAND_IN);
    const facts = { tree: writeTree(odd, []), parents: [], message: "m\n", at: AT, identity };
    expect(() => writeCommit(odd, facts)).toThrow(/ident|name/);
    const made = writeCommit(odd, facts, STAND_IN);
    const who = "majordomus <majordomus@localhost>";
    expect(git(directory, "log", "-1", "--format=%an <%ae>%n%cn <%ce>", made)).toBe(`${who}\n${who}`);
    // What the name has no part in is told as it is.
    expect(() => writeCommit(repository, { ...facts, tree: "0".repeat(40) }, STAND_IN)).toThrow(
      /not a valid/,
    );
  });

  it("is left to git where the environment or another setting says more", () => {
    const { directory, repository } = newRepository();
    git(directory, "config", "user.name", "Wren");
    git(directory, "config", "user.email", "wren@example.org");
    const elsewhere = { ...repository, environment: { ...repository.environment, GIT_AUTHOR_NAME: "Other" } };
    expect(askCommitter(elsewhere, STAND_IN).signature).toBeUndefined();
    for (const [key, value] of [
      ["author.name", "Other"],
      ["committer.email", "other@example.org"],
      ["i18n.commitEncoding", "ISO-8859-1"],
    ] as const) {
      git(directory, "config", key, value);
      expect(askCommitter(repository, STAND_IN).signature, key).toBeUndefined();
      git(directory, "config", "--unset", key);
    }
    expect(askCommitter(repository, STAND_IN).signature).toBe("Wren <wren@example.org>");
  });
});
