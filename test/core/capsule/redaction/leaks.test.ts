import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactCredentials, redactStructure } from "../../../../src/core/capsule/redaction/redact.ts";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** As a generator draws it: no word, and with a digit. */
const TOKEN = fc
  .string({ unit: fc.constantFrom(...LETTERS), minLength: 9, maxLength: 30 })
  .map((text) => `7q${text}`);

/** Names of secrets as people write them, in the styles of languages and files. */
const NAMES = [
  "password",
  "Password",
  "DB_PASSWORD",
  "dbPassword",
  "MYSQL_ROOT_PASSWORD",
  "passwd",
  "passphrase",
  "passcode",
  "DB_PASS",
  "userPass",
  "admin_pw",
  "ADMIN_PWD",
  "API_TOKEN",
  "authToken",
  "client_secret",
  "clientSecret",
  "apiKey",
  "API_KEY",
  "api-key",
  "aws_secret_access_key",
  "secretKeyBase",
  "SECRET_FOR_THE_VERY_OWN_SERVICE_OF_MINE",
  "TOKEN_FILE_PASSWORD",
  "tokenizer_api_key",
  "secrets_password",
  "credentials",
  "npm.registry.authToken",
  "service_credential",
] as const;

interface Told {
  name: string;
  frame: string;
  secret: string;
  text: string;
}

/** A text for every name and frame: `N` stands for the name, `V` for the value. */
function told(names: readonly string[], frames: readonly string[]): fc.Arbitrary<Told> {
  return fc
    .record({ name: fc.constantFrom(...names), frame: fc.constantFrom(...frames), secret: TOKEN })
    .map((one) => ({
      ...one,
      text: one.frame.replaceAll(/(?<![A-Za-z0-9])[NV](?![A-Za-z0-9])/g, (found) =>
        found === "N" ? one.name : one.secret,
      ),
    }));
}

/** No part of it that is worth the name may stay, but what the frame has itself. */
function leftOf({ secret, frame, name }: Told, redacted: string): string[] {
  const parts = Array.from({ length: secret.length - 5 }, (_, start) => secret.slice(start, start + 6));
  const left = parts.filter((part) => redacted.includes(part));
  return left.filter((part) => !frame.includes(part) && !name.includes(part));
}

