import { describe, expect, it } from "vitest";
import { routeOf, toolOf } from "../../../src/core/capabilities/address.ts";

describe("where surfaces offer a capability", () => {
  it("follows from its id", () => {
    expect(routeOf({ id: "lifecycle.episodes" })).toBe("/api/v1/lifecycle/episodes");
    expect(toolOf({ id: "lifecycle.episodes" })).toBe("majordomus_lifecycle_episodes");
    expect(routeOf({ id: "doctor" })).toBe("/api/v1/doctor");
  });

  it("follows from its address where it has one", () => {
    expect(routeOf({ id: "continuity.state", address: "continuity" })).toBe("/api/v1/continuity");
    expect(toolOf({ id: "continuity.state", address: "continuity" })).toBe("majordomus_continuity");
  });
});
