import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Lab, listening } from "./lab.ts";

const PORT = "8097";
const BINARIES = join(process.env["MAJORDOMUS_PROVIDERS"] ?? "", "node_modules", ".bin");
let lab: Lab;
let stub: ChildProcess;
let requests: string;

beforeEach(async () => {
  lab = await Lab.open();
  requests = join(lab.home, "tools.log");
  writeFileSync(requests, "");
  stub = spawn(process.execPath, [join(import.meta.dirname, "stub-tools.mjs")], {
    env: { STUB_PORT: PORT, STUB_REQLOG: requests, STUB_TOOL: "majordomus_lifecycle_episodes" },
    stdio: "ignore",
  });
  await listening(PORT);
});
afterEach(async () => {
  stub.kill();
  await lab.close();
});

/** Runs a tool to its end, with a model that asks for one of our tools. */
function run(name: string, arguments_: string[], more: Record<string, string>): string {
  const { status, stdout, stderr } = spawnSync(join(BINARIES, name), arguments_, {
    cwd: lab.root,
    env: { ...lab.environment, ...more },
    encoding: "utf8",
    input: "",
    timeout: 90_000,
  });
  expect(status, stdout + stderr).toBe(0);
  return readFileSync(requests, "utf8");
}

it("Codex starts our server, and what a tool answers reaches the model", () => {
  const home = join(lab.home, ".codex");
  mkdirSync(home);
  const settings = [
    'model = "stub"',
    'model_provider = "stub"',
    "[model_providers.stub]",
    'name = "stub"',
    `base_url = "http://127.0.0.1:${PORT}/v1"`,
    'wire_api = "responses"',
    'env_key = "OPENAI_API_KEY"',
    "",
  ];
  writeFileSync(join(home, "config.toml"), settings.join("\n"));
  const ours = lab.majordomus("mcp", "install", "codex");
  // What is not there in ten seconds is not offered to the model, and a busy machine takes longer.
  appendFileSync(join(home, "config.toml"), `${ours}startup_timeout_sec = 60\n`);
  const told = run("codex", ["exec", "--dangerously-bypass-approvals-and-sandbox", "call the tool"], {
    OPENAI_API_KEY: "sk-stub",
  });
  expect(told).toMatch(/function_call_output.{0,300}sessions-open/);
});

it("Gemini CLI starts our server, and what a tool answers reaches the model", () => {
  lab.majordomus("mcp", "install", "gemini");
  const home = join(lab.home, ".gemini");
  mkdirSync(home);
  writeFileSync(join(home, "trustedFolders.json"), JSON.stringify({ [lab.root]: "TRUST_FOLDER" }));
  const auth = { security: { auth: { selectedType: "gemini-api-key" } } };
  writeFileSync(join(home, "settings.json"), JSON.stringify(auth));
  const told = run("gemini", ["--approval-mode", "yolo", "-p", "call the tool"], {
    GEMINI_API_KEY: "sk-stub",
    GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${PORT}`,
  });
  expect(told).toMatch(/"functionResponse":.{0,400}sessions-open/);
});
