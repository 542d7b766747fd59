import { describe, expect, it } from "vitest";
import { runCapability } from "../../../src/core/capabilities/run.ts";
import { newPlace } from "../../support/checkout.ts";
import { newServer } from "../../support/server.ts";

interface Failure {
  error: { code: string; message: string; subject?: string; remedy?: string };
}

async function failureOf(response: Response): Promise<Failure["error"]> {
  return ((await response.json()) as Failure).error;
}

describe("what a capability's route answers", () => {
  it("is what `run` answers, for a reading without an input", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    const response = await newServer(place).get("/api/v1/lifecycle/episodes");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(
      await runCapability(await place.checkout(), "lifecycle.episodes", {}),
    );
  });

  it("takes a reading's input from the query, by the types of its schema", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("end", "one");
    const response = await newServer(place).get("/api/v1/history/query?limit=1&event=session.started");
    expect(response.status).toBe(200);
    const { lines } = (await response.json()) as { lines: { event: string }[] };
    expect(lines.map(({ event }) => event)).toEqual(["session.started"]);
  });

  it("stands where the capability says, and not under its id as well", async () => {
    const server = newServer(await newPlace());
    expect((await server.get("/api/v1/continuity")).status).toBe(200);
    expect((await server.get("/api/v1/continuity/state")).status).toBe(404);
  });

  it("writes on POST, and stamps the episode that is named", async () => {
    const place = await newPlace();
    await place.fire("start", "one");
    await place.fire("start", "two");
    const server = newServer(place);
    const { episodes } = (await (await server.get("/api/v1/lifecycle/episodes")).json()) as {
      episodes: { session_id: string; standing: string }[];
    };
    const other = episodes.find(({ standing }) => standing === "open")?.session_id ?? "";
    const written = await server.post(
      "/api/v1/question/add",
      { question: "Which way?" },
      { "majordomus-episode": other },
    );
    expect(written.status).toBe(200);
    const { lines } = (await (await server.get("/api/v1/history/query?limit=1")).json()) as {
      lines: { event: string; session: string }[];
    };
    expect(lines).toMatchObject([{ event: "question.opened", session: other }]);
  });

  it("shows what was just written", async () => {
    const place = await newPlace();
    const server = newServer(place);
    await server.get("/api/v1/lifecycle/episodes");
    await server.post("/api/v1/session/start", { provider: "claude-code", provider_session: "three" });
    const { episodes } = (await (await server.get("/api/v1/lifecycle/episodes")).json()) as {
      episodes: unknown[];
    };
    expect(episodes).toHaveLength(1);
  });
});

describe("what a caller did wrong", () => {
  it("is one object that says what and where: an unknown field, a misfit, an absent record", async () => {
    const server = newServer(await newPlace());
    const unknown = await server.get("/api/v1/lifecycle/closed?windows=3");
    expect(unknown.status).toBe(400);
    expect(await failureOf(unknown)).toMatchObject({ code: "capability.input", subject: "lifecycle.closed" });
    const misfit = await server.get("/api/v1/lifecycle/closed?window=many");
    expect(misfit.status).toBe(400);
    expect((await failureOf(misfit)).subject).toBe("lifecycle.closed window");
    const absent = await server.get("/api/v1/session/show?session_id=s-20260904120000-ffff");
    expect(absent.status).toBe(404);
    expect(Object.keys(await failureOf(absent))).not.toContain("stack");
  });

  it("is an episode that is not open here", async () => {
    const server = newServer(await newPlace());
    const response = await server.post(
      "/api/v1/question/add",
      { question: "Which way?" },
      { "majordomus-episode": "s-20260904120000-ffff" },
    );
    expect(response.status).toBe(404);
    expect(await failureOf(response)).toMatchObject({ code: "episode.absent" });
  });

  it("is a method that the capability does not have: readings never write, acts are never read", async () => {
    const server = newServer(await newPlace());
    const posted = await server.post("/api/v1/lifecycle/episodes", {});
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
    const got = await server.get("/api/v1/question/add?question=Which%20way%3F");
    expect([got.status, got.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("is a route that nothing declares, a body that is not JSON, a body of another kind", async () => {
    const server = newServer(await newPlace());
    expect((await server.get("/api/v1/nothing/here")).status).toBe(404);
    expect((await server.post("/api/v1/question/add", "{")).status).toBe(400);
    const form = await server.post("/api/v1/question/add", "question=1", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(form.status).toBe(415);
  });

  it("is a body of ten megabytes", async () => {
    const server = newServer(await newPlace());
    const response = await server.post("/api/v1/question/add", { question: "x".repeat(10 * 1024 * 1024) });
    expect(response.status).toBe(413);
    expect((await failureOf(response)).message).toMatch(/4194304 bytes/);
  });
});

describe("who answers", () => {
  it("is told to probes without a token, and to the others with it", async () => {
    const place = await newPlace();
    const server = newServer(place);
    expect(await (await server.raw("/api/v1/live")).json()).toEqual({ live: true });
    expect(await (await server.raw("/api/v1/ready")).json()).toEqual({ ready: true });
    expect((await server.raw("/")).status).toBe(401);
    expect(await (await server.get("/")).json()).toMatchObject({
      name: "majordomus",
      root: place.root,
      leaseholder: true,
    });
  });

  it("is not ready when the lease is another's", async () => {
    const server = newServer(await newPlace());
    server.state.leaseholder = false;
    const response = await server.raw("/api/v1/ready");
    expect([response.status, await response.json()]).toEqual([503, { ready: false }]);
  });
});
