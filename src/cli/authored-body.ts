import { spawnSync } from "node:child_process";
import { EXIT, MajordomusError } from "../core/base/error.ts";
import { readRegularFile } from "../core/fs/read.ts";
import {
  beginTypedText,
  dropTypedText,
  earlierTypedTexts,
  keepTypedText,
} from "../core/journal/typed-text.ts";
import type { TypedText } from "../core/journal/typed-text.ts";
import { shellWord } from "../core/text/shell-word.ts";
import type { CommandContext } from "./declaration.ts";
import { foresee, usageError } from "./failure.ts";
import { bodyText, MAXIMUM_BODY_BYTES, readBody } from "./stdin.ts";

/** How long an open pipe may stay silent before it counts as one without a body, in milliseconds. */
const BODY_PATIENCE = 3_000;

export interface BodyRequest {
  /** The file's stem in the editor. */
  name: string;
  /** What the editor begins with. */
  template: string;
  /** The command that takes the body on standard input: how somebody goes on with a text that was refused. */
  command: string;
  /** Whether `--derive` would make one. @default false */
  derivable?: boolean;
}

function editorFailed(editor: string, message: string): MajordomusError {
  return new MajordomusError({ code: "editor.failed", exit: EXIT.finding, subject: editor, message });
}

/** What a person's Ctrl-C in the editor is to us: the editor's affair. */
const ignore = (): void => undefined;

function runEditor(editor: string, path: string): void {
  process.on("SIGINT", ignore);
  try {
    // The variable may hold arguments of its own, as in `code --wait`.
    const outcome = spawnSync("sh", ["-c", `${editor} "$1"`, "sh", path], { stdio: "inherit" });
    if (outcome.status !== 0) throw editorFailed(editor, "ended without success; nothing was written");
  } finally {
    process.off("SIGINT", ignore);
  }
}

function typedBody(editor: string, { path }: TypedText): string {
  runEditor(editor, path);
  const bytes = readRegularFile(path, { maximumBytes: MAXIMUM_BODY_BYTES });
  if (bytes.ok) return bodyText(bytes.value, "the text");
  throw editorFailed(editor, `left no text that can be taken: it ${bytes.error.message}`);
}

/** The refusal of a text, with the place where it waits and how to go on with it. */
function withKeptText(error: unknown, path: string, command: string): MajordomusError {
  const { code, exit, message, subject, remedy } = foresee(error);
  const kept = `the text is kept in ${path}: edit it there, then \`${command} < ${shellWord(path)}\``;
  return new MajordomusError({
    code,
    exit,
    message,
    ...(subject === undefined ? {} : { subject }),
    remedy: remedy === undefined ? kept : `${remedy}; ${kept}`,
    cause: error,
  });
}

async function throughEditor<Value>(
  { surroundings, output }: CommandContext,
  editor: string,
  { name, template, command }: BodyRequest,
  use: (body: string) => Promise<Value>,
): Promise<Value> {
  const { environment, clock } = surroundings;
  const [newest, ...others] = earlierTypedTexts(environment);
  if (newest !== undefined) {
    const more = others.length === 0 ? "" : `, and ${others.length} older beside it`;
    output.warn(`an earlier text that became no record waits in ${newest}${more}`);
  }
  const text = beginTypedText(environment, { name, beginning: template, milliseconds: clock.now() });
  try {
    const value = await use(typedBody(editor, text));
    dropTypedText(text);
    return value;
  } catch (error) {
    const path = keepTypedText(text);
    throw path === undefined ? error : withKeptText(error, path, command);
  }
}

/**
 * Does something with the body of a record: standard input's, or, for a person at a terminal, what the editor of
 * `$VISUAL` or `$EDITOR` leaves. What was typed is on disk until `use` is through; where that throws it stays there,
 * and the error says where and how to go on.
 *
 * @param use given undefined when a pipe stayed open and silent.
 * @throws MajordomusError 2 at a terminal without an editor, or for a body that is too large or not UTF-8; 10 when
 *   the editor fails; whatever `use` throws.
 */
export async function withAuthoredBody<Value>(
  context: CommandContext,
  request: BodyRequest,
  use: (body: string | undefined) => Promise<Value>,
): Promise<Value> {
  const stdin = context.stdin();
  if (stdin.isTTY !== true) return use(await readBody(stdin, { patienceMilliseconds: BODY_PATIENCE }));
  const { environment } = context.surroundings;
  const editor = [environment["VISUAL"], environment["EDITOR"]].find((text) => (text ?? "").trim() !== "");
  if (editor !== undefined) return throughEditor(context, editor, request, use);
  throw usageError({
    subject: "standard input",
    message: "is a terminal, and neither $VISUAL nor $EDITOR is set",
    remedy: `give the body on standard input${request.derivable === true ? ", or use --derive" : ""}`,
  });
}
