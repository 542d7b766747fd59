import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactCredentials, redactStructure } from "../../../../src/core/capsule/redaction/redact.ts";

describe("a prompt stays readable", () => {
  it.each([
    // Code.
    "const password = readPassword()",
    "const password = await readPassword();",
    "let token = getToken(request);",
    "const token = jwt.sign(payload, secret)",
    "let secret = crypto.randomBytes(32);",
    'const password = prompt("Password: ")',
    "password = os.environ['PASSWORD']",
    "const token = tokens[index];",
    "const apiKey = config.apiKey;",
    "const token = request.headers.authorization",
    "const password = form.values.password;",
    "token := lexer.Next()",
    "this.token = token;",
    "self.password = password",
    "interface X { apiKey: ApiKey; password: Password }",
    "type Tokens = { token: Token; secret: Secret[] };",
    "tokens.map(token => token.text)",
    "if (password === undefined) throw new Error();",
    "if (token == null) return;",
    "const SECRET_WORD = [",
    "password: {",
    "valueFrom: { secretKeyRef: { name: db, key: password } }",
    'fetch(url, { credentials: "same-origin" })',
    "passwordHash = hash(password)",
    'input("Password: ")',
    "what does `token:` mean",
    // Counts, names, places.
    "tokens = 5",
    "token = 4096",
    "--token-limit 4000",
    "--token-limit=4000 --max-tokens 4096",
    "token_type = bearer, token_usage: 12345/200000",
    "PASSWORD_FILE=/run/secrets/database",
    "secretName: my-secret",
    "sort-key: created_at, object_key: uploads/a.png",
    "cache_key = `user:${id}`",
    "src/auth/token.ts:45:10 - error TS2345",
    "at Token.parse (src/token.ts:12:5)",
    "password.test.ts: 3 failed",
    "docker run --user 1000:1000 -u 0:0 image",
    // Addresses and hashes.
    "http://localhost:5173/@vite/client and https://example.org:80/a@b",
    "https://unpkg.com/react@18 git@github.com:owner/name.git ssh://git@github.com/owner/name.git",
    "see https://example.com/search?q=key&code=404",
    "the commit 0123456789abcdef0123456789abcdef01234567 broke it",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "sha512-9QpqX7kSCk0kGWvkVjEbHJ3JNoQbGTjvs1eJ3pQhqXbqkF3sJ2mE1M0yPz3bXo6J+4tI3q8yR4Q==",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
    // Prose.
    "global-state-management-library, xoxo-hugs-and-kisses",
    "my password is wrong, the token is expired, and the secret is to use 2 threads",
    "basic authentication fails, bearer tokens are refused",
  ])("%j", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });

  const word = fc.constantFrom(
    ..."the a prompt of code that fails at line 42 in src/core/tokens.ts and risk-free tests (see #12)".split(
      " ",
    ),
  );
  const hexadecimal = (length: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: length, maxLength: length });
  const identity = fc.oneof(hexadecimal(7), hexadecimal(40), hexadecimal(64), fc.uuid());

  it("with its words, hashes and identities", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(word, identity), { maxLength: 30 }), (words) => {
        const text = words.join(" ");
        expect(redactCredentials(text)).toBe(text);
      }),
    );
  });

  it("in a structure, where a key only tells about a secret", () => {
    const usage = { token_type: "bearer", passwordField: "text", sort_key: "created_at" };
    expect(redactStructure(usage)).toEqual(usage);
  });
});

describe("what only looks like code is taken out", () => {
  it.each([
    "PASSWORD=abc(def",
    "password: readPassword9()",
    "password = x(a!b",
    'password = "readPassword()"',
    "const password = hunter2",
    "password = config",
    "token = token9",
    "password = correct.horse.battery",
    "const password = correct-horse.battery",
    "password: thisIsMine.always",
    "test_key: abcdefgh",
    "token.prod: 7Az7Az7Az",
    "token.ts: 7Az7Az7Az",
    "token.ts = 45:10",
    "token: 1234567",
    "curl -u 1000:hunter2 x",
    "https://me:12345a/b@host/x",
    "https://me:123456/b@host/x",
    'secretary: "PASSWORD=hunter2"',
    "tokenizer: 'bpe, PASSWORD=hunter2",
    "token: <b>,PASSWORD=hunter2",
    'token: "hunter2',
    "PASSWORD='hunter2",
    'input("Password: ")PASSWORD=hunter2',
  ])("%j", (text) => {
    expect(redactCredentials(text)).toMatch(/\[redacted:[a-z-]+\]/);
    expect(redactCredentials(text)).not.toContain("hunter2");
  });
});
