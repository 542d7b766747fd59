import { describe, expect, it } from "vitest";
import {
  findProvider,
  isProviderId,
  PROVIDERS,
  providerIdOf,
} from "../../../src/core/lifecycle/providers-table.ts";

describe("the table of providers", () => {
  it("gives every name to one provider", () => {
    const names = PROVIDERS.flatMap(({ id, aliases }) => [id, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("names no event of a provider twice", () => {
    for (const { id, lifecycle } of PROVIDERS) expect(new Set(lifecycle).size, id).toBe(lifecycle.length);
  });

  it("finds a provider by any of its names", () => {
    expect(findProvider("gemini")?.id).toBe("gemini-cli");
    expect(findProvider("claude-code")?.clientConfig).toBe(".mcp.json");
    expect(findProvider("made-up")).toBeUndefined();
    expect(providerIdOf("copilot")).toBe("copilot-cli");
    expect(providerIdOf("made-up")).toBe("made-up");
    expect(isProviderId("droid")).toBe(false);
    expect(isProviderId("factory-droid")).toBe(true);
  });

  it("has an installer for Claude Code alone", () => {
    expect(PROVIDERS.filter(({ adapted }) => adapted).map(({ id }) => id)).toEqual(["claude-code"]);
  });
});
