import { describe, expect, it } from "vitest";
import { redactCredentials } from "../../../../src/core/capsule/redaction/redact.ts";

const LONG = "and so on, for much longer than a line of code is, and then some more of it";

describe("behind the name of a secret, there stays", () => {
  it.each([
    // What a name tells about a secret.
    ...["type", "count", "limit", "budget", "usage", "expiry", "expires", "ttl", "length", "size"].map(
      (rest) => `token_${rest}: abcdefgh`,
    ),
    ...["name", "field", "file", "path", "url", "uri", "endpoint", "ref"].map(
      (rest) => `secret-${rest}: a-b`,
    ),
    ...[
      "stdin",
      "prompt",
      "fd",
      "method",
      "methods",
      "scheme",
      "schemes",
      "challenge",
      "header",
      "headers",
    ].map((rest) => `token_${rest}: abcdefgh`),
    "token_type_2: bearer",
    "passwordType: abcdefgh",
    ...["cache", "sort", "object", "partition", "primary", "foreign", "public"].map(
      (of) => `${of}_key: abcdefgh`,
    ),
    ...["unique", "index", "group", "query", "range"].map((of) => `${of}-KEY: abcdefgh`),
    // A line of a source file.
    ..."ts tsx mts cts js jsx mjs cjs py go rs java kt kts rb php c h cc cpp hpp cs swift scala sh sql vue svelte"
      .split(" ")
      .concat("md json yml yaml toml htm html css TS test.ts".split(" "))
      .map((ending) => `password.${ending}:45:10`),
    "password.ts: 3 failed",
    "password.ts:123456)",
    // A call or a look-up.
    "password = read()",
    "password = readAll(a.b, c)",
    "password = user?.read(1)[0];",
    "password: $a_b.c[",
    "password = get({",
    "password =\tread()",
    // A reference.
    ..."this self config options opts env os req request context ctx props args params settings secrets"
      .split(" ")
      .map((root) => `apiKey: ${root}.mine`),
    "apiKey: import.meta.env.MINE",
    "apiKey: config.a_b.c$d",
    "apiKey: config?.mine",
    "apiKey: config.mine)]},;",
    // A member, where a value is declared.
    "const password = form.values",
    "let  password = form?.values),;",
    "var my$Password = a_b.c$d.e;",
    `const password = form.values; ${LONG}`,
    `${LONG} const password = form.values;`,
    // A word of the language, a block, an end.
    ...["await", "new", "async", "function", "typeof"].map((word) => `password = ${word} x`),
    ...["{", "[", "(", "|", ">", ")", "]", "}", "[{", "{},", "[];"].map((bracket) => `password: ${bracket}`),
    // The name itself.
    "password = password",
    "this.userPassword = userPassword",
    "a.my$2_password = my$2_password;",
    `${LONG} userPassword = userPassword`,
    "Token: token.text);",
    "apiKey: ApiKey[],",
    "token => token.a_b.c$d{}",
  ])("%j", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("behind the name of a secret, there goes", () => {
  it.each([
    "token.prodtype: abcdefg7",
    "token_typed: abcdefg7",
    "token_prod_type: abcdefg7",
    "cache_api-key: abcdefg7",
    "sort_my_key: abcdefg7",
    "sortkey_key: abcdefg7",
    `sort_${"x".repeat(12)}_key: abcdefg7`,
    "password.zts: 45",
    "password.tsv: 45",
    "passwordXts: 45",
    "password.ts: 1234567",
    "password.ts: 45a",
    "password.ts: a45",
    "password.ts:  45",
    "password.ts:= 45",
    "password=read()",
    "a caller of password=read() and more",
    "password = a()",
    "password = 9read()",
    "password = read9()",
    "password = abc(def",
    "password = abc(d-f)",
    "password = abc!(def)",
    "password = user?read()",
    "password=config.mine",
    "apiKey: 9config.mine",
    "apiKey: config.mine9",
    "apiKey: config",
    "apiKey: configured.mine",
    "apiKey: importXmeta.mine",
    "apiKey: config?mine",
    "apiKey: config.mine!",
    "const password = a.b9",
    "const password = a!b.c",
    "const password = 9a.b",
    "const password = abc",
    "constpassword = a.b",
    "myconst password = a.b",
    "const x = 1, password = a.b",
    `const ${"x".repeat(60)}password = a.b`,
    "password = knew",
    "password = newest",
    "password: {hunter",
    "password: 9{",
    "password: [{(",
    "password: {!",
    "password=password",
    "password = passwordly",
    "password = password.a9",
    "password = passwork",
    "password = password!",
  ])("%j", (text) => {
    expect(redactCredentials(text)).toMatch(/\[redacted:assignment\]/);
  });
});
