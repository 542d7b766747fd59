/** As a record that was derived from an answer words what it answers (records.md 12.1). */
const ANSWERED = /^Answers the question "(?<question>.*)" resolved under task .* in episode \S+\.$/u;

/**
 * The question that a record answers. Its title is the answer alone, which says little by itself.
 *
 * @returns undefined for what was not derived from an answered question
 */
export function answeredQuestion(description: string): string | undefined {
  return ANSWERED.exec(description)?.groups?.["question"];
}
