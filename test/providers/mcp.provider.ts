import { afterEach, beforeEach, expect, it } from "vitest";
import { Lab } from "./lab.ts";

const TOOL = "mcp__majordomus__majordomus_lifecycle_episodes";
let lab: Lab;

beforeEach(async () => {
  lab = await Lab.open();
  lab.majordomus("mcp", "install", "claude-code");
});
afterEach(() => lab.close());

it("Claude Code starts our server, and what a tool answers reaches the model", () => {
  const { status, stdout } = lab.headless(
    "-p",
    "hello TOOL:mcp",
    "--mcp-config",
    ".mcp.json",
    "--allowedTools",
    TOOL,
    "--output-format",
    "json",
  );
  expect(status, stdout).toBe(0);
  expect(lab.requests()).toContain(`"name":"${TOOL}"`);
  expect(lab.requests()).toMatch(/tool_result[^}]*session_id/);
});