const FORMS: Record<string, { names?: readonly string[]; frames: readonly string[] }> = {
  "an environment and a shell": {
    frames: [
      "N=V",
      "export N=V",
      'export N="V"',
      "N='V' run",
      "N=$'V' run",
      'N="a b V c"',
      "N=a\\ b\\ V",
      "N=a\"b V\"'c V'",
      "N=ab'V",
      "N=$(echo V)",
      "N=$(printf '%s' 'a V')",
      "N=`echo V`",
      "N=${N:-V}",
      "N := V",
      "N ?= V",
      "N += V",
      "set -gx N V",
      "set -x N 'a V'",
      "setenv N V",
      "setx N V",
      "ENV N V",
      "ARG N=V",
      '$env:N = "V"',
      "docker run -e N=V image",
      "read -r N <<< 'V'",
      "N:                                        V",
      "N:\u00A0V",
    ],
  },
  "data in files": {
    frames: [
      '{"N": "V"}',
      '{"N":"a \\" V"}',
      '{"N": "a\\\\", "x": 1, "y_N": "V"}',
      '{\\"N\\": \\"a V\\"}',
      '{\\\\\\"N\\\\\\": \\\\\\"V\\\\\\"}',
      '{"N":\n  "V"}',
      '{"N": ["V", "V"]}',
      '{"name": "N", "value": "V"}',
      '{"key":"N","x":1,"value":"V"}',
      "N: V",
      "N: 'a V'",
      "N: &anchor V",
      "N: !!str V",
      "N: !vault |\n  V\n  V\nx: 1",
      "N: |\n  a V\n  V",
      "N: >-\n  V",
      'N: "a\n  V"',
      "- name: N\n  value: V",
      '- name: N\n  value: "a V"',
      "env:\n  - name: N\n    value: V\n",
      "N = V",
      'N = "V"',
      "N = 'a V'",
      'N = """\nV\n"""',
      "N = '''a V'''",
      '"N" = "V"',
      "%22N%22%3A%22V%22",
      "&quot;N&quot;:&quot;V&quot;",
      "N%3DV",
    ],
  },
  markup: {
    frames: [
      "<N>V</N>",
      '<N type="text">V</N>',
      "<N><![CDATA[V]]></N>",
      "<N>\n  V\n</N>",
      '<add key="N" value="V"/>',
      "<add key='N' value='V'/>",
      '<add value="V" key="N"/>',
      '<property name="N" type="x" value="a V"/>',
      '<input name="N" type="text" value="V">',
      '<property name="N">V</property>',
      '<property name="N"><value>V</value></property>',
      '<x N="V"/>',
      "<key>N</key>\n<string>V</string>",
      "**N:** V",
      "**N**: V",
      "*N*: `V`",
      "| N | V |",
      "| `N` | `V` |",
      "<b>N:</b> V",
      "<td>N</td><td>V</td>",
      "<dt>N</dt>\n<dd>V</dd>",
    ],
  },
  code: {
    frames: [
      "const N: string = 'V';",
      "N: str = 'V'",
      'let N: &str = "V";',
      'let N: &\'static str = "V";',
      'var N string = "V"',
      'char N[] = "V";',
      'char N[64] = "V";',
      '#define N "V"',
      'N = b"a V"',
      'N = f"V"',
      'N = @"a V";',
      'N = "a" + "V"',
      'N = "a" +\n  "V"',
      'N = ("V")',
      'N =\n  "V";',
      'N = String::from("V");',
      'N = Buffer.from("V")',
      'N = SecretStr("V")',
      'N = new Password("V")',
      'N = process.env.N || "V"',
      'N = process.env.N ?? "V"',
      'process.env["N"] = "V"',
      'os.environ["N"] = "V"',
      "os.environ.get('N', 'V')",
      "define('N', 'V');",
      "putenv('N=V')",
      "if (N == 'V')",
      'if (N !== "V")',
      'if (N === "V") return',
      "N === 'V' ? 1 : 0",
      "'N' => 'V'",
      'x.N("V")',
      'x["N"] = `V`',
      'put("N", "V")',
      "N => `a V`",
      "N = `a\nV`",
      "fn(N='V', x=1)",
    ],
  },
  "the form of a sentence": {
    names: [
      "password",
      "Password",
      "passphrase",
      "passcode",
      "token",
      "secret",
      "API key",
      "access token",
      "PIN code",
    ],
    frames: [
      "my N is V",
      "the N is 'V'",
      "the N is “V”",
      "the N is \u2018a b V\u2019",
      "N: “a b V”",
      "the N was V, change it",
      "the N for the db is V",
      "the N of the admin user is: V",
      "N for root: V",
      "N (admin): V",
      "here is the N:\nV",
      "here is the N:\n\n```\nV\n```\nuse it",
      "Username:\nadmin\nN:\nV\n",
      "set the N to V",
      "use V as the N",
      "N -> V",
      "N → V",
      "N is now V",
    ],
  },
  "words for what a person types": {
    names: ["password", "Password", "passphrase", "passcode", "passwd", "pwd"],
    frames: [
      "N: correct V staple",
      "N = correct horse V",
      "  N: correct V\n",
      "- N: a V",
      "log in with N V",
      "user admin, N V",
      "the N 'V' is refused",
      "ALTER USER me WITH N 'V'",
      "create user me identified by 'V'",
    ],
  },
  "commands and addresses": {
    frames: [
      "tool --N V",
      "tool --N=V",
      "tool --N 'a b V'",
      'tool --N="a b V"',
      'tool --N "a \\" V"',
      "tool --N '-V'",
      "tool --N \\\n  V",
      "https://host/x?N=V&y=1",
      "https://host/#N=V",
      "curl -u me:V x",
      'curl -u "me:V" x',
      "curl -u 'me:a b V' x",
      "curl -ume:V x",
      "curl --user=me:V x",
      "curl --proxy-user me:V x",
      "curl -H 'N: V' x",
      'curl -H "N: V" x',
      "curl -H 'Authorization: Bearer V' x",
      'curl --header="Authorization: Basic V" x',
      "curl --oauth2-bearer V x",
      "curl -b 'sid=V' x",
      "curl --cookie sid=V x",
      "curl -d 'N=V&x=1' x",
      'curl -d \'{"N":"V"}\' x',
      'curl -d "{\\"N\\":\\"V\\"}" x',
      'Authorization: OAuth a="b", oauth_signature="V"',
      'Authorization: Digest username="me", response="V"',
      'Authorization: Token token="V"',
      "Authorization: V",
      "Authorization: V for the admins",
      'Authorization: f"Token V"',
      "headers = {'Authorization': f'Token V'}",
      "Authorization: Bearer ${N:-V}",
      "N=\"{{ x | default('V') }}\"",
      "python -u me:V",
      "curl -u $USER:V x",
      "mysql -u $USER -pV db",
      '{"Authorization": "ApiKey V"}',
      '{"Cookie": "sid=V; x=1"}',
      "headers: { Cookie: 'sid=V' }",
      'document.cookie = "sid=V"',
      "Set-Cookie: sid=V; HttpOnly",
      "postgres://me:V@host/db",
      "redis://:V@host",
      "https://V-V@host/x",
      "mysql -u me -pV db",
      "mysql -u me -p'a V' db",
      "docker login -u me -p V registry",
      "sshpass -p V ssh host",
      "sshpass -p 'a V' ssh host",
      "redis-cli -a V ping",
      "echo V | sudo -S ls",
      "echo V | docker login --password-stdin",
      "openssl x -passin pass:V",
      "machine h login me password V",
      "npm config set //r/:_authToken V",
      "aws configure set aws_secret_access_key V",
      '{"auths":{"r":{"auth":"V"}}}',
      "//registry/:_auth=V",
    ],
  },
};

