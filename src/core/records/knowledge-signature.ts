import * as z from "zod/mini";
import type { Result } from "../base/result.ts";
import { failed, ok } from "../base/result.ts";
import { readText } from "../fs/read.ts";

/** The detached signature of a record, `<id>.sig` (decisions.md 4). */
export const KnowledgeSignature = z.strictObject({
  schema: z.literal("majordomus-knowledge-signature/v1"),
  public_key: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  signature: z.string().check(z.regex(/^[0-9a-f]{128}$/)),
});
export type KnowledgeSignature = z.infer<typeof KnowledgeSignature>;

const DOMAIN = "majordomus-knowledge/v1\n";
const MAXIMUM_BYTES = 4096;

/** What is signed: the domain, so that no other signature of the device can be taken for one, and the file's bytes. */
export function signedMessage(record: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(DOMAIN), record]);
}

/** The signature file's bytes. */
export function formatSignature(facts: Pick<KnowledgeSignature, "public_key" | "signature">): string {
  const { public_key, signature } = facts;
  const schema: KnowledgeSignature["schema"] = "majordomus-knowledge-signature/v1";
  return `${JSON.stringify({ schema, public_key, signature }, null, 2)}\n`;
}

/** Reads a signature file; undefined where there is none. Fails with the reason in one clause. */
export function readSignature(path: string): Result<KnowledgeSignature | undefined, string> {
  const text = readText(path, { maximumBytes: MAXIMUM_BYTES });
  if (!text.ok) return text.error.kind === "absent" ? ok(undefined) : failed(text.error.message);
  try {
    const parsed = KnowledgeSignature.safeParse(JSON.parse(text.value));
    return parsed.success ? ok(parsed.data) : failed("is not a signature of a knowledge record");
  } catch {
    return failed("is not JSON");
  }
}
