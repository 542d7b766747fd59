import { describe, expect, it } from "vitest";
import { redactCredentials } from "../../../../src/core/capsule/redaction/redact.ts";

describe("a header", () => {
  it.each([
    ["Authorization: ab", "Authorization: [redacted:header]"],
    ["authorization: ab", "authorization: [redacted:header]"],
    ["Proxy-Authorization: ab", "Proxy-Authorization: [redacted:header]"],
    ["authorization = ab", "authorization = [redacted:header]"],
    ["authorization\t:\tab", "authorization\t:\t[redacted:header]"],
    ["Authorization: Basic ab", "Authorization: Basic [redacted:header]"],
    ["Authorization: bearer ab", "Authorization: bearer [redacted:header]"],
    ["Authorization: token ab", "Authorization: token [redacted:header]"],
    ["Authorization: digest ab", "Authorization: digest [redacted:header]"],
    ["Authorization: Negotiate ab", "Authorization: Negotiate [redacted:header]"],
    ["Authorization: ApiKey ab", "Authorization: ApiKey [redacted:header]"],
    ["Authorization: NTLM ab", "Authorization: NTLM [redacted:header]"],
    ["Authorization: OAuth ab", "Authorization: OAuth [redacted:header]"],
    ["Authorization: AWS4-HMAC-SHA256 ab", "Authorization: AWS4-HMAC-SHA256 [redacted:header]"],
    ["Authorization: a b c\nd", "Authorization: [redacted:header]\nd"],
    ["'Authorization: ab' c", "'Authorization: [redacted:header]' c"],
    ['"Authorization: ab" c', '"Authorization: [redacted:header]" c'],
    ["`Authorization: ab` c", "`Authorization: [redacted:header]` c"],
    ['{"Authorization": "ab"}', '{"Authorization": "[redacted:header]"}'],
    ["{'authorization': 'ab', c}", "{'authorization': '[redacted:header]', c}"],
    ["authorization: `ab` c", "authorization: `[redacted:header]` c"],
    ["Authorization: ab\\nc", "Authorization: [redacted:header]\\nc"],
    ["Authorization: ab\\rc", "Authorization: [redacted:header]\\rc"],
    ["Authorization: ab\\tc", "Authorization: [redacted:header]\\tc"],
    ['Authorization: ab\\"c', 'Authorization: [redacted:header]\\"c'],
    ["Authorization: a\\bc", "Authorization: [redacted:header]"],
    ['Authorization: a="b", c="d" e', "Authorization: [redacted:header]"],
    ["Authorization: a='b', c='d'", "Authorization: [redacted:header]"],
    ['Authorization: a=\\"b\\" c', "Authorization: [redacted:header]"],
    ["Cookie: ab", "Cookie: [redacted:header]"],
    ["Set-Cookie: a=b; c", "Set-Cookie: [redacted:header]"],
    ["cookie:ab", "cookie:[redacted:header]"],
    ["'Cookie: a=b' c", "'Cookie: [redacted:header]' c"],
    ['{"Cookie": "a=b"}', '{"Cookie": "[redacted:header]"}'],
    ['{"set-cookie": "a=b"}', '{"set-cookie": "[redacted:header]"}'],
    ['{\\"cookie\\": \\"a=b\\"}', '{\\"cookie\\": \\"[redacted:header]\\"}'],
    ["cookie: 'a=b'", "cookie: '[redacted:header]'"],
    ["cookie: `a.b-c=d`", "cookie: `[redacted:header]`"],
    ["cookie = 'a=b'", "cookie = '[redacted:header]'"],
    ['document.cookie="a=b"', 'document.cookie="[redacted:header]"'],
    ["authorization:  ab", "authorization:  [redacted:header]"],
    ["Authorization: Basic  ab", "Authorization: Basic  [redacted:header]"],
    ['{"Cookie":  "a=b"}', '{"Cookie":  "[redacted:header]"}'],
    ["cookie = 'abc=d'", "cookie = '[redacted:header]'"],
    ["Authorization: a\\\\bc d", "Authorization: [redacted:header]"],
    ["Authorization: ab [redacted:jwt]", "Authorization: [redacted:header]"],
    ["Authorization: [redacted:jwt] ab", "Authorization: [redacted:header]"],
    ["X-Api-Key: ab", "X-Api-Key: [redacted:header]"],
    ["x-auth-token: ab", "x-auth-token: [redacted:header]"],
    ["x-access-token:ab", "x-access-token:[redacted:header]"],
    ["X-Goog-Api-Key: ab", "X-Goog-Api-Key: [redacted:header]"],
    ["x-amz-security-token: ab", "x-amz-security-token: [redacted:header]"],
    ["X-Api-My-Key: ab", "X-Api-My-Key: [redacted:header]"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "authorization",
    "authorization:",
    "authorization: ",
    "Authorization: [redacted:jwt]",
    "myauthorization: ",
    "cookie",
    "cookies: ab",
    "cookie: ['a']",
    "cookie: 'ab'",
    'cookie: "ab"',
    "cookie = ab",
    "cookie = f('a=b')",
    "x-other-key-x: ab",
    "Cookie: [redacted:header]",
    "Authorization: [redacted:jwt],",
    "cookie:  ['a']",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("an address", () => {
  it.each([
    ["a://b:cd@e", "a://b:[redacted:url-password]@e"],
    ["a1://b:cd@e", "a1://b:[redacted:url-password]@e"],
    ["a://xxxxxxxxxxxxxxxx@e", "a://[redacted:url-token]@e"],
    ["http://:cd@e", "http://:[redacted:url-password]@e"],
    ["http://b:c@d@e", "http://b:[redacted:url-password]@e"],
    ["http://b:c/d@e", "http://b:[redacted:url-password]@e"],
    ["http://b:12345a/b@e", "http://b:[redacted:url-password]@e"],
    ["http://b:123456/b@e", "http://b:[redacted:url-password]@e"],
    ["a+b.c-d://e:f@[::1]", "a+b.c-d://e:[redacted:url-password]@[::1]"],
    ["http://b:c@1", "http://b:[redacted:url-password]@1"],
    ["x http://a:b@c y", "x http://a:[redacted:url-password]@c y"],
    ["http://xxxxxxxxxxxxxxxx@e", "http://[redacted:url-token]@e"],
    [
      "http://xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx@e",
      "http://[redacted:url-token]@e",
    ],
    ["/?sig=abcdefgh", "/?sig=[redacted:query]"],
    ["/?a=b&signature=abcdefgh c", "/?a=b&signature=[redacted:query] c"],
    ["/?x-amz-signature=abcdefgh&b", "/?x-amz-signature=[redacted:query]&b"],
    ["/?X-Amz-Security-Token=abcdefgh", "/?X-Amz-Security-Token=[redacted:query]"],
    ['/?code=abcdefgh"', '/?code=[redacted:query]"'],
    ["/?key=abcdefgh'", "/?key=[redacted:query]'"],
    ["/?auth=abcdefgh<", "/?auth=[redacted:query]<"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "http://b@e",
    "http://b:1/c@e",
    "http://b:12345?c@e",
    "http://b:1#c@e",
    "http://b:c",
    "http://b:c@-",
    "http://b:c @e",
    "http://xxxxxxxxxxxxxxx@e",
    "http://a/xxxxxxxxxxxxxxxx@e",
    "http://[redacted:url-token]@e",
    "/?sig=abcdefg",
    "/?sig=[redacted:jwt]",
    "/?xsig=abcdefgh",
    "sig=abcdefgh",
    "/?code=404",
    "://a:b@c",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a file of a client", () => {
  it.each([
    [
      "machine  abc  login  de  account  fg  password  hi",
      "machine  abc  login  de  account  fg  password  [redacted:netrc]",
    ],
    ["login  ab  password  cd", "login  ab  password  [redacted:netrc]"],
    ["machine a password == c1", "machine a password == [redacted:assignment]"],
    ["machine a password = c", "machine a password = [redacted:assignment]"],
    ["machine a login b password c", "machine a login b password [redacted:netrc]"],
    ["machine a password c", "machine a password [redacted:netrc]"],
    ["machine a\nlogin b\npassword c\nd", "machine a\nlogin b\npassword [redacted:netrc]\nd"],
    ["default login b password c", "default login b password [redacted:netrc]"],
    ["login b password c", "login b password [redacted:netrc]"],
    ["machine a account b password c", "machine a account b password [redacted:netrc]"],
    ["machine a login b account c password d", "machine a login b account c password [redacted:netrc]"],
    ["MACHINE a LOGIN b PASSWORD c", "MACHINE a LOGIN b PASSWORD [redacted:netrc]"],
    ["host:1:base:user:passwd", "host:1:base:user:[redacted:pgpass]"],
    ["a:1:b:c:d", "a:1:b:c:[redacted:pgpass]"],
    ["*:*:*:c:d", "*:*:*:c:[redacted:pgpass]"],
    ["  a:12345:b:c:d", "  a:12345:b:c:[redacted:pgpass]"],
    ["a\\:x:1:b:c:d", "a\\:x:1:b:c:[redacted:pgpass]"],
    ["x\na:1:b:c:d e\ny", "x\na:1:b:c:[redacted:pgpass] e\ny"],
    ['{"auth":"YWI6Y2Rl"}', '{"auth":"[redacted:registry]"}'],
    ['"auth" : "abcdefg1"', '"auth" : "[redacted:registry]"'],
    ['"auth": "abcd+efg"', '"auth": "[redacted:registry]"'],
    ['"auth": "abcd/efg=="', '"auth": "[redacted:registry]"'],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "machine a login b",
    "machine a login b\npasswords c",
    "login -b password c",
    "default password for x",
    "machine a password is c",
    "machine a password → c",
    "machine a password -> c",
    "a:x:b:c:d",
    "a:123456:b:c:d",
    "a:1:b:c",
    "x a:1:b:c:d",
    '"auth": "abcdefgh"',
    '"auth": "abc1"',
    '"auth": {}',
    "'auth': 'abcdefg1'",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a user and a password", () => {
  it.each([
    ["curl -u a:b c", "curl -u a:[redacted:user-option] c"],
    ["x -u  a:b", "x -u  a:[redacted:user-option]"],
    ['curl -u "a:\'b" c', 'curl -u "a:[redacted:user-option]" c'],
    ["curl -u 'a:b' c", "curl -u 'a:[redacted:user-option]' c"],
    ['curl -u "a:b c" d', 'curl -u "a:[redacted:user-option]" d'],
    ["curl --user a:b", "curl --user a:[redacted:user-option]"],
    ["curl --user=a:b", "curl --user=a:[redacted:user-option]"],
    ["curl --proxy-user a:b", "curl --proxy-user a:[redacted:user-option]"],
    ["curl -u\ta:b", "curl -u\ta:[redacted:user-option]"],
    ["-u a:b", "-u a:[redacted:user-option]"],
    ['x -u a:"b c" d', 'x -u a:"[redacted:user-option]" d'],
    ["curl -ua:b", "curl -ua:[redacted:user-option]"],
    ["curl -s -ua:b c", "curl -s -ua:[redacted:user-option] c"],
    ["curl -Ua:b c", "curl -Ua:[redacted:user-option] c"],
    ["curl -u 'a:b", "curl -u 'a:[redacted:user-option]"],
    ["curl -u 'a:b\nc", "curl -u 'a:[redacted:user-option]\nc"],
    ["curl -u 1000:b", "curl -u 1000:[redacted:user-option]"],
    ["curl -u 1:1a", "curl -u 1:[redacted:user-option]"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "x -u 1000:1000",
    "x -u 0:0 y",
    "x --user 1:2\n",
    "x -u a",
    "x -u 'a' b:c",
    "x-u a:b",
    "x -ua:b",
    "curl; -ua:b",
    "curl -u a:[redacted:user-option]",
    "curl -u a:",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a letter that stands for a password", () => {
  it.each([
    ["mysql -pab", "mysql -p[redacted:option]"],
    ["sshpass  -p ab", "sshpass  -p [redacted:option]"],
    ["docker  login -p ab", "docker  login -p [redacted:option]"],
    ["docker login -p  ab", "docker login -p  [redacted:option]"],
    ["redis-cli -a  ab", "redis-cli -a  [redacted:option]"],
    ["ldapsearch -w  ab", "ldapsearch -w  [redacted:option]"],
    ["curl -b  a=b", "curl -b  [redacted:option]"],
    ["curl -b abc=d", "curl -b [redacted:option]"],
    ["sqlcmd -S x -P ab", "sqlcmd -S x -P [redacted:option]"],
    ["curl -s -b a=b", "curl -s -b [redacted:option]"],
    ["echo  ab | sudo -S c", "echo  [redacted:option] | sudo -S c"],
    ["echo -n  ab | sudo -S c", "echo -n  [redacted:option] | sudo -S c"],
    ["identified with  xy  by 'ab'", "identified with  xy  by '[redacted:option]'"],
    ["mysql -u a -pab c", "mysql -u a -p[redacted:option] c"],
    ["mysqldump -pab", "mysqldump -p[redacted:option]"],
    ["mysqladmin -pab", "mysqladmin -p[redacted:option]"],
    ["mariadb -pab", "mariadb -p[redacted:option]"],
    ["mysql -p'a b' c", "mysql -p'[redacted:option]' c"],
    ['mysql -p"a b" c', 'mysql -p"[redacted:option]" c'],
    ["sshpass -p ab c", "sshpass -p [redacted:option] c"],
    ["sshpass -pab c", "sshpass -p[redacted:option] c"],
    ["sshpass -p 'a b' c", "sshpass -p '[redacted:option]' c"],
    ["docker login -p ab c", "docker login -p [redacted:option] c"],
    ["docker login -u a -p ab", "docker login -u a -p [redacted:option]"],
    ["podman login -p ab", "podman login -p [redacted:option]"],
    ["buildah login -p ab", "buildah login -p [redacted:option]"],
    ["helm registry login -p ab", "helm registry login -p [redacted:option]"],
    ["az login -u a -p ab", "az login -u a -p [redacted:option]"],
    ["oc login -p ab", "oc login -p [redacted:option]"],
    ["redis-cli -a ab c", "redis-cli -a [redacted:option] c"],
    ["redis-cli -h x -a ab", "redis-cli -h x -a [redacted:option]"],
    ["sqlcmd -P ab", "sqlcmd -P [redacted:option]"],
    ["zip -P ab c", "zip -P [redacted:option] c"],
    ["unzip -P ab c", "unzip -P [redacted:option] c"],
    ["zip -Pab c", "zip -P[redacted:option] c"],
    ["ldapsearch -w ab", "ldapsearch -w [redacted:option]"],
    ["ldapadd -x -w ab", "ldapadd -x -w [redacted:option]"],
    ["curl -b a=b c", "curl -b [redacted:option] c"],
    ["curl --cookie a=b", "curl --cookie [redacted:option]"],
    ["curl --cookie=a=b", "curl --cookie=[redacted:option]"],
    ["curl -b 'a=b; c=d' e", "curl -b '[redacted:option]' e"],
    ["echo ab | sudo -S c", "echo [redacted:option] | sudo -S c"],
    ["echo -n ab | sudo -S c", "echo -n [redacted:option] | sudo -S c"],
    ["echo -ne ab|sudo -S", "echo -ne [redacted:option]|sudo -S"],
    ["echo 'a b' | sudo -S c", "echo [redacted:option] | sudo -S c"],
    ['echo "a b" | sudo -kS c', "echo [redacted:option] | sudo -kS c"],
    ["echo ab | docker login --password-stdin", "echo [redacted:option] | docker login --password-stdin"],
    ["echo ab | gpg --passphrase-fd 0", "echo [redacted:option] | gpg --passphrase-fd 0"],
    ["echo ab | gpg --passphrase-fd=0", "echo [redacted:option] | gpg --passphrase-fd=0"],
    ["echo ab | openssl x -passin stdin", "echo [redacted:option] | openssl x -passin stdin"],
    ["echo ab | openssl x -passin=stdin", "echo [redacted:option] | openssl x -passin=stdin"],
    ["echo ab | sudo -u a -S c", "echo [redacted:option] | sudo -u a -S c"],
    ["identified by 'ab'", "identified by '[redacted:option]'"],
    ['IDENTIFIED BY "ab"', 'IDENTIFIED BY "[redacted:option]"'],
    ["identified with x by 'ab'", "identified with x by '[redacted:option]'"],
    ["identified  by  'a b'", "identified  by  '[redacted:option]'"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "mysql -p db",
    "mysql -p",
    "mysql; -pab",
    "mysqlx -pab",
    "ssh -p 22",
    "docker run -p 80:80",
    "docker login; -p ab",
    "docker -p ab",
    "redis-cli; -a ab",
    "zip -r ab",
    "curl -b ab",
    "curl --cookie-jar a=b",
    "echo ab | cat",
    "echo ab | sudo cat",
    "echo $ab | sudo -S c",
    'echo "$ab" | sudo -S c',
    "echo [redacted:option] | sudo -S c",
    "echo ab; sudo -S c",
    "identified by ab",
    "identified by `ab`",
    "identified 'ab'",
    "mysql -p'[redacted:option]'",
    "mysql -p[redacted:option]",
    "sshpass -p [redacted:option]",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});
