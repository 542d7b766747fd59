import { describe, expect, it } from "vitest";
import { redactCredentials } from "../../../../src/core/capsule/redaction/redact.ts";

describe("an element", () => {
  it.each([
    ["<password>ab</password>", "<password>[redacted:assignment]</password>"],
    ["<Password>ab</Password>", "<Password>[redacted:assignment]</Password>"],
    ["<db.password>ab</db.password>", "<db.password>[redacted:assignment]</db.password>"],
    ["<x:token>ab</x:token>", "<x:token>[redacted:assignment]</x:token>"],
    ["<my-secret>a b</my-secret>", "<my-secret>[redacted:assignment]</my-secret>"],
    ["<api_key>ab</api_key>", "<api_key>[redacted:assignment]</api_key>"],
    ['<password a="b">ab</password>', '<password a="b">[redacted:assignment]</password>'],
    ["<password\n a='b'>ab</password>", "<password\n a='b'>[redacted:assignment]</password>"],
    ["<password>\n  ab\n</password>", "<password>\n  [redacted:assignment]\n</password>"],
    ["<password><![CDATA[a<b]]></password>", "<password>[redacted:assignment]</password>"],
    ["<password><![CDATA[ab]]></password>", "<password>[redacted:assignment]</password>"],
    ["<password><value>ab</value></password>", "<password><value>[redacted:assignment]</value></password>"],
    [
      "<password><string>ab</string></password>",
      "<password><string>[redacted:assignment]</string></password>",
    ],
    ["<userPass>ab</userPass>", "<userPass>[redacted:assignment]</userPass>"],
    [
      "<a><token>ab</token><b>c</b><secret>de</secret></a>",
      "<a><token>[redacted:assignment]</token><b>c</b><secret>[redacted:assignment]</secret></a>",
    ],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "<password></password>",
    "<password> </password>",
    "<password/>",
    "<password>ab",
    "<password>ab<b>",
    "<passwords>ab</passwords>",
    "<tokenizer>ab</tokenizer>",
    "<branch-key>ab</branch-key>",
    "<password>string</password>",
    "<password>${PASSWORD}</password>",
    "<password>[redacted:jwt]</password>",
    "<token_type>ab</token_type>",
    "Map<Token, Secret> a</x>",
    "<1password>ab</1password>",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("an attribute that names one", () => {
  it.each([
    ['<a key="token" value="ab"/>', '<a key="token" value="[redacted:assignment]"/>'],
    ["<a name='token' value='ab'/>", "<a name='token' value='[redacted:assignment]'/>"],
    ['<a id="token" value="ab">', '<a id="token" value="[redacted:assignment]">'],
    ['<a property="token" value="ab">', '<a property="token" value="[redacted:assignment]">'],
    ['<input type="password" value="ab">', '<input type="password" value="[redacted:assignment]">'],
    ['<a KEY = "token" VALUE = "ab"/>', '<a KEY = "token" VALUE = "[redacted:assignment]"/>'],
    ['<a value="a b" key="my token"/>', '<a value="[redacted:assignment]" key="my token"/>'],
    ['<a key="token" x="y" default="ab"/>', '<a key="token" x="y" default="[redacted:assignment]"/>'],
    ['<meta name="csrf-token" content="ab">', '<meta name="csrf-token" content="[redacted:assignment]">'],
    ['<a key="db:token" value="it\'s"/>', '<a key="db:token" value="[redacted:assignment]"/>'],
    [
      '<a key="token" value="ab" default="cd"/>',
      '<a key="token" value="[redacted:assignment]" default="[redacted:assignment]"/>',
    ],
    ['<p name="token">ab</p>', '<p name="token">[redacted:assignment]</p>'],
    ["<p key='token'>ab</p>", "<p key='token'>[redacted:assignment]</p>"],
    ['<p name="token"><value>ab</value></p>', '<p name="token"><value>[redacted:assignment]</value></p>'],
    [
      '<p name="token" value="ab">cd</p>',
      '<p name="token" value="[redacted:assignment]">[redacted:assignment]</p>',
    ],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    '<a key="x" value="ab"/>',
    '<a key="token" value=""/>',
    '<a key="token" other="ab"/>',
    '<a href="token" value="ab"/>',
    '<a key="token" value="[redacted:jwt]"/>',
    '<a key="tokens" value="ab"/>',
    '<p name="token">a b</p>',
    '<p name="password">Password</p>',
    '<p name="token">db_password</p>',
    '<p name="token"></p>',
    '<a key="branch-key" value="ab"/>',
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("an element beside the one that names it", () => {
  it.each([
    ["<key>Token</key><string>ab</string>", "<key>Token</key><string>[redacted:assignment]</string>"],
    ["<key>Token</key>\n\t<data>ab</data>", "<key>Token</key>\n\t<data>[redacted:assignment]</data>"],
    ["<dt>Token</dt><dd>ab</dd>", "<dt>Token</dt><dd>[redacted:assignment]</dd>"],
    ['<td>Token</td><td class="x">ab</td>', '<td>Token</td><td class="x">[redacted:assignment]</td>'],
    ["<th>Token</th><td>ab</td>", "<th>Token</th><td>[redacted:assignment]</td>"],
    ["<name>token</name><value>ab</value>", "<name>token</name><value>[redacted:assignment]</value>"],
    ["<b>Token</b> <span>ab</span>", "<b>Token</b> <span>[redacted:assignment]</span>"],
    ["<b>Token:</b> <code>ab</code>", "<b>Token:</b> [redacted:assignment]"],
    ["<td> my token : </td><td>ab</td>", "<td> my token : [redacted:assignment]"],
    ["<td>Token</td><td><code>ab</code></td>", "<td>Token</td><td><code>[redacted:assignment]</code></td>"],
    ["<td>Token</td><td><b>ab</b></td>", "<td>Token</td><td><b>[redacted:assignment]</b></td>"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "<key>Name</key><string>ab</string>",
    "<key>Token</key><true/>",
    "<key>Token</key><other>ab</other>",
    "<key>Token</key>x<string>ab</string>",
    "<td>Token</td><td>a b</td>",
    "<td>Token</td><td>Secret</td>",
    "<td>Tokens</td><td>ab</td>",
    "<td>a token, or</td><td>ab</td>",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("an entry that names what another has", () => {
  it.each([
    ["- name: TOKEN\n  value: ab", "- name: TOKEN\n  value: [redacted:assignment]"],
    ["- name: \"TOKEN\"\n  value: 'a b'", "- name: \"TOKEN\"\n  value: '[redacted:assignment]'"],
    [
      "- name: my.TOKEN\n  other: x\n  value: ab",
      "- name: my.TOKEN\n  other: x\n  value: [redacted:assignment]",
    ],
    ['{"name":"TOKEN","value":"ab"}', '{"name":"TOKEN","value":"[redacted:assignment]"}'],
    ['{"key":"TOKEN","x":1,"value":"ab"}', '{"key":"TOKEN","x":1,"value":"[redacted:assignment]"}'],
    ["{ id: 'TOKEN', value: 'ab' }", "{ id: 'TOKEN', value: '[redacted:assignment]' }"],
    ["name=TOKEN, value=ab", "name=TOKEN, value=[redacted:assignment]"],
    ["name: TOKEN\nvalue: ab", "name: TOKEN\nvalue: [redacted:assignment]"],
    ["{'name': 'TOKEN', 'value': 'ab'}", "{'name': 'TOKEN', 'value': '[redacted:assignment]'}"],
    ['{"Name":"TOKEN","Value":"ab"}', '{"Name":"TOKEN","Value":"[redacted:assignment]"}'],
    [
      "- name: TOKEN\n  value: ab\n- name: SECRET\n  value: cd",
      "- name: TOKEN\n  value: [redacted:assignment]\n- name: SECRET\n  value: [redacted:assignment]",
    ],
    ["name: TOKEN\n\tvalue: ab", "name: TOKEN\n\tvalue: [redacted:assignment]"],
    ["x = [{name: 'TOKEN', value: ab}]", "x = [{name: 'TOKEN', value: [redacted:assignment]"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "- name: TOKEN\n  valueFrom: ab",
    "- name: TOKEN\n- value: ab",
    "- name: USER\n  value: ab",
    "- name: TOKENS\n  value: ab",
    '{"name":"TOKEN"},{"value":"ab"}',
    "- surname: TOKEN\n  value: ab",
    "- name: TOKEN\n  value: $TOKEN",
    "- name: TOKEN\n  value: {a: b}",
    "- name: TOKEN\n  value: [a]",
    "- name: TOKEN\n  value:\n",
    "{ key: n.key, value: ab }",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});

describe("a cell of a table", () => {
  it.each([
    ["| token | ab12cd |", "| token | [redacted:assignment] |"],
    ["|token|ab12cd|", "|token|[redacted:assignment]|"],
    ["| `token` | `ab12cd` |", "| `token` | `[redacted:assignment]` |"],
    ["| **token** | **ab12cd** |", "| **token** | **[redacted:assignment]** |"],
    ["| my.token_x | ab12cd | c |", "| my.token_x | [redacted:assignment] | c |"],
    ["| db_pass | ab12cd |", "| db_pass | [redacted:assignment] |"],
    ["| _token_ | ab12cd |", "| _token_ | [redacted:assignment] |"],
    ["| a | token | ab12cd |", "| a | token | [redacted:assignment] |"],
  ])("%j", (text, redacted) => {
    expect(redactCredentials(text)).toBe(redacted);
  });

  it.each([
    "| token | hunter |",
    "| token | ab1 |",
    "| token | sha256 |",
    "| tokens | ab12cd |",
    "| a token | ab12cd |",
    "| token | x | ab12cd |",
    "| branch_key | ab12cd |",
    "token | ab12cd |",
  ])("%j stays", (text) => {
    expect(redactCredentials(text)).toBe(text);
  });
});
