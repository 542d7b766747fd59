import type { CommandDeclaration } from "../declaration.ts";
import { capabilityCommands } from "./capability.ts";
import { capsuleCommands } from "./capsule.ts";
import { completionCommands } from "./completion.ts";
import { consoleCommands } from "./console.ts";
import { contextCommands } from "./context.ts";
import { continuityCommands } from "./continuity.ts";
import { decisionQuestionCommands } from "./decisions-questions.ts";
import { doctorCommands } from "./doctor.ts";
import { gateCommands } from "./gate.ts";
import { helpCommands } from "./help.ts";
import { historyCommands } from "./history.ts";
import { hookCommands } from "./hook.ts";
import { hooksCommands } from "./hooks.ts";
import { initCommands } from "./init.ts";
import { knowledgeCommands } from "./knowledge.ts";
import { lifecycleExtensionCommands } from "./lifecycle-extension.ts";
import { lifecycleCommands } from "./lifecycle.ts";
import { mcpCommands } from "./mcp.ts";
import { memoryRootCommands } from "./memory-root.ts";
import { promptCommands } from "./prompt.ts";
import { recoverCommands } from "./recover.ts";
import { serveCommands } from "./serve.ts";
import { searchCommands } from "./search.ts";
import { resumeCommands } from "./resume.ts";
import { closedSessionCommands } from "./session-closed.ts";
import { openSessionCommands } from "./session-open.ts";
import { statusCommands } from "./status.ts";
import { statuslineCommands } from "./statusline.ts";
import { workCommands } from "./work.ts";

/** Every command of the program, in the order that help shows them. */
export const COMMANDS: readonly CommandDeclaration[] = [
  ...statusCommands,
  ...consoleCommands,
  ...historyCommands,
  ...searchCommands,
  ...lifecycleCommands,
  ...openSessionCommands,
  ...closedSessionCommands,
  ...contextCommands,
  ...workCommands,
  ...decisionQuestionCommands,
  ...gateCommands,
  ...doctorCommands,
  ...knowledgeCommands,
  ...continuityCommands,
  ...capsuleCommands,
  ...resumeCommands,
  ...recoverCommands,
  ...promptCommands,
  ...initCommands,
  ...hooksCommands,
  ...serveCommands,
  ...mcpCommands,
  ...completionCommands,
  ...memoryRootCommands,
  ...lifecycleExtensionCommands,
  ...statuslineCommands,
  ...capabilityCommands,
  ...hookCommands,
  ...helpCommands,
];
