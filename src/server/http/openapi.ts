import { VERSION } from "../../core/base/version.ts";
import { routeOf } from "../../core/capabilities/address.ts";
import type { Capability } from "../../core/capabilities/capability.ts";
import { describeCapability } from "../../core/capabilities/describe.ts";
import { CAPABILITIES } from "../../core/capabilities/registry.ts";

interface ObjectSchema {
  properties?: Readonly<Record<string, object>>;
  required?: readonly string[];
}

const JSON_TYPE = "application/json";

function jsonOf(schema: unknown): object {
  return { content: { [JSON_TYPE]: { schema } } };
}

/** What a failure of every route is (the same members as `--json` shows). */
const FAILURE = {
  type: "object",
  properties: {
    error: {
      type: "object",
      properties: {
        code: { type: "string" },
        message: { type: "string" },
        subject: { type: "string" },
        remedy: { type: "string" },
      },
      required: ["code", "message"],
    },
  },
  required: ["error"],
};

const FAILURES = { description: "What went wrong, where, and what to do", ...jsonOf(FAILURE) };

const EPISODE_HEADER = {
  name: "Majordomus-Episode",
  in: "header",
  required: false,
  description: "The open episode on whose behalf this is asked; the checkout's current one when absent",
  schema: { type: "string" },
};

/** The schema without the name of its dialect: a description of OpenAPI 3.1 has that at its top. */
function embedded(schema: unknown): unknown {
  const { $schema: _, ...rest } = schema as Readonly<Record<string, unknown>>;
  return rest;
}

function queryParameters(input: unknown): object[] {
  const { properties = {}, required = [] } = input as ObjectSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    style: "form",
    explode: true,
    schema,
  }));
}

function operationOf(capability: Capability): object {
  const { id, title, effect } = capability;
  const { input, output } = describeCapability(capability);
  const taken =
    effect === "read"
      ? { parameters: [...queryParameters(input), EPISODE_HEADER] }
      : { parameters: [EPISODE_HEADER], requestBody: { required: true, ...jsonOf(embedded(input)) } };
  return {
    operationId: id,
    summary: title,
    description: `The same as \`majordomus run ${id}\`.`,
    tags: [id.split(".", 1)[0] ?? id],
    ...taken,
    responses: { "200": { description: title, ...jsonOf(embedded(output)) }, default: FAILURES },
  };
}

/** Routes of the server itself, which say who answers. */
const OWN_ROUTES = {
  "/": {
    get: {
      operationId: "index",
      summary: "Who answers, for which checkout, and whether it still holds the lease",
      tags: ["server"],
      responses: {
        "200": {
          description: "The server",
          ...jsonOf({
            type: "object",
            properties: {
              name: { const: "majordomus" },
              version: { type: "string" },
              root: { type: "string" },
              leaseholder: { type: "boolean" },
              pid: { type: "integer" },
              port: { type: "integer" },
              started_at: { type: "string" },
            },
            required: ["name", "version", "root", "leaseholder", "pid", "port", "started_at"],
          }),
        },
        default: FAILURES,
      },
    },
  },
  "/api/v1/live": probe("live", "Whether the server lives"),
  "/api/v1/ready": probe("ready", "Whether the server holds the checkout's lease; 503 when it does not"),
};

function probe(name: string, summary: string): object {
  const schema = { type: "object", properties: { [name]: { type: "boolean" } }, required: [name] };
  return {
    get: {
      operationId: name,
      summary,
      tags: ["server"],
      security: [],
      responses: { "200": { description: summary, ...jsonOf(schema) } },
    },
  };
}

let described: object | undefined;

/** The description of every route (OpenAPI 3.1), made from the registry once. */
export function describeRoutes(): object {
  described ??= {
    openapi: "3.1.0",
    info: {
      title: "Majordomus",
      version: VERSION,
      description: "Every read and every act of Majordomus, for the checkout whose server this is.",
    },
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "The token in this checkout's lease" },
      },
    },
    paths: {
      ...OWN_ROUTES,
      ...Object.fromEntries(
        CAPABILITIES.map((capability) => [
          routeOf(capability),
          { [capability.effect === "read" ? "get" : "post"]: operationOf(capability) },
        ]),
      ),
    },
  };
  return described;
}
