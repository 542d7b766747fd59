import type { Capability } from "./capability.ts";

type Addressed = Pick<Capability, "id" | "address">;

/** Where HTTP answers a capability: `/api/v1/lifecycle/episodes`. */
export function routeOf({ id, address = id }: Addressed): string {
  return `/api/v1/${address.replaceAll(".", "/")}`;
}

/** The name of a capability as a tool of MCP: `majordomus_lifecycle_episodes`. */
export function toolOf({ id, address = id }: Addressed): string {
  return `majordomus_${address.replaceAll(".", "_")}`;
}
