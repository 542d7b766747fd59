import { describe, expect, it } from "vitest";
import { describeCapabilities } from "../../src/cli/actions/describe-capabilities.ts";
import { COMMANDS } from "../../src/cli/commands/table.ts";
import { routeOf, toolOf } from "../../src/core/capabilities/address.ts";
import { describeCapability } from "../../src/core/capabilities/describe.ts";
import { locateCapability } from "../../src/core/capabilities/locate.ts";
import { CAPABILITIES } from "../../src/core/capabilities/registry.ts";
import { describeRoutes } from "../../src/server/http/openapi.ts";
import { listResources, listTemplates, RESOURCES } from "../../src/server/mcp/resources.ts";
import { EPISODE_ARGUMENT, listTools } from "../../src/server/mcp/tools.ts";
import { serve } from "../support/server.ts";

/** Routes that say who answers, and how; everything else is a capability's. */
const OWN_ROUTES = ["/", "/api/v1/live", "/api/v1/ready", "/docs", "/mcp", "/openapi.json"];

interface Operation {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: { "application/json": { schema: { properties?: object } } } };
}
const { paths } = describeRoutes() as { paths: Record<string, Record<string, Operation>> };

interface Schema {
  type?: string;
  properties?: Record<string, object>;
  additionalProperties?: unknown;
}

const asked: string[] = [];
const server = serve(async (answered) => {
  asked.push(answered);
  return { ok: true, value: {} };
});

const methodOf = ({ effect }: { effect: string }): string => (effect === "read" ? "get" : "post");

describe.each(CAPABILITIES.map((capability) => [capability.id, capability] as const))(
  "%s",
  (id, capability) => {
    const { input, output } = describeCapability(capability) as { input: Schema; output: Schema };

    it("is declared so that every surface can show it", () => {
      expect(id).toMatch(/^[a-z]+(?:\.[a-z]+)*$/);
      expect(capability.title).toMatch(/^\S.{5,150}[^.\s]$/);
      expect([input.type, output.type]).toEqual(["object", "object"]);
      // A field that is misspelt is refused on every surface, never passed over.
      expect(input.additionalProperties).toBe(false);
      expect(Object.keys(input.properties ?? {})).not.toContain(EPISODE_ARGUMENT);
      if (capability.effect === "read") expect(capability.nature).toBeUndefined();
    });

    it("is on the command line", async () => {
      expect(COMMANDS.some(({ path }) => path.join(" ") === "run")).toBe(true);
      expect((await locateCapability(id)).id).toBe(id);
      expect(describeCapabilities().map((described) => described.id)).toContain(id);
    });

    it("is a tool of MCP with title, description, both schemas and all four hints", () => {
      const tool = listTools().find(({ name }) => name === toolOf(capability));
      expect(tool?.name).toMatch(/^majordomus(?:_[a-z]+)+$/);
      expect(tool?.title).toBe(capability.title);
      expect(tool?.description).toContain(`majordomus run ${id}`);
      expect(tool?.outputSchema).toEqual(output);
      const { [EPISODE_ARGUMENT]: episode, ...properties } = tool?.inputSchema.properties ?? {};
      expect(episode).toMatchObject({ type: "string" });
      expect(properties).toEqual(input.properties ?? {});
      const { title, ...hints } = tool?.annotations ?? {};
      expect(title).toBe(capability.title);
      expect(Object.keys(hints).toSorted()).toEqual([
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "readOnlyHint",
      ]);
      expect(hints.readOnlyHint).toBe(capability.effect === "read");
      if (capability.effect === "read") {
        expect(hints).toMatchObject({ destructiveHint: false, idempotentHint: true, openWorldHint: false });
      }
    });

    it("is a route, which answers it and nothing else", async () => {
      asked.length = 0;
      const path = routeOf(capability);
      const get = await server.get(path);
      const post = await server.post(path, {});
      expect([get.status, post.status]).toEqual(capability.effect === "read" ? [200, 405] : [405, 200]);
      expect(asked).toEqual([id]);
    });

    it("is described in the documentation of the routes", () => {
      const operation = paths[routeOf(capability)]?.[methodOf(capability)];
      expect(operation).toMatchObject({ operationId: id, summary: capability.title });
      const described =
        capability.effect === "read"
          ? operation?.parameters?.filter((parameter) => parameter.in === "query").map(({ name }) => name)
          : Object.keys(operation?.requestBody?.content["application/json"].schema.properties ?? {});
      expect(described).toEqual(Object.keys(input.properties ?? {}));
    });
  },
);

describe("what surfaces offer", () => {
  it("is what is declared: no tool, no route and no description beside it", () => {
    expect(listTools().map(({ name }) => name)).toEqual(CAPABILITIES.map(toolOf));
    const routes = CAPABILITIES.map(routeOf);
    expect([...server.application.routes].toSorted()).toEqual([...OWN_ROUTES, ...routes].toSorted());
    const described = OWN_ROUTES.filter((path) => path in paths);
    expect(Object.keys(paths).toSorted()).toEqual([...described, ...routes].toSorted());
    for (const [path, methods] of Object.entries(paths)) expect(Object.keys(methods), path).toHaveLength(1);
  });

  it("has one name for each: ids, tools and routes", () => {
    for (const nameOf of [toolOf, routeOf, ({ id }: { id: string }) => id]) {
      const names = CAPABILITIES.map(nameOf);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it("has resources that stand for readings", async () => {
    for (const { id } of RESOURCES) expect((await locateCapability(id)).effect).toBe("read");
    expect(listResources().map(({ uri }) => uri)).toEqual([
      "majordomus://continuity",
      "majordomus://lifecycle/episodes",
      "majordomus://lifecycle/recovery",
      "majordomus://lifecycle/runtime",
      "majordomus://lifecycle/providers",
      "majordomus://lifecycle/closed",
      "majordomus://server",
    ]);
    expect(listTemplates().map(({ uriTemplate }) => uriTemplate)).toEqual([
      "majordomus://session/{id}",
      "majordomus://knowledge/{id}",
      "majordomus://document/{+path}",
    ]);
  });
});
