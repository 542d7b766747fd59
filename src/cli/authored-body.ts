import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT, MajordomusError } from "../core/base/error.ts";
import type { CommandContext } from "./declaration.ts";
import { usageError } from "./failure.ts";
import { readBody } from "./stdin.ts";

/** How long an open pipe may stay silent before it counts as one without a body, in milliseconds. */
const BODY_PATIENCE = 3_000;

export interface BodyRequest {
  /** The file's stem in the editor. */
  name: string;
  /** What the editor begins with. */
  template: string;
}

function typeInEditor(editor: string, { name, template }: BodyRequest): string {
  const directory = mkdtempSync(join(tmpdir(), "majordomus-"));
  const path = join(directory, `${name}.md`);
  try {
    writeFileSync(path, template, { mode: 0o600 });
    // The variable may hold arguments of its own, as in `code --wait`.
    const outcome = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit" });
    if (outcome.status !== 0) {
      throw new MajordomusError({
        code: "editor.failed",
        exit: EXIT.finding,
        subject: editor,
        message: "ended without success; nothing was written",
      });
    }
    return readFileSync(path, "utf8");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The body of a record: standard input's, or, for a person at a terminal, what the editor of `$VISUAL` or
 * `$EDITOR` leaves.
 *
 * @returns undefined when a pipe stayed open and silent.
 * @throws MajordomusError 2 at a terminal without an editor, or for a body that is too large or not UTF-8.
 */
export async function authoredBody(
  context: CommandContext,
  request: BodyRequest,
): Promise<string | undefined> {
  const stdin = context.stdin();
  if (stdin.isTTY !== true) return readBody(stdin, { patienceMilliseconds: BODY_PATIENCE });
  const { environment } = context.surroundings;
  const editor = [environment["VISUAL"], environment["EDITOR"]].find((text) => (text ?? "").trim() !== "");
  if (editor !== undefined) return typeInEditor(editor, request);
  throw usageError({
    subject: "standard input",
    message: "is a terminal, and neither $VISUAL nor $EDITOR is set",
    remedy: "give the body on standard input, or use --derive",
  });
}
