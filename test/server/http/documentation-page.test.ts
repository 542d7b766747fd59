import { createHash } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { routeOf } from "../../../src/core/capabilities/address.ts";
import { CAPABILITIES } from "../../../src/core/capabilities/registry.ts";
import { openPage } from "../../support/page.ts";
import { PORT, serve, TOKEN } from "../../support/server.ts";

const ORIGIN = `http://127.0.0.1:${PORT}`;
const server = serve(async () => ({ ok: true, value: {} }));

async function readPage(): Promise<{ html: string; headers: Headers }> {
  const response = await server.get("/docs");
  expect(response.status).toBe(200);
  return { html: await response.text(), headers: response.headers };
}

/** The page as a browser shows it that has read our description, or another one. */
async function showPage({ hash = "", description }: { hash?: string; description?: object } = {}) {
  const { html } = await readPage();
  const page = openPage(html, {
    origin: ORIGIN,
    hash,
    fetch: async (address) =>
      description === undefined ? server.get(new URL(address).pathname) : Response.json(description),
  });
  await vi.waitFor(() => expect(page.the("output").textContent).toMatch(/routes$/));
  return page;
}

describe("the page of the routes", () => {
  it("is given to a browser that has the token as its password, and to nobody without it", async () => {
    const basic = (password: string) => ({ authorization: `Basic ${btoa(`me:${password}`)}` });
    expect((await server.raw("/docs", { headers: basic(TOKEN) })).status).toBe(200);
    expect((await server.raw("/docs", { headers: basic("another") })).status).toBe(401);
    const refused = await server.raw("/docs");
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      'Basic realm="majordomus", charset="UTF-8"',
    ]);
  });

  it("may run its own script and nothing else, and asks nobody but this server", async () => {
    const { html, headers } = await readPage();
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = new Map(
      (headers.get("content-security-policy") ?? "").split("; ").map((rule) => {
        const [name = "", ...values] = rule.split(" ");
        return [name, values.join(" ")];
      }),
    );
    const hashOf = (name: string): string => {
      const [, text = ""] = new RegExp(`<${name}>([\\s\\S]*)</${name}>`, "u").exec(html) ?? [];
      return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    };
    expect(Object.fromEntries(policy)).toEqual({
      "default-src": "'none'",
      "script-src": hashOf("script"),
      "style-src": hashOf("style"),
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
    expect(html).not.toMatch(/https?:\/\/|\ssrc=|\son\w+=|\sstyle=|@import|url\(/);
  });

  it("shows every route, with what it takes, how it is asked and what it answers", async () => {
    const page = await showPage();
    expect(page.fetched).toEqual([`${ORIGIN}/openapi.json`]);
    const shown = page.the("main").all("details");
    const paths = shown.map((details) => details.all("code")[0]?.textContent);
    expect(paths).toEqual(expect.arrayContaining(["/", ...CAPABILITIES.map(routeOf)]));
    expect(page.the("output").textContent).toBe(`${shown.length} routes`);
    const closed = shown.find(({ id }) => id === "lifecycle.closed");
    expect(closed?.textContent).toMatch(/GET.*lifecycle\/closed.*windowinteger/);
    expect(closed?.textContent).toContain(
      `curl -H "Authorization: Bearer $TOKEN" ${ORIGIN}/api/v1/lifecycle/closed`,
    );
    const added = shown.find(({ id }) => id === "question.add");
    expect(added?.textContent).toMatch(/POST.*Bodyquestionstring, required/);
    const live = shown.find(({ id }) => id === "live");
    expect(live?.textContent).toContain(`curl ${ORIGIN}/api/v1/live`);
  });

  it("opens the route that its address names", async () => {
    const page = await showPage({ hash: "#question.add" });
    const open = page
      .the("main")
      .all("details")
      .filter((details) => details.open);
    expect(open.map(({ id, seen }) => [id, seen])).toEqual([["question.add", true]]);
  });

  it("shows what has every word that is typed, and how many", async () => {
    const page = await showPage();
    page.the("input").type("  POST question ");
    const shown = page
      .the("main")
      .all("details")
      .filter(({ hidden }) => !hidden);
    expect(shown.length).toBeGreaterThan(1);
    for (const details of shown) expect(details.textContent).toMatch(/^POST .*question/);
    expect(page.the("output").textContent).toMatch(new RegExp(`^${shown.length} of \\d+ routes$`));
    const sections = page.the("main").all("section");
    const groups = sections.filter((section) => section.all("h2").length > 0);
    expect(groups.filter(({ hidden }) => !hidden).map((group) => group.all("h2")[0]?.textContent)).toEqual([
      "question",
    ]);
    page.the("input").type("");
    expect(page.the("output").textContent).toMatch(/^\d+ routes$/);
  });

  it("takes what a description says for text, whatever it says", async () => {
    const evil = '</script><img src=x onerror="alert(1)">';
    const answers = { "200": { content: { "application/json": { schema: { description: evil } } } } };
    const parameters = [{ name: evil, in: evil, schema: { enum: [evil] } }];
    const get = {
      operationId: evil,
      summary: evil,
      description: evil,
      tags: [evil],
      parameters,
      responses: answers,
    };
    const page = await showPage({
      description: { info: { title: evil, version: evil }, paths: { [`/${evil}`]: { get } } },
    });
    expect(page.the("h1").textContent).toBe(`${evil} ${evil}`);
    expect(page.the("main").all("img")).toEqual([]);
    expect(page.the("main").textContent).toContain(evil);
  });

  it("says why there is nothing to see", async () => {
    const { html } = await readPage();
    const page = openPage(html, { origin: ORIGIN, fetch: async () => new Response("", { status: 429 }) });
    await vi.waitFor(() =>
      expect(page.the("main").textContent).toBe("The description cannot be read: the server says 429"),
    );
  });
});
