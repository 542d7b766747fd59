/** What is known of one provider, before anything of it has been seen here (providers.md 1, records.md 16). */
export interface ProviderFacts {
  id: string;
  title: string;
  /** Other names under which a command line, a policy or an older record may mean it. */
  aliases: readonly string[];
  /** Its own names of the events that say something about a session, in the order of a session. */
  lifecycle: readonly string[];
  /** How a prompt's text could be had. */
  promptCapture: string;
  /** Where its hooks are declared. */
  hookConfig?: string;
  /** Where its client reads MCP servers from. */
  clientConfig?: string;
  /** Its hooks can be installed, and what a hook prints reaches the model. */
  adapted: boolean;
}

const CLAUDE_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "Stop",
  "StopFailure",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "SessionEnd",
  "Notification",
] as const;

/** Every provider whose events are understood, and `generic` for those whose events only look alike. */
export const PROVIDERS: readonly ProviderFacts[] = [
  {
    id: "claude-code",
    title: "Claude Code",
    aliases: ["claude"],
    lifecycle: CLAUDE_EVENTS,
    promptCapture: "hook UserPromptSubmit (prompt)",
    hookConfig: ".claude/settings.json",
    clientConfig: ".mcp.json",
    adapted: true,
  },
  {
    id: "codex",
    title: "OpenAI Codex CLI",
    aliases: ["codex-cli"],
    lifecycle: [
      "SessionStart",
      "UserPromptSubmit",
      "Stop",
      "Interrupt",
      "SubagentStart",
      "SubagentStop",
      "PreCompact",
      "PostCompact",
      "SessionEnd",
    ],
    promptCapture: "hook UserPromptSubmit (prompt)",
    hookConfig: ".codex/hooks.json",
    clientConfig: ".codex/config.toml",
    adapted: false,
  },
  {
    id: "gemini-cli",
    title: "Gemini CLI",
    aliases: ["gemini"],
    lifecycle: ["SessionStart", "BeforeAgent", "AfterAgent", "PreCompress", "SessionEnd", "Notification"],
    promptCapture: "hook BeforeAgent (prompt)",
    hookConfig: ".gemini/settings.json",
    clientConfig: ".gemini/settings.json",
    adapted: false,
  },
  {
    id: "copilot-cli",
    title: "GitHub Copilot CLI",
    aliases: ["copilot"],
    lifecycle: [
      "sessionStart",
      "userPromptSubmitted",
      "agentStop",
      "subagentStart",
      "subagentStop",
      "preCompact",
      "sessionEnd",
      "notification",
    ],
    promptCapture: "hook userPromptSubmitted (prompt)",
    hookConfig: ".github/hooks/*.json",
    adapted: false,
  },
  {
    id: "qwen-code",
    title: "Qwen Code",
    aliases: ["qwen"],
    lifecycle: CLAUDE_EVENTS,
    promptCapture: "hook UserPromptSubmit (submitted_prompt)",
    hookConfig: ".qwen/settings.json",
    clientConfig: ".qwen/settings.json",
    adapted: false,
  },
  {
    id: "cursor",
    title: "Cursor",
    aliases: ["cursor-agent"],
    lifecycle: [
      "sessionStart",
      "beforeSubmitPrompt",
      "stop",
      "subagentStart",
      "subagentStop",
      "preCompact",
      "sessionEnd",
    ],
    promptCapture: "hook beforeSubmitPrompt (prompt)",
    hookConfig: ".cursor/hooks.json",
    clientConfig: ".cursor/mcp.json",
    adapted: false,
  },
  {
    id: "opencode",
    title: "OpenCode",
    aliases: ["opencode-ai"],
    lifecycle: [
      "session.created",
      "chat.message",
      "session.idle",
      "experimental.session.compacting",
      "session.compacted",
      "dispose",
    ],
    promptCapture: "plugin chat.message (parts)",
    hookConfig: ".opencode/plugin/",
    clientConfig: "opencode.json",
    adapted: false,
  },
  {
    id: "factory-droid",
    title: "Factory Droid",
    aliases: ["droid", "factory"],
    lifecycle: [
      "SessionStart",
      "UserPromptSubmit",
      "Stop",
      "SubagentStop",
      "PreCompact",
      "SessionEnd",
      "Notification",
    ],
    promptCapture: "hook UserPromptSubmit (prompt)",
    hookConfig: ".factory/settings.json",
    clientConfig: ".factory/mcp.json",
    adapted: false,
  },
  {
    id: "kiro",
    title: "Kiro CLI",
    aliases: ["kiro-cli"],
    lifecycle: [
      "agentSpawn",
      "userPromptSubmit",
      "stop",
      "SessionStart",
      "Stop",
      "PreCompact",
      "PostCompact",
    ],
    promptCapture: "hook userPromptSubmit (prompt)",
    hookConfig: ".kiro/hooks/*.json",
    clientConfig: ".kiro/settings/mcp.json",
    adapted: false,
  },
  {
    id: "windsurf",
    title: "Windsurf",
    aliases: ["devin-desktop"],
    lifecycle: ["pre_user_prompt", "post_cascade_response"],
    promptCapture: "hook pre_user_prompt (tool_info.user_prompt)",
    hookConfig: ".windsurf/hooks.json",
    adapted: false,
  },
  {
    id: "generic",
    title: "Any other provider",
    aliases: [],
    lifecycle: [],
    promptCapture: "none",
    adapted: false,
  },
];

/** The facts of a provider by its id or one of its other names. */
export function findProvider(name: string): ProviderFacts | undefined {
  return PROVIDERS.find((provider) => provider.id === name || provider.aliases.includes(name));
}

/** A provider's id for any of its names; an unknown name is kept as it is. */
export function providerIdOf(name: string): string {
  return findProvider(name)?.id ?? name;
}

export function isProviderId(id: string): boolean {
  return PROVIDERS.some((provider) => provider.id === id);
}
