import { describe, expect, it } from "vitest";
import { TOKEN_SHAPES } from "../../../../src/core/capsule/redaction/token-shapes.ts";

const MIXED = "7Az".repeat(30);
const HEX = "07af".repeat(30);
const CAPITALS = "AZ07".repeat(30);

interface Shape {
  name: string;
  beginning: string;
  alphabet: string;
  /** How many characters follow at least; where `exact`, no more either. */
  least: number;
  exact?: boolean;
  /** Whether a letter or a digit may stand before it, or makes another beginning. */
  inside?: boolean;
}

const shape = (
  name: string,
  least: number,
  alphabet: string,
  beginnings: readonly string[],
  more: Pick<Shape, "exact" | "inside"> = {},
): Shape[] => beginnings.map((beginning) => ({ name, beginning, alphabet, least, ...more }));

const GITLAB = "pat ptt dt rt rtr cbt imt ft agent soat oas ffct wt".split(" ");
const AWS = "A3TX A3T7 ABIA ACCA AGPA AIDA AIPA ANPA ANVA AROA ASIA".split(" ");

const SHAPES: readonly Shape[] = [
  ...shape("gitlab-token", 16, MIXED, [...GITLAB.map((kind) => `gl${kind}-`), "glpat-_.=-"]),
  ...shape("npm-token", 20, MIXED, ["npm_"]),
  ...shape("pypi-token", 16, MIXED, ["pypi-"]),
  ...shape("rubygems-token", 20, MIXED, ["rubygems_"]),
  ...shape("docker-token", 16, MIXED, ["dckr_pat_", "dckr_oauth_"]),
  ...shape("aws-key-id", 16, CAPITALS, AWS, { exact: true }),
  ...shape("google-token", 20, MIXED, ["ya29.", "GOCSPX-", "1//0"]),
  ...shape("slack-token", 10, MIXED, ["xoxb-", "xoxp-", "xapp-", "xoxo-"]),
  ...shape("slack-token", 10, MIXED, ["xoxe.xoxp-"], { inside: true }),
  ...shape("slack-webhook", 16, MIXED, ["hooks.slack.com/services/", "hooks.slack.com/workflows/"], {
    inside: true,
  }),
  ...shape("stripe-key", 16, MIXED, ["whsec_", "rk_live_", "sk_test_", "pk_live_"]),
  ...shape("azure-key", 20, MIXED, ["AccountKey=", "SharedAccessKey=", "Shared AccessKey=", "accountkey="]),
  ...shape("azure-secret", 30, MIXED, ["abc8Q~", "a.~1Q~", "_-Z0Q~"]),
  ...shape("sendgrid-key", 16, MIXED, ["SG.abcdefghijklmn-p."]),
  ...shape("twilio-key", 32, HEX, ["SK"], { exact: true }),
  ...shape("digitalocean-token", 32, HEX, ["dop_v1_", "doo_v1_"]),
  ...shape("huggingface-token", 20, MIXED, ["hf_", "api_org_"]),
  ...shape("vault-token", 16, MIXED, ["hvs.", "hvb."]),
  ...shape("databricks-token", 32, HEX, ["dapi"]),
  ...shape("shopify-token", 16, HEX, ["shpat_", "shpss_"]),
  ...shape("telegram-token", 35, MIXED, ["1234567890:"], { exact: true }),
  ...shape("telegram-token", 35, MIXED, ["12345678:"], { exact: true, inside: true }),
  ...shape("atlassian-token", 24, MIXED, ["ATATT", "ATCTt", "ATBB3"]),
  ...shape("linear-key", 20, MIXED, ["lin_api_", "lin_oauth_"]),
  ...shape("notion-token", 32, MIXED, ["ntn_", "secret_"]),
  ...shape("model-key", 24, MIXED, ["gsk_", "r8_", "fw_", "xai-", "pplx-", "csk-"]),
  ...shape("together-key", 24, MIXED, ["tgp_v1_"]),
  ...shape("age-key", 20, CAPITALS, ["AGE-SECRET-KEY-1", "age-secret-key-1"]),
  ...shape("jwt", 4, MIXED, ["eyJabcd-_78.eyJ"]),
  ...shape("bearer-token", 8, MIXED, ["bearer ", "Bearer\t \t"]),
  ...shape("basic-auth", 8, MIXED, ["basic ", "Basic\t "]),
];

/** What the pattern of a name takes of a text. */
function taken(name: string, text: string): string | undefined {
  const pattern = TOKEN_SHAPES.find((one) => one.name === name)?.pattern;
  if (pattern === undefined) throw new Error(`no shape is called ${name}`);
  return pattern.exec(text)?.[0];
}

/** What is taken of a token: its beginning as well, unless that stays because it is an address or a name. */
const own = ({ name, beginning }: Shape): string =>
  name === "slack-webhook" || name === "azure-key" ? "" : beginning;

