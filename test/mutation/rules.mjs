/**
 * The rules that decide, each with its sources and with the tests that must notice every change of them. Only
 * these tests run for a mutant: what no test of a rule itself notices does not count as noticed.
 */
export const RULES = {
  resolution: {
    sources: ["core/labels/resolution.ts"],
    tests: ["core/labels/resolution.test.ts"],
  },
  labels: {
    sources: [
      "core/labels/divergence.ts",
      "core/labels/freshness.ts",
      "core/labels/scope.ts",
      "core/labels/standing.ts",
    ],
    tests: [
      "core/labels/divergence.test.ts",
      "core/labels/freshness.test.ts",
      "core/labels/scope.test.ts",
      "core/labels/standing.test.ts",
    ],
  },
  keys: {
    sources: ["core/records/session-key.ts", "core/records/record-name.ts"],
    tests: ["core/records/session-key.test.ts", "core/records/record-name.test.ts"],
  },
  envelope: {
    sources: ["core/episode/envelope.ts"],
    tests: ["core/episode/envelope.test.ts"],
  },
  episodes: {
    sources: ["core/episode/plan-stranded.ts", "core/episode/plan-duplicates.ts"],
    tests: ["core/episode/plan-stranded.test.ts", "core/episode/plan-duplicates.test.ts"],
  },
  leftovers: {
    sources: [
      "core/episode/plan-orphans.ts",
      "core/episode/plan-litter.ts",
      "core/episode/plan-locks.ts",
      "core/episode/plan-recovery.ts",
    ],
    tests: [
      "core/episode/plan-orphans.test.ts",
      "core/episode/plan-locks.test.ts",
      "core/episode/plan-recovery.test.ts",
    ],
  },
  vocabulary: {
    sources: ["core/ledger/vocabulary.ts", "core/ledger/line.ts"],
    tests: ["core/ledger/vocabulary.test.ts", "core/ledger/line.test.ts"],
  },
  text: {
    sources: ["core/text/inert.ts", "core/text/authored.ts", "core/text/clip-bytes.ts"],
    tests: ["core/text/inert.test.ts", "core/text/authored.test.ts", "core/text/clip-bytes.test.ts"],
  },
  secrets: {
    sources: ["core/text/credentials.ts", "core/text/portability.ts"],
    tests: ["core/text/credentials.test.ts", "core/text/portability.test.ts"],
  },
  tokens: {
    sources: ["core/capsule/redaction/token-shapes.ts"],
    tests: ["core/capsule/redaction/token-shapes.test.ts"],
  },
  expressions: {
    sources: ["core/capsule/redaction/code-values.ts"],
    tests: ["core/capsule/redaction/code-values.test.ts", "core/capsule/redaction/readable.test.ts"],
  },
  named: {
    sources: [
      "core/capsule/redaction/secret-words.ts",
      "core/capsule/redaction/separators.ts",
      "core/capsule/redaction/named-secrets.ts",
    ],
    tests: ["core/capsule/redaction/named-secrets.test.ts"],
  },
  values: {
    sources: ["core/capsule/redaction/values.ts"],
    tests: ["core/capsule/redaction/values.test.ts", "core/capsule/redaction/named-secrets.test.ts"],
  },
  written: {
    sources: ["core/capsule/redaction/written-out.ts", "core/capsule/redaction/markup.ts"],
    tests: ["core/capsule/redaction/written-forms.test.ts", "core/capsule/redaction/markup.test.ts"],
  },
  clients: {
    sources: ["core/capsule/redaction/client-secrets.ts"],
    tests: ["core/capsule/redaction/client-secrets.test.ts"],
  },
  locks: {
    sources: ["core/fs/lock-standing.ts"],
    tests: ["core/fs/lock-standing.test.ts", "core/fs/lock.test.ts", "core/episode/plan-locks.test.ts"],
  },
};
