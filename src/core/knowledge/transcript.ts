/** How a line of a conversation begins (records.md 12.4). */
const TRANSCRIPT = /^(?:transcript|messages|assistant|completion|response)[: ]/;
/** In running text a wrapped line may begin with such a word; with a colon behind it nobody writes that. */
const SPEAKER = /^(?:transcript|messages|assistant|completion|response):/;

/** Whether one line, a title or a description, is of the shape of a conversation's record. */
export function isTranscriptLine(text: string): boolean {
  return TRANSCRIPT.test(text);
}

/** The first line of what a person wrote that is of that shape, or undefined. */
export function transcriptLineOf(text: string): string | undefined {
  return text.split(/\r?\n/).find(isTranscriptLine);
}

/** The first line of a record's body that quotes a speaker, or undefined. */
export function speakerLineOf(body: string): string | undefined {
  return body.split(/\r?\n/).find((line) => SPEAKER.test(line));
}
