import { describe, expect, it } from "vitest";
import { detectProvider } from "../../src/hooks/detect.ts";
import { decodePayload } from "../../src/hooks/payload.ts";
import { samplePayloads } from "./support/fixtures.ts";

describe("deciding who sent a payload", () => {
  it("names the provider of every hook's sample from the payload alone", () => {
    for (const sample of samplePayloads().filter(({ role }) => role === "stdin")) {
      const payload = decodePayload(sample.bytes);
      if (!payload.ok) throw new Error(sample.file);
      expect(detectProvider(payload.value), sample.file).toEqual({
        provider: sample.provider,
        by: "payload",
      });
    }
  });

  it("names OpenCode where a plugin's call carries a session", () => {
    const named = samplePayloads()
      .filter(({ role }) => role === "plugin-call")
      .map(({ file, bytes }) => {
        const payload = decodePayload(bytes);
        return payload.ok ? `${file} ${detectProvider(payload.value).provider}` : file;
      });
    expect(named.filter((line) => !line.endsWith(" opencode"))).toEqual([
      "opencode/dispose.json generic",
      "opencode/plugin-init.json generic",
    ]);
  });

  it("believes the payload against the command line, and keeps both", () => {
    const payload = { session_id: "s", hook_event_name: "Stop", turn_id: "t" };
    expect(detectProvider(payload, "claude-code")).toEqual({
      provider: "codex",
      declared: "claude-code",
      by: "payload",
    });
    expect(detectProvider(payload, "codex-cli")).toEqual({ provider: "codex", by: "payload" });
  });

  it("believes the command line against the environment", () => {
    expect(detectProvider({}, "kiro", { CLAUDECODE: "1" })).toEqual({ provider: "kiro", by: "declared" });
    expect(detectProvider({}, "gemini")).toEqual({ provider: "gemini-cli", by: "declared" });
    expect(detectProvider({}, "made-up", { CLAUDECODE: "1" })).toEqual({
      provider: "generic",
      declared: "made-up",
      by: "declared",
    });
  });

  it("asks the environment last", () => {
    expect(detectProvider({}, undefined, { CLAUDECODE: "1" })).toEqual({
      provider: "claude-code",
      by: "environment",
    });
    expect(detectProvider({}, "", { COPILOT_CLI: "1", CLAUDE_PROJECT_DIR: "/x" }).provider).toBe(
      "copilot-cli",
    );
    expect(detectProvider({}, undefined, { CLAUDE_PROJECT_DIR: "/x", CLAUDECODE: "" })).toEqual({
      provider: "generic",
      by: "nothing",
    });
  });

  it("follows a path of either kind of slash", () => {
    const payload = {
      session_id: "s",
      hook_event_name: "Stop",
      transcript_path: "C:\\Users\\x\\.qwen\\a.jsonl",
    };
    expect(detectProvider(payload).provider).toBe("qwen-code");
  });
});
