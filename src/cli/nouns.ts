/** How help groups the first words of commands, in order. */
export const GROUPS = ["Look", "Act", "Set up", "For programs"] as const;

/** The first word of commands; its summary is shown where it has commands of its own. */
export interface Noun {
  name: string;
  group: (typeof GROUPS)[number];
  summary: string;
}

export const NOUNS: readonly Noun[] = [
  { name: "status", group: "Look", summary: "" },
  { name: "tui", group: "Look", summary: "" },
  { name: "history", group: "Look", summary: "" },
  {
    name: "lifecycle",
    group: "Look",
    summary: "what is open, degraded, running and closed, across all worktrees",
  },
  { name: "demo", group: "Look", summary: "" },
  { name: "prompt", group: "Look", summary: "texts for workers, filled from the state of the repository" },
  { name: "search", group: "Look", summary: "" },
  { name: "context", group: "Look", summary: "" },
  { name: "check", group: "Look", summary: "" },
  { name: "peers", group: "Look", summary: "" },
  { name: "start", group: "Act", summary: "" },
  { name: "checkpoint", group: "Act", summary: "" },
  { name: "decision", group: "Act", summary: "what was decided, why, and what was rejected" },
  { name: "question", group: "Act", summary: "what has to be answered before work can be completed" },
  { name: "handover", group: "Act", summary: "" },
  { name: "doctor", group: "Look", summary: "" },
  { name: "watch", group: "Look", summary: "" },
  { name: "finish", group: "Act", summary: "" },
  {
    name: "capsule",
    group: "Act",
    summary: "what a cleared conversation comes back from: selected with reasons, written, spent",
  },
  { name: "resume", group: "Act", summary: "" },
  { name: "session", group: "Act", summary: "the episode of this worktree, and the closed ones" },
  {
    name: "knowledge",
    group: "Act",
    summary: "what the repository learned: derived, awaiting review, verified",
  },
  {
    name: "continuity",
    group: "Act",
    summary: "handovers between machines: publish, sync, plan, resume, with nothing but a git remote",
  },
  { name: "recover", group: "Act", summary: "" },
  { name: "announce", group: "Act", summary: "" },
  { name: "init", group: "Set up", summary: "" },
  { name: "hooks", group: "Set up", summary: "hooks of AI coding tools: install, uninstall, status" },
  {
    name: "serve",
    group: "Set up",
    summary: "the shared server of this checkout: be it, ensure it, stop it",
  },
  {
    name: "mcp",
    group: "Set up",
    summary: "this checkout's answers inside AI tools: serve, install, uninstall",
  },
  { name: "completion", group: "Set up", summary: "" },
  { name: "memory-root", group: "For programs", summary: "" },
  { name: "lifecycle-extension", group: "For programs", summary: "" },
  { name: "statusline", group: "For programs", summary: "" },
  { name: "run", group: "For programs", summary: "" },
  { name: "capabilities", group: "For programs", summary: "" },
  { name: "hook", group: "For programs", summary: "" },
  { name: "help", group: "For programs", summary: "" },
];

export function nounOf(name: string): Noun {
  return NOUNS.find((noun) => noun.name === name) ?? { name, group: "For programs", summary: "" };
}
