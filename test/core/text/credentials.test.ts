import { describe, expect, it } from "vitest";
import {
  CREDENTIAL_SHAPES,
  findBrokenCredential,
  findCredential,
  hasPasswordUrl,
} from "../../../src/core/text/credentials.ts";

const letters = (count: number): string => "A1B2C3D4".repeat(5).slice(0, count);

/** Beginnings with how many characters must follow at least. */
const KEYS: readonly [name: string, beginning: string, least: number][] = [
  ["anthropic-key", "sk-ant-", 16],
  ["openai-key", "sk-", 20],
  ["github-token", "gho_", 20],
  ["github-token", "ghu_", 20],
  ["github-token", "ghr_", 20],
  ["github-pat", "github_pat_", 20],
  ["aws-access-key-id", "AKIA", 16],
  ["google-api-key", "AIza", 35],
  ["slack-token", "xoxa-", 10],
  ["slack-token", "xoxp-", 10],
  ["slack-token", "xoxr-", 10],
  ["slack-token", "xoxs-", 10],
  ["stripe-key", "rk_live_", 16],
  ["stripe-key", "sk_test_", 16],
  ["bearer-token", "bearer ", 20],
  ["assignment", "apikey=", 16],
  ["assignment", "api-key:", 16],
  ["assignment", "api_key = ", 16],
  ["assignment", "ACCESSTOKEN=", 16],
  ["assignment", "access-token\t: '", 16],
  ["assignment", "access_token=", 16],
  ["assignment", "secretkey=", 16],
  ["assignment", 'secret-key:  "', 16],
  ["assignment", "secret_key=", 16],
  ["assignment", "password=", 16],
  ["assignment", "'password'  =  ", 16],
];

describe("a credential", () => {
  it.each(KEYS)(
    "of the shape %s begins with %j and has at least %i characters more",
    (name, beginning, least) => {
      expect(findCredential(`x ${beginning}${letters(least)}`)).toBe(name);
      expect(findCredential(`x ${beginning}${letters(least - 1)} y`)).not.toBe(name);
    },
  );

  it.each(KEYS.filter(([name]) => name !== "assignment"))(
    "%s goes on from no other word: %j",
    (name, beginning, least) => {
      for (const before of ["a", "Z", "7"]) {
        expect(findCredential(`${before}${beginning}${letters(least)}`)).not.toBe(name);
      }
      for (const before of ["", "_", "-", "/", "ä"]) {
        expect(findCredential(`${before}${beginning}${letters(least)}`)).toBe(name);
      }
    },
  );

  it("is told by the first shape of the table, each of which has a name of its own", () => {
    const names = CREDENTIAL_SHAPES.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(findCredential(`password=${letters(16)} AKIA${letters(16)}`)).toBe("aws-access-key-id");
    for (const name of names) expect(findCredential(`[redacted:${name}]`)).toBe("redacted-credential");
    expect(findCredential("[redacted:nothing] redacted:github-token")).toBeUndefined();
  });

  it("is a private key under any name, and no public one", () => {
    expect(findCredential("-----BEGIN EC PRIVATE KEY-----")).toBe("private-key-header");
    expect(findCredential("-----BEGIN PUBLIC KEY-----")).toBeUndefined();
  });
});

describe("a credential that was broken over lines", () => {
  const WHOLE = new Set([
    "anthropic-key",
    "openai-key",
    "github-token",
    "github-pat",
    "aws-access-key-id",
    "google-api-key",
    "slack-token",
    "stripe-key",
  ]);

  it.each(KEYS)("of the shape %s is one still where it is no words of prose", (name, beginning, least) => {
    expect(findBrokenCredential(`${beginning}${letters(least)}`)).toBe(WHOLE.has(name) ? name : undefined);
  });
});

describe("a URL with a password", () => {
  it.each([
    ["https://wren:pass@example.org"],
    ["see postgres+ssl://a:b@c"],
    ["x://:p@h"],
    [`h${"t".repeat(31)}://u:p@h`],
    ["abc1://u:p@h"],
  ])("stands in %j", (text) => {
    expect(hasPasswordUrl(text)).toBe(true);
  });

  it.each([
    ["https://wren@example.org"],
    ["https://example.org:80/a@b"],
    ["https://wren:@example.org"],
    ["://u:p@h"],
    ["1://u:p@h"],
    ["https:/u:p@h"],
    ["mailto:a:b@c"],
    ["ht_tp_://u:p@h"],
  ])("does not stand in %j", (text) => {
    expect(hasPasswordUrl(text)).toBe(false);
  });
});