describe("nothing stays of a secret in", () => {
  it.each(Object.entries(FORMS))("%s", (_, { names = NAMES, frames }) => {
    fc.assert(
      fc.property(told(names, frames), (one) => {
        const redacted = redactCredentials(one.text);
        expect(leftOf(one, redacted)).toEqual([]);
        expect(redactCredentials(redacted)).toBe(redacted);
      }),
      { numRuns: 400 },
    );
  });

  it("any of these forms, in any text that has several of them", () => {
    const one = fc.oneof(...Object.values(FORMS).map(({ names = NAMES, frames }) => told(names, frames)));
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 4 }), (several) => {
        const redacted = redactCredentials(several.map(({ text }) => text).join("\n\n"));
        const frame = several.map((each) => `${each.frame} ${each.name}`).join(" ");
        for (const each of several) expect(leftOf({ ...each, frame }, redacted)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it("a structure, by its key, by the name beside it, in a list and as a number", () => {
    const structure = {
      password: 12_345_678,
      tokens: 4096,
      apiKeys: { name: "DB_PASSWORD", value: "hunter2" },
      clientSecret: ["hunter2", "hunter3"],
      max_token: 4096,
    };
    expect(redactStructure(structure)).toEqual({
      password: "[redacted:assignment]",
      tokens: 4096,
      apiKeys: { name: "DB_PASSWORD", value: "[redacted:assignment]" },
      clientSecret: ["[redacted:assignment]", "[redacted:assignment]"],
      max_token: 4096,
    });
  });
});

describe("byte for byte there stays", () => {
  /** Lines of programs, files, commands and letters that speak of secrets and have none. */
  const LINES = `
const password = readPassword();
const token: Token = tokens[index];
if (token.kind !== "space" && token.kind !== "comment") break;
function login(user: string, password: string): Promise<Session> {
  this.userPassword = userPassword;
  let userPass = undefined;
  return [ok ? "pass" : "fail", end];
const LEVELS = { pass: "OK", fail: "FAIL" };
progress.get(token) === handler
headers: { Authorization: \`Bearer \${token}\` }
headers: { 'Authorization': \`Bearer \${process.env.TOKEN}\` }
"Authorization": f"Token {self.token}"
curl -H "Authorization: Bearer $TOKEN" x
Authorization: Bearer {{ token }}
Authorization: Bearer <token>
authorization: required for admins
the authorization: none is needed here
python -u main.py:app
uvicorn -u main:app
curl -u $USER:$PASS
curl --user "\${USER}:\${PASS}" x
curl -u <user>:<password>
postgres://$USER:$PASS@host/db
mysql -u me -p$PASS db
password: "{{ vault_pw }}"
password: "{{ lookup('env','PW') }}"
password: "<%= pw %>"
password: "%(pw)s"
password: "{password}"
token = tokens[i+1]
token = tokens[i + 1];
token = self.tokens[self.pos+1]
token = tokens[tokens.length - 1]
token = line[start:end]
token: cancellationToken
{ token: csrfToken, user }
secret: client_secret
password = hashedPassword;
login({ user, password: newPassword })
CancellationToken token = default
Task Run(CancellationToken token = default)
refreshToken: 7d
access_token: "3600s",
if (password === confirmPassword) return
password === other && go()
secret == other.secret ? 1 : 0
parser.token === endToken ? 1 : 2
return password === user2.password;
if password == password2:
while (token != endToken) next();
parts.filter((token) => !/^x/.test(token))
_meta: { [FAILURE_KEY]: answer.error },
Map<Token, string> and Promise<Secret>;
tokenValue += next;
createToken("GTE0PRE", source);
label("HTTPPasswordMgr", "urllib2")
def check(self, token):
    """Return the token, or an error."""
let t = Token::new(text);
token_endpoint_auth_method: "client_secret_basic",
#define HAS_TOKEN 1
TOKEN=$(gh auth token)
Password: \${{ secrets.PASSWORD }}
password: process.env.PASSWORD,
docker login --password-stdin
ssh --key ~/.ssh/id_ed25519 host
"auth": { "type": "none" }
'Cookie': 'http.cookies'
'set-cookie': ['a', 'b']
{ key: n.key, value: n.value }
<label for="password">Your new one</label>
<password></password>
<string name="password">Password</string>
<repository>--<branch-key>.md
| password | string | required |
| --- | --- | --- |
| token | see below |
- the password, the token and the secret of it
The password for the test database is not set.
A token is read, and then the next one; a secret stays one.
Unexpected token 'export' in line 42
Is the password hashed with sha256 or argon2id?
Here is the token:
which is what we want to see
access token: none, refresh token: none
commit 0123456789abcdef0123456789abcdef01234567 as it is
`
    .split("\n")
    .filter((line) => line !== "");

  it.each(LINES)("%j", (line) => {
    expect(redactCredentials(line)).toBe(line);
  });

  it("any text of such lines", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LINES), { maxLength: 12 }), (lines) => {
        const text = lines.join("\n");
        expect(redactCredentials(text)).toBe(text);
      }),
      { numRuns: 400 },
    );
  });
});
