import { describe, expect, it } from "vitest";
import {
  judgeDepartingText,
  judgeReceivedText,
  judgeRepositoryPath,
  secretValues,
} from "../../../src/core/text/portability.ts";

const NOTHING = { secrets: [], directories: [] };
const letters = (count: number): string => "A1b2C3d4".repeat(Math.ceil(count / 8)).slice(0, count);

const CREDENTIALS: readonly [name: string, text: string][] = [
  ["anthropic-key", `sk-ant-${letters(16)}`],
  ["openai-key", `sk-${letters(20)}`],
  ["openai-key", `sk-proj-${letters(20)}`],
  ["github-token", `ghp_${letters(20)}`],
  ["github-token", `ghs_${letters(36)}`],
  ["github-pat", `github_pat_${letters(20)}`],
  ["aws-access-key-id", "AKIAABCDEFGHIJ234567"],
  ["google-api-key", `AIza${letters(35)}`],
  ["slack-token", `xoxb-${letters(10)}`],
  ["stripe-key", `sk_live_${letters(16)}`],
  ["stripe-key", `rk_test_${letters(16)}`],
  ["private-key-header", "-----BEGIN PRIVATE KEY-----"],
  ["private-key-header", "-----BEGIN OPENSSH PRIVATE KEY-----"],
  ["bearer-token", `Authorization: Bearer ${letters(20)}`],
  ["assignment", `API_KEY = "${letters(16)}"`],
  ["assignment", `"password": "${letters(16)}"`],
  ["redacted-credential", "was [redacted:github-token] here"],
];

