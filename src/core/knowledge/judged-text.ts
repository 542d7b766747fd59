import { EXIT, MajordomusError } from "../base/error.ts";
import { authoredText } from "../text/authored.ts";
import { clip } from "../text/inert.ts";
import { transcriptLineOf } from "./transcript.ts";

/**
 * What a person wrote about a record, as it is stored.
 *
 * @param what how messages call it: `evidence`
 * @throws MajordomusError when it is empty (with `emptyExit`), or has the shape of a conversation (10).
 */
export function judgedText(text: string, what: string, emptyExit: 2 | 10): string {
  const words = authoredText(text).trim();
  const refused = (message: string, remedy: string, exit: 2 | 10): MajordomusError =>
    new MajordomusError({ code: `knowledge.${what}`, exit, subject: what, message, remedy });
  if (words === "") throw refused("is empty", "say what a reader can check", emptyExit);
  const transcript = transcriptLineOf(words);
  if (transcript === undefined) return words;
  throw refused(
    `has the shape of a conversation: ${clip(transcript, 60)}`,
    "say it in your own words",
    EXIT.finding,
  );
}
