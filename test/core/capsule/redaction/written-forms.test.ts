import { describe, expect, it } from "vitest";
import { redactCredentials } from "../../../../src/core/capsule/redaction/redact.ts";

describe("a value on lines of its own", () => {
  it.each([
    ["password: |\n  a b\n  c\nd: e", "password: |\n  [redacted:assignment]\nd: e"],
    ["password: >\n  ab", "password: >\n  [redacted:assignment]"],
    ["password: |-\n  ab", "password: |-\n  [redacted:assignment]"],
    ["password: >+\n  ab", "password: [redacted:assignment]\n  [redacted:assignment]"],
    ["secrets: |\n  ab", "secrets: |\n  [redacted:assignment]"],
    ["password: |2\n   ab", "password: [redacted:assignment]\n   [redacted:assignment]"],
    ["  password: |\n    ab\n  d: e", "  password: |\n    [redacted:assignment]\n  d: e"],
    ["- password: |\n    ab\n", "- password: |\n    [redacted:assignment]\n"],
    ["  -  password: |\n      ab", "  -  password: |\n      [redacted:assignment]"],
    ['"my-password": |\n  ab', '"my-password": |\n  [redacted:assignment]'],
    ["'token_a': |\n  ab", "'token_a': |\n  [redacted:assignment]"],
    ["apiKey: |\n  ab", "apiKey: |\n  [redacted:assignment]"],
    ["secret : |\n  ab", "secret : |\n  [redacted:assignment]"],
    ["password: !vault |\n  ab", "password: [redacted:assignment] |\n  [redacted:assignment]"],
    ["password: !x-y\n  ab", "password: [redacted:assignment]\n  [redacted:assignment]"],
    ["password:\n  ab\nc", "password:\n  [redacted:assignment]\nc"],
    ["password:\n\tab", "password:\n\t[redacted:assignment]"],
    ["password:   \n  ab", "password:   \n  [redacted:assignment]"],
    ["my_key: |\n ab", "my_key: |\n [redacted:assignment]"],
    ["token: |\n  a\n  \n  b", "token: |\n  [redacted:assignment]"],
    ["password: |                \n  ab", "password: |                \n  [redacted:assignment]"],
    ["password:\n  'ab'", "password:\n  [redacted:assignment]"],
    ["password: |\n  type: string", "password: |\n  [redacted:assignment]"],
    ["PASSWORD: |\n  ab", "PASSWORD: |\n  [redacted:assignment]"],
    [
      "Private-Lines: 2\nAAAA\nBB==\nPrivate-MAC: 1",
      "Private-Lines: 2\n[redacted:private-key]\nPrivate-MAC: 1",
    ],
    ["Private-Lines: 1\r\nAAAA+/=\r\nx: 1", "Private-Lines: 1\r\n[redacted:private-key]\nx: 1"],
    ["Private-Lines:\t3\nAAAA\nBBBB\nCCCC", "Private-Lines:\t3\n[redacted:private-key]\n"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "password:\n  type: string",
    "password:\n  - ab",
    "password:\n  - a: b",
    'password:\n  "type": ab',
    "password:\n  a.b/c: d",
    "password:\n  # ab",
    "password:\n  [a]",
    "password:\n  {a}",
    "password:\n  two words",
    "password:\nab",
    "compass: |\n  ab",
    "password: |\nab",
    "token:\n\n  ab",
    "tokenizer: |\n  ab",
    "x Private-Lines: 1\nAAAA",
    "Private-Lines: x\nAAAA",
    "password:\n  [redacted:jwt]",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a sentence that tells several words", () => {
  it.each([
    ["password is correct horse battery", "password is [redacted:assignment]"],
    ["my password is: correct horse battery", "my password is: [redacted:assignment]"],
    ["the passphrase is correct-horse-battery", "the passphrase is [redacted:assignment]"],
    ["- password is aa bb cc", "- password is [redacted:assignment]"],
    ["* passcode is: aa bb cc", "* passcode is: [redacted:assignment]"],
    ["  password is aa bb cc  ", "  password is [redacted:assignment]"],
    ["x\npassword is aa bb cc\ny", "x\npassword is [redacted:assignment]\ny"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "password is one two",
    "the password is correct and horse",
    "our password is aa bb cc dd",
    "password is aa bb c1",
    "password is aa bb cc dd ee ff gg hh ii jj kk",
    "token is aa bb cc",
    "password is qq is zz",
    "password is qq are zz",
    "password is qq was zz",
    "password is qq be zz",
    "password is qq must zz",
    "password is qq should zz",
    "password is qq can zz",
    "password is qq may zz",
    "password is qq not zz",
    "password is qq and zz",
    "password is qq or zz",
    "password is qq the zz",
    "password is qq to zz",
    "password is qq of zz",
    "password is qq for zz",
    "password is qq in zz",
    "password is qq with zz",
    "password is qq that zz",
    "password is qq when zz",
    "password is qq at zz",
    "password is qq least zz",
    "password is qq field zz",
    "password is qq input zz",
    "password is qq reset zz",
    "password is qq hash zz",
    "password is qq string zz",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a sentence that tells one", () => {
  it.each([
    ["pass: hunter", "pass: [redacted:said]"],
    ["pw: hunter", "pw: [redacted:said]"],
    ["pass = hunter", "pass = [redacted:said]"],
    ["pw=hunter", "pw=[redacted:assignment]"],
    ["PW: abcd", "PW: [redacted:said]"],
    ["the password is: hunter", "the password is: [redacted:said]"],
    ["the token was: hunter", "the token was: [redacted:said]"],
    ["secret is  :  hunter", "secret is  :  [redacted:said]"],
    ["the password is ab12", "the password is [redacted:said]"],
    ["the token was ab12", "the token was [redacted:said]"],
    ["credentials are ab12", "credentials are [redacted:said]"],
    ["set the secret to ab12", "set the secret to [redacted:said]"],
    ["the passcode will be ab12", "the passcode will be [redacted:said]"],
    ["password is now ab12", "password is now [redacted:said]"],
    ["password is currently ab12", "password is currently [redacted:said]"],
    ["password is still ab12", "password is still [redacted:said]"],
    ["password is set to ab12", "password is set to [redacted:said]"],
    ["password is 'ab12'", "password is '[redacted:said]'"],
    ['password is "ab12', 'password is "[redacted:said]'],
    ["token is `ab12`", "token is `[redacted:said]`"],
    ["password is : ab12", "password is : [redacted:said]"],
    ["api key is ab12", "api key is [redacted:said]"],
    ["password -> ab12", "password -> [redacted:said]"],
    ["password => ab12 c", "password => [redacted:assignment]"],
    ["password → ab12", "password → [redacted:said]"],
    ["password - ab12", "password - [redacted:said]"],
    ["password – ab12", "password – [redacted:said]"],
    ["password — ab12", "password — [redacted:said]"],
    ["password for db is ab12cd", "password for db is [redacted:said]"],
    ["token of the ci user is ab12cd", "token of the ci user is [redacted:said]"],
    ["password for a b c d e is ab12cd", "password for a b c d e is [redacted:said]"],
    ["password (for x) is ab12cd", "password (for x) is [redacted:said]"],
    ["password(x): ab12cd", "password(x): [redacted:said]"],
    ["token for root: ab12cd", "token for root: [redacted:said]"],
    ["token for root = ab12cd", "token for root = [redacted:said]"],
    ["token for root → ab12cd", "token for root → [redacted:said]"],
    ["token for me@a.b is 'ab12cd'", "token for me@a.b is '[redacted:said]'"],
    ["secret of x is “ab12cd”", "secret of x is [redacted:said]"],
    ["secret of x was ab12cd, ok", "secret of x was [redacted:said], ok"],
    ["secret of x was ab12cd; ok", "secret of x was [redacted:said]; ok"],
    ["password is “abc”", "password is [redacted:said]"],
    ["password: “a b c” d", "password: “[redacted:assignment]” d"],
    ["password is ‘a b c’", "password is [redacted:said]"],
    ["password is «a b c»", "password is [redacted:said]"],
    ["password is „a b c”", "password is [redacted:said]"],
    ["password is „a b c“", "password is [redacted:said]"],
    ["password for x is “a b c”", "password for x is [redacted:said]"],
    ["token → “abc”", "token → [redacted:said]"],
    ["token = “abc”", "token = “[redacted:assignment]”"],
    ["password hunter12", "password [redacted:said]"],
    ["passphrase 'hunter'", "passphrase '[redacted:said]'"],
    ['password "hunter-x" b', 'password "[redacted:said]" b'],
    ["passcode `hunter`", "passcode `[redacted:said]`"],
    ["log in with passwd ab12cd, please", "log in with passwd [redacted:said], please"],
    ["pwd ab12cd; b", "pwd [redacted:said]; b"],
    ["my pin code ab12cd", "my pin code [redacted:said]"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "pass: abc",
    "pass: true",
    "pass: false",
    "pass: null",
    "pass: yes",
    "pass: no",
    "pass: ok",
    "pass: none",
    "pass: fail",
    "pass: failed",
    "pass: 'ab'",
    "compass: hunter",
    "password is wrong",
    "password is a12",
    "password is in abcd",
    "the token to be 12",
    "password is set",
    "password-x",
    "password for db is hunter",
    "password for db is ab1",
    "password for a b c d e f is ab12cd",
    "password in db is ab12cd",
    "password for db are sha256",
    "token (x) is hunter",
    "password is “ab”",
    "password hunter",
    "password sha256",
    "password 'ab'",
    "password 'a b c d'",
    "password 'hunter",
    "password -hunter-",
    "token ab12cd",
    "secret 'hunter'",
    "password ab12",
    "password 250000",
    "password 'x' is short",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a sentence that tells it before its name", () => {
  it.each([
    ["use ab12cd as the password", "use [redacted:said] as the password"],
    ["use 'ab12cd' as my token", "use '[redacted:said]' as my token"],
    ["use “ab12cd” as our passcode", "use “[redacted:said]” as our passcode"],
    ["ab12cd is the secret", "[redacted:said] is the secret"],
    ["ab12cd is your db password", "[redacted:said] is your db password"],
    ["take ab12cd for its new root password", "take [redacted:said] for its new root password"],
    ["ab12cd as a token", "[redacted:said] as a token"],
    [
      "use ab12cd as the token, and xy34zw as the password",
      "use [redacted:said] as the token, and [redacted:said] as the password",
    ],
    ["use\tab12cd\tas\tthe\ttoken", "use\t[redacted:said]\tas\tthe\ttoken"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "use hunter as the password",
    "use ab1 as the password",
    "ab12cd as password",
    "ab12cd with the password",
    "ab12cd as the passwords",
    "as the password",
    "ab12cd as the very new root of password",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a line that announces it", () => {
  it.each([
    ["the token:\nab12cd", "the token:\n[redacted:said]"],
    ["the token:\r\nab12cd\r\n", "the token:\r\n[redacted:said]\r\n"],
    ["the token is:\nab12cd", "the token is:\n[redacted:said]"],
    ["the token here:\nab12cd", "the token here:\n[redacted:said]"],
    ["the token below:\nab12cd", "the token below:\n[redacted:said]"],
    ["the token follows:\nab12cd", "the token follows:\n[redacted:said]"],
    ["token for x:\nab12cd", "token for x:\n[redacted:said]"],
    ["**token:**\nab12cd", "**token:**\n[redacted:said]"],
    ["token:\n\nab12cd", "token:\n\n[redacted:said]"],
    ["token:\n```\nab12cd\n```", "token:\n```\n[redacted:said]\n```"],
    ["token:\n\n```text\nab12cd\n```", "token:\n\n```text\n[redacted:said]\n```"],
    ["token:\n\n\n\nab12cd", "token:\n\n\n\n[redacted:said]"],
    ["token :\n  `ab12cd`  \nx", "token :\n  [redacted:assignment]\nx"],
    ["token:\n'ab12cd'", "token:\n'[redacted:assignment]'"],
    ['token:\n"ab12cd"', 'token:\n"[redacted:assignment]"'],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "token:\nhunter",
    "token:\nab1",
    "token:\nab12cd ef",
    "token:\n\n\n\n\nab12cd",
    "tokens:\nab12cd",
    "token there:\nab12cd",
    "token:\nsha256",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});