describe("a token of a service", () => {
  it("has a shape here for each that is told of", () => {
    expect(TOKEN_SHAPES.map(({ name }) => name)).toEqual([...new Set(SHAPES.map(({ name }) => name))]);
  });

  it.each(SHAPES)("$name begins with $beginning and has at least $least characters more", (known) => {
    const { name, beginning, alphabet, least, exact } = known;
    const used = beginning.endsWith("_.=-") ? 4 : 0;
    const token = alphabet.slice(0, least - used);
    expect(taken(name, `see ${beginning}${token}, and`)).toBe(own(known) + token);
    expect(taken(name, `see ${beginning}${token.slice(0, -1)} and`)).toBeUndefined();
    const longer = alphabet.slice(0, least + 20);
    expect(taken(name, `${beginning}${longer}`)).toBe(exact ? undefined : own(known) + longer);
  });

  it.each(SHAPES.filter(({ inside }) => !inside))("$name, $beginning, goes on from no word", (known) => {
    const { name, beginning, alphabet, least } = known;
    for (const before of ["x", "Z", "7"]) {
      expect(taken(name, `${before}${beginning}${alphabet.slice(0, least)}`)).toBeUndefined();
    }
  });

  it.each([
    ["gitlab-token", "glpat-a.b_c=d-E7Az7Az7Az"],
    ["pypi-token", "pypi-a_b-c7Az7Az7Az7Az7A"],
    ["docker-token", "dckr_pat_a_b-c7Az7Az7Az7Az7A"],
    ["google-token", "ya29.a_b-c.d7Az7Az7Az7Az7Az7A"],
    ["slack-token", "xoxb-1-2-a-B7Az7A"],
    ["stripe-key", "whsec_a+b/c=d7Az7Az7Az"],
    ["azure-secret", "abc8Q~a_b~c.d-e7Az7Az7Az7Az7Az7Az7Az7Az"],
    ["sendgrid-key", "SG.a_b-c7Az7Az7Az7A.a_b-c7Az7Az7Az7A"],
    ["vault-token", "hvs.a_b-c7Az7Az7Az7A"],
    ["shopify-token", "shpat_0123456789abcdefABCDEF"],
    ["telegram-token", "123456789:a_b-c7Az7Az7Az7Az7Az7Az7Az7Az7Az7Az"],
    ["atlassian-token", "ATATT3xa_b-c=7Az7Az7Az7Az7Az7Az"],
    ["together-key", "tgp_v1_a_b-c7Az7Az7Az7Az7Az7Az7Az"],
    ["jwt", "eyJhbGci_-78.eyJz_-78.a_b-c"],
    ["jwt", "eyJhbGciOiJ9.eyJzdWIi.a.b.c"],
    ["jwt", "eyJhbGciOiJ9.eyJzdWIi"],
    ["bearer-token", "bearer a.b_c~d+e/f=g-7"],
    ["basic-auth", "basic a+b/c_d-7A=="],
    ["basic-auth", "basic abcdefgh="],
  ])("%s is taken whole: %s", (name, token) => {
    expect(taken(name, `"${token}"`)).toBe(token);
  });

  it.each([
    ["slack-webhook", "https://hooks.slack.com/services/T00/B00/a+b_c-dEfGh", "T00/B00/a+b_c-dEfGh"],
    ["azure-key", "AccountKey=a+b/c7Az7Az7Az7Az7Az7==;x", "a+b/c7Az7Az7Az7Az7Az7=="],
  ])("%s leaves what stands before it: %s", (name, text, token) => {
    expect(taken(name, text)).toBe(token);
  });

  it.each([
    ["gitlab-token", "global-state-management-library"],
    ["gitlab-token", "glass-morphism-of-the-redesign"],
    ["gitlab-token", "glpatient-records-of-the-clinic"],
    ["pypi-token", "pypi-something-long-package_name"],
    ["npm-token", "npm_lifecycle_event_of_the_script"],
    ["slack-token", "xoxo-hugs-and-kisses"],
    ["slack-token", "xox7-hugs-and-kisses"],
    ["model-key", "fw-something-long-hyphenated-name-here"],
    ["model-key", "xai-grok-fast-reasoning-latest-model"],
    ["huggingface-token", "hf_transformers_model_loading"],
    ["notion-token", "secret_santa_of_the_whole_department"],
    ["azure-secret", "abcd8Q~7Az7Az7Az7Az7Az7Az7Az7Az7Az7Az"],
    ["azure-secret", "abcxQ~7Az7Az7Az7Az7Az7Az7Az7Az7Az7Az7A"],
    ["telegram-token", "1234567:7Az7Az7Az7Az7Az7Az7Az7Az7Az7Az7Az7A"],
    ["telegram-token", "12345678901:7Az7Az7Az7Az7Az7Az7Az7Az7Az7Az7Az7A"],
    ["sendgrid-key", "SG.7Az7Az7Az7Az7A.7Az7Az7Az7Az7Az7Az"],
    ["jwt", "eyJabcdefg.eyJabcd"],
    ["slack-webhook", "hooks.slack.com/others/7Az7Az7Az7Az7Az7Az"],
    ["azure-key", "TheAccountKey=7Az7Az7Az7Az7Az7Az7Az7Az"],
    ["atlassian-token", "ATTACHMENT_TYPE_IDENTIFIER_FOR_EVERYTHING"],
    ["bearer-token", "bearer authentication schemes"],
    ["bearer-token", "bearer\n7Az7Az7Az7Az"],
    ["basic-auth", "basic understanding of x86"],
    ["basic-auth", "basic\n7Az7Az7Az7Az"],
    ["basic-auth", "basic: 7Az7Az7Az7Az"],
  ])("%s is none of the words %s", (name, text) => {
    expect(taken(name, text)).toBeUndefined();
  });
});
