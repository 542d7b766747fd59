import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactCredentials, redactStructure } from "../../../../src/core/capsule/redaction/redact.ts";

/** What no text may keep of a secret: any eight of its characters in a row. */
function leakOf(secret: string, redacted: string): string | undefined {
  for (let start = 0; start + 8 <= secret.length; start += 1) {
    if (redacted.includes(secret.slice(start, start + 8))) return secret.slice(start, start + 8);
  }
  return secret.length < 8 && redacted.includes(secret) ? secret : undefined;
}

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const from = (alphabet: string, minLength: number, maxLength = minLength): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });

/** As a service draws it: no word, and with a digit. */
const key = (length: number): fc.Arbitrary<string> => from(LETTERS, length - 1).map((text) => `7${text}`);

describe("what a journal of prompts leaves out", () => {
  it.each([
    ["token sk-ant-abcdefghijklmnopqrst here", "token [redacted:anthropic-key] here"],
    [
      "ghp_abcdefghijklmnopqrstuvwx and AKIAABCDEFGHIJKLMNOP",
      "[redacted:github-token] and [redacted:aws-access-key-id]",
    ],
    ['api_key = "abcdefghijklmnopqrst"', 'api_key = "[redacted:assignment]"'],
    ["password: abcdefghijklmnopqrst", "password: [redacted:assignment]"],
    ["Authorization: Bearer abcdefghijklmnopqrstuvwx", "Authorization: [redacted:bearer-token]"],
    ["https://me:secret@host/x", "https://me:[redacted:url-password]@host/x"],
    ["PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=[redacted:assignment] psql -h db"],
    ["my password is hunter2!", "my password is [redacted:said]"],
    ["machine h login u password p4ss", "machine h login u password [redacted:netrc]"],
    ["db.host:5432:app:me:s3cret", "db.host:5432:app:me:[redacted:pgpass]"],
    ["curl -u me:s3cret https://x/y", "curl -u me:[redacted:user-option] https://x/y"],
    ["curl -H 'x-api-key: abc' /y", "curl -H 'x-api-key: [redacted:header]' /y"],
    ["deploy --token abc --force", "deploy --token [redacted:option] --force"],
    ['{"password":"a b","n":1}', '{"password":"[redacted:assignment]","n":1}'],
    ['{\\"password\\":\\"a b\\",\\"n\\":1}', '{\\"password\\":\\"[redacted:assignment]\\",\\"n\\":1}'],
    ["export GITHUB_TOKEN=foo\\nNEXT=1", "export GITHUB_TOKEN=[redacted:assignment]\\nNEXT=1"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
    expect(redactCredentials(redacted)).toBe(redacted);
  });

  it.each([
    "task-and-disk-are-ordinary-words-here",
    "max_tokens: 4096, tokenizer: bpe",
    "the tokens are many, and a token is required",
    "const password: string = prompt",
    "PASSWORD=$PASSWORD API_KEY=${API_KEY} TOKEN=<your-token>",
    "cd $HOME && PWD=/home/me make",
    "author: Bob, secretary: Ann",
    "see https://example.com:8080/path?page=2 and mail me@example.com",
    "sort_key: id",
    "- 12:30 a plain line: with colons",
  ])("leaves %j as it is", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a token", () => {
  const shapes: Record<string, fc.Arbitrary<string>> = {
    GitLab: key(20).map((text) => `glpat-${text}`),
    "a GitLab runner": key(20).map((text) => `glrt-${text}`),
    npm: key(36).map((text) => `npm_${text}`),
    PyPI: key(60).map((text) => `pypi-AgEI${text}`),
    GitHub: fc
      .tuple(fc.constantFrom("ghp_", "gho_", "ghs_", "github_pat_"), key(36))
      .map((parts) => parts.join("")),
    Slack: fc
      .tuple(fc.constantFrom("xoxb-", "xoxp-", "xapp-1-", "xoxe.xoxp-"), key(30))
      .map((parts) => parts.join("")),
    Stripe: fc
      .tuple(fc.constantFrom("sk_live_", "rk_test_", "whsec_"), key(24))
      .map((parts) => parts.join("")),
    Anthropic: key(40).map((text) => `sk-ant-api03-${text}`),
    OpenAI: fc
      .tuple(fc.constantFrom("sk-", "sk-proj-", "sk-svcacct-"), key(40))
      .map((parts) => parts.join("")),
    "a Google key": key(35).map((text) => `AIza${text}`),
    "a Google login": fc
      .tuple(fc.constantFrom("ya29.", "GOCSPX-", "1//0"), key(40))
      .map((parts) => parts.join("")),
    "an Azure client": key(34).map((text) => `abc8Q~${text}`),
    "an AWS session": from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16).map((text) => `ASIA${text}`),
    "Hugging Face": key(34).map((text) => `hf_${text}`),
    "a signed one": fc.tuple(key(20), key(40), key(43)).map(([a, b, c]) => `eyJ${a}.eyJ${b}.${c}`),
  };

  it.each(Object.entries(shapes))("of %s goes whole, wherever it stands", (_, shape) => {
    const around = fc.constantFrom(
      "use %s now",
      '"%s"',
      "(%s)",
      "a=%s",
      "https://x/y?z=%s&q=1",
      "%s",
      '{"a":"%s\\n"}',
    );
    fc.assert(
      fc.property(shape, around, (secret, frame) => {
        const text = frame.replace("%s", () => secret);
        expect(leakOf(secret, redactCredentials(text))).toBeUndefined();
      }),
    );
  });
});

describe("a secret that is named", () => {
  const name = fc.constantFrom(
    "GITHUB_TOKEN",
    "CLIENT_SECRET",
    "PGPASSWORD",
    "MYSQL_PWD",
    "DB_PASS",
    "aws_secret_access_key",
    "apiKey",
    "authToken",
    "SECRET_KEY_BASE",
    "API_KEY_PROD",
    "passphrase",
    "spring.datasource.password",
    "x-api-key",
    "private_key",
    "AccountKey",
    "SharedAccessKey",
    "_authToken",
    "credentials",
    "dbPassword2",
  );
  const value = from(`${LETTERS}!#%+/=_~-`, 8, 60).filter((text) => /^[A-Za-z0-9]/.test(text));

  it("goes, whatever form the assignment has", () => {
    const form = fc.constantFrom(
      "N=V",
      "N = V",
      "N: V",
      'N="V"',
      "N='V'",
      'export N="V"',
      '{"N":"V"}',
      '{"N": "V", "x": 1}',
      "N := `V`",
      '{\\"N\\":\\"V\\"}',
      "'N' => 'V'",
      "a\nN=V\nb",
      "N=V other=1",
      "--N=V",
      "- N: V\n- x: 1",
    );
    fc.assert(
      fc.property(name, value, form, (named, secret, frame) => {
        const text = frame.replaceAll(/\b[NV]\b/g, (found) => (found === "N" ? named : secret));
        expect(leakOf(secret, redactCredentials(text))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it("goes from addresses, headers, options and the files of clients", () => {
    const form = fc.constantFrom(
      "postgres://u:V@h:5432/db",
      "redis://:V@h",
      "https://V@github.com/a/b",
      "amqps://a%40b:V@h/x?y=z",
      "Authorization: Basic V",
      "authorization: token V",
      '{"Authorization": "V"}',
      "curl -H 'Authorization: V' u",
      "Cookie: sid=V; x=1",
      "X-Auth-Token: V",
      "PRIVATE-TOKEN: V",
      "proxy-authorization: Bearer V",
      "machine h\n  login u\n  password V\n",
      "default login u password V",
      "machine h password V",
      "localhost:5432:db:me:V",
      "*:*:*:me:V",
      "x\nh:1:*:me:V\ny",
      "curl -u me:V u",
      "curl --user 'me:V' u",
      "mysql --password V",
      "tool --api-key 'V'",
      "https://x.blob.core/y?sv=1&sig=V&se=2",
    );
    fc.assert(
      fc.property(key(24), form, (secret, frame) => {
        expect(leakOf(secret, redactCredentials(frame.replaceAll(/\bV\b/g, () => secret)))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it("goes from a structured prompt, by its key and by its words, and the rest of the structure stays", () => {
    const told = redactStructure({
      type: "text",
      parts: [{ text: "PASSWORD=hunter2 then" }, { password: "hunter2", n: 4, none: null }],
      clientSecret: "a b",
    });
    expect(told).toEqual({
      type: "text",
      parts: [
        { text: "PASSWORD=[redacted:assignment] then" },
        { password: "[redacted:assignment]", n: 4, none: null },
      ],
      clientSecret: "[redacted:assignment]",
    });
    let deep: unknown = "PASSWORD=hunter2";
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(JSON.stringify(redactStructure(deep))).not.toContain("hunter2");
  });
});

describe("a private key", () => {
  const kind = fc.constantFrom(
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
  );
  const lines = fc
    .tuple(fc.array(from(`${LETTERS}+/`, 64), { minLength: 1, maxLength: 12 }), from(`${LETTERS}+/`, 4, 60))
    .map(([whole, last]) => [...whole, `${last}==`]);
  const broken = fc.constantFrom("\n", "\r\n", "\n  ", "\\n", "\\\\n", '\\n" +\n  "', " ");
  const headers = fc.constantFrom([], ["Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,0123456789ABCDEF"]);

  it("goes whole, with its lines broken in any way, and what stands around it stays", () => {
    fc.assert(
      fc.property(kind, lines, broken, headers, (name, body, line, head) => {
        const armour = [
          `-----BEGIN ${name}-----`,
          ...(line === "\n" ? head : []),
          ...body,
          `-----END ${name}-----`,
        ];
        const redacted = redactCredentials(`look: ${armour.join(line)} and tell me why`);
        expect(redacted).toBe("look: [redacted:private-key] and tell me why");
      }),
    );
  });

  it("goes where its end was cut off, wherever that was", () => {
    fc.assert(
      fc.property(kind, lines, broken, headers, fc.nat(), (name, body, line, head, cut) => {
        const armour = [`-----BEGIN ${name}-----`, ...(line === "\n" ? head : [])].join(line) + line;
        const told = body.join(line);
        const text = armour + told.slice(0, 1 + (cut % told.length));
        const redacted = redactCredentials(text);
        for (const one of body) {
          // A single line of few characters behind a blank may be a word.
          if (line !== " ") expect(leakOf(one, redacted)).toBeUndefined();
          else expect(leakOf(one.slice(0, 20), redacted.slice(0, -16))).toBeUndefined();
        }
      }),
    );
  });

  it("goes where its beginning was cut off", () => {
    fc.assert(
      fc.property(
        kind,
        lines,
        broken.filter((line) => !line.includes("+")),
        (name, body, line) => {
          const redacted = redactCredentials(["see", ...body, `-----END ${name}-----`, "thanks"].join(line));
          for (const one of body) expect(leakOf(one, redacted)).toBeUndefined();
          expect(redacted.startsWith("see") && redacted.endsWith("thanks")).toBe(true);
        },
      ),
    );
  });

  it("is told apart from the words about one, and from the next", () => {
    expect(redactCredentials("grep -----BEGIN PRIVATE KEY----- in the repo")).toBe(
      "grep [redacted:private-key] in the repo",
    );
    const body = "QWxhZGRpbjpvcGVuIHNlc2FtZQ".repeat(2);
    expect(
      redactCredentials(
        `-----BEGIN A PRIVATE KEY-----\n${body}\nfirst words\n-----BEGIN B PRIVATE KEY-----\n${body}\n-----END B PRIVATE KEY-----\nlast words`,
      ),
    ).toBe("[redacted:private-key]\nfirst words\n[redacted:private-key]\nlast words");
  });
});

describe("a hostile prompt", () => {
  it("of hundreds of thousands of beginnings is read through once", () => {
    const pieces = [
      "-----BEGIN PRIVATE KEY-----",
      "-----END PRIVATE KEY-----",
      'password="',
      "authorization: ",
      "a://",
      "eyJabcdefgh.eyJabcd.",
    ];
    const quotes = ["'", '"', "`", "“", '\\"', "password='a'b", 'token: "\n', "token: “\n", 'key="token" '];
    const names = ["key", "--token ", "set token ", "name=token ", "token for a ", "token: a | ", "| token "];
    const blanks = [" ", "\t", "\n", "\u00A0", "password:\n  ", "token:\n", "curl ", "echo a | ", "<a "];
    const others = ["a", "\\", "machine login ", "token_", "a.b-", ...quotes, ...names, ...blanks];
    for (const piece of [...pieces, ...others]) {
      const text = piece.repeat(Math.ceil(30_000 / piece.length));
      expect(redactCredentials(text).length).toBeGreaterThan(0);
    }
  });

  it.each([
    "authorization: ",
    "cookie: ",
    "x-api-key: ",
    "password=",
    "password: '",
    "token is ",
    "--token ",
  ])("of a million backslashes behind %j is read through once", (beginning) => {
    const redacted = redactCredentials(`${beginning}${"\\".repeat(1_000_000)} PASSWORD=hunter2`);
    expect(redacted).toContain("[redacted:");
    expect(redacted).not.toContain("hunter2");
  });
});
