/** What other people's rules call a credential, by the name of the rule; the text itself is never repeated. */
export interface LintFinding {
  text: string;
  rule: string;
}

/** Obeys comments in the text that it judges: whoever wrote the text would decide. */
const OBEYS_COMMENTS = "@secretlint/secretlint-rule-filter-comments";

/**
 * Judges texts by secretlint's recommended rules. Loaded only here, and only when something is published: the
 * rules are a megabyte.
 *
 * @returns the first finding, or undefined.
 */
export async function lintSecrets(texts: Iterable<string>): Promise<LintFinding | undefined> {
  const { lintSource, creator } = await import("./secretlint.ts");
  const rules = creator.rules
    .filter(({ meta }) => meta.id !== OBEYS_COMMENTS)
    .map((rule) => ({ id: rule.meta.id, rule, options: {} }));
  for (const text of texts) {
    const { messages } = await lintSource({
      source: { filePath: "/record.txt", content: text, ext: ".txt", contentType: "text" },
      options: { noPhysicFilePath: true, maskSecrets: true, config: { rules } },
    });
    const [first] = messages;
    if (first !== undefined) return { text, rule: first.messageId };
  }
  return undefined;
}