describe("credentials", () => {
  it.each(CREDENTIALS)("%s is found in both directions, wherever it stands", (shape, text) => {
    for (const context of [text, `see ${text}.`, `(${text})`, `KEY=${text}`, `first\n${text}\nlast`]) {
      expect(judgeReceivedText(context), context).toEqual({ kind: "secret", shape });
      expect(judgeDepartingText(context, NOTHING), context).toEqual({ kind: "secret", shape });
    }
  });

  it.each(CREDENTIALS.filter(([, text]) => /^(?:sk|gh|AKIA|AIza|xox|rk)/.test(text)))(
    "%s is found at publishing when a line break was put into it",
    (_, text) => {
      for (const at of [2, 5, Math.floor(text.length / 2)]) {
        for (const join of ["\n", "\r\n", " \\\n    ", "\n> "]) {
          const broken = `${text.slice(0, at)}${join}${text.slice(at)}`;
          expect(judgeDepartingText(`see ${broken}`, NOTHING)?.kind, broken).toBe("secret");
        }
      }
    },
  );

  it("names no part of what it found", () => {
    const finding = judgeDepartingText(`ghp_${letters(36)}`, NOTHING);
    expect(JSON.stringify(finding)).not.toContain("A1b2");
  });

  it("a URL with a password is a secret at publishing", () => {
    expect(judgeDepartingText("clone https://wren:pass@example.org/a.git", NOTHING)).toEqual({
      kind: "secret",
      shape: "url-with-password",
    });
    expect(judgeDepartingText("git@github.com:owner/name.git https://a.org:80/x@y", NOTHING)).toBeUndefined();
  });

  it.each([
    ["a commit id", "0123456789abcdef0123456789abcdef01234567"],
    ["a UUID", "550e8400-e29b-41d4-a716-446655440000"],
    [
      "an integrity hash",
      `sha512-9QpqX7kSCk0kGWvkVjEbHJ3JNoQbGTjvs1eJ3pQhqXbqkF3sJ2mE1M0yPz3bXo6J+4tI3q8yR4Q==`,
    ],
    ["a colour", "#ff00aa and #A1B2C3D4"],
    [
      "an icon",
      "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    ],
    ["sk- as a word", "the sk- prefix; sk-learn"],
    ["words that end in sk-", "src/task-management-screen-redesign.ts, disk-usage-of-the-old-tables"],
    ["a word on two lines", "risk-\nassessment-of-the-callback-path"],
    ["the word password", "the password: see the vault"],
    ["the word bearer", "Bearer tokens are refused"],
    ["an answer", "Authorization: Basic"],
  ])("%s is none", (_, text) => {
    expect(judgeReceivedText(text)).toBeUndefined();
    expect(judgeDepartingText(text, NOTHING)).toBeUndefined();
  });
});

describe("secret variables", () => {
  it("are known by their names, and by a value that is worth hiding", () => {
    const environment = {
      GITHUB_TOKEN: "hunter2hunter2",
      my_password: "correct horse",
      OPENAI_APIKEY: "12345678",
      SHORT_SECRET: "1234567",
      GIT_AUTHOR_NAME: "Wren Ferrier",
      GIT_AUTHOR_EMAIL: "wren@example.org",
      SSH_AUTH_SOCK: "/tmp/ssh-agent.sock",
      XAUTHORITY: "/run/user/xauth",
      PATH: "/usr/local/bin",
      UNSET_TOKEN: undefined,
    };
    expect(secretValues(environment)).toEqual(["hunter2hunter2", "correct horse", "12345678"]);
  });

  it("are public by their whole names alone, and told once each", () => {
    const value = "worth hiding";
    expect(secretValues({ MY_SSH_AUTH_SOCK: value })).toEqual([value]);
    expect(secretValues({ XAUTHORITY_TOKEN: value })).toEqual([value]);
    expect(secretValues({ MY_TOKEN: value, OTHER_TOKEN: value })).toEqual([value]);
    expect(secretValues({ MY_GIT_AUTHOR_NAME: value })).toEqual([value]);
    expect(secretValues({ GIT_AUTHOR_TOKEN: value })).toEqual([]);
  });

  it("may not be published, also not broken over lines", () => {
    const knowledge = { secrets: ["correct horse"], directories: [] };
    for (const text of ["say correct horse now", "correct\n horse: no", "corr\nect horse"]) {
      const broken = text !== "correct\n horse: no";
      expect(judgeDepartingText(text, knowledge)).toEqual(
        broken ? { kind: "secret", shape: "environment-variable" } : undefined,
      );
    }
  });
});

describe("paths of a machine", () => {
  const here = { secrets: [], directories: ["/srv/wren/app", "/app"] };

  it.each([
    ["/Users/wren/notes.txt"],
    ["see /home/dev/notes.txt"],
    ["(/home/dev/a)"],
    ["`/Users/x/y`"],
    ["PATH=/usr/bin:/home/dev/bin"],
    ["file:///home/dev/a"],
    ["/root/.ssh/id"],
    ["C:\\Users\\wren"],
    ["'c:/Users/wren/a'"],
    ["see c:\\users\\wren"],
    ["\\\\wsl$\\Debian"],
    ["\\\\wsl.localhost\\Debian"],
    ["in ~wren/notes"],
    ["cd /srv/wren/app/src"],
    ["cd /srv/wren/app"],
    ["/home/dev\n/notes/a.txt"],
  ])("%j is refused at publishing", (text) => {
    expect(judgeDepartingText(text, here)?.kind).toBe("nonportable_field");
  });

  it.each([["see /home/dev/notes.txt"], ["\n/Users/x/y"]])("%j is refused at reading", (text) => {
    expect(judgeReceivedText(text)).toEqual({ kind: "nonportable_field", shape: "a home directory" });
  });

  it.each([
    ["app/home/page.tsx"],
    ["~3/4 of it"],
    ["~/.config"],
    ["https://example.org/home/dev/x"],
    ["the route /home/settings"],
    ["src/Users/list.ts"],
    ["/srv/wren/app2/src"],
    ["/app/src"],
    ["/etc/hosts"],
    ["a/root/b"],
  ])("%j is not", (text) => {
    expect(judgeDepartingText(text, here)).toBeUndefined();
  });

  it.each([
    ["/home/dev/a", "a home directory"],
    ["/root/a", "a home directory"],
    ["D:/Users/wren", "a home directory"],
    ["~wren/a", "a home directory"],
    ["\\\\wsl$\\Debian", "a path of another system"],
    ["/srv/wren/app", "a directory of this machine"],
  ])("%j is called what it is, at the beginning of any line", (path, shape) => {
    for (const text of [path, `first\n${path}`, `see ${path}`, path.replace("wsl", "WSL")]) {
      expect(judgeDepartingText(text, here), text).toEqual({ kind: "nonportable_field", shape });
    }
  });

  it("finds a directory of this machine wherever it begins a path, also behind one that is none", () => {
    const found = (text: string): boolean => judgeDepartingText(text, here) !== undefined;
    expect(found("x/srv/wren/app and then /srv/wren/app")).toBe(true);
    expect(found("file:///srv/wren/app/a")).toBe(true);
    expect(found("x/srv/wren/app")).toBe(false);
    expect(found("a longer word before x/srv/wren/app/b")).toBe(false);
    expect(judgeDepartingText("in /srv/wren too", { secrets: [], directories: ["/srv/wren"] })).toBeDefined();
    expect(judgeDepartingText("in /srv too", { secrets: [], directories: ["/srv"] })).toBeUndefined();
  });

  it("finds a path over two lines, quoted or with several breaks between", () => {
    for (const text of ["/home/dev\n\n> /notes/a.txt", "/srv/wr\n    en/app", "/srv/wr\r\ren/app"]) {
      expect(judgeDepartingText(text, here)?.kind, text).toBe("nonportable_field");
    }
  });

  it.each([
    ["", "an empty path"],
    ["/etc", "a path that is not relative"],
    ["~x", "a path that is not relative"],
    ["a\\b", "a path that is not the same on every system"],
    ["c:a", "a path that is not the same on every system"],
    ["a/../b", "a path that leads out of the repository"],
  ])("says of %j that it is %s", (path, reason) => {
    expect(judgeRepositoryPath(path)).toBe(reason);
  });

  it("whatever a reader refuses is refused at publishing too", () => {
    for (const text of ["/home/a/b", "x:/Users/b/c", "[/home/a/b]"]) {
      expect(judgeReceivedText(text)).toBeDefined();
      expect(judgeDepartingText(text, here)).toBeDefined();
    }
  });

  it.each([[""], ["/etc"], ["~x"], ["a\\b"], ["c:a"], ["a/../b"], [".."]])(
    "%j is no path of a record",
    (path) => {
      expect(judgeRepositoryPath(path)).toBeDefined();
    },
  );

  it.each([["lib/a"], ["src/ü.ts"], ["..a/b.."], ["a b"], ["./x"]])("%j is one", (path) => {
    expect(judgeRepositoryPath(path)).toBeUndefined();
  });
});
