import { posix } from "node:path";
import { EXIT, MajordomusError } from "../base/error.ts";
import type { Checkout } from "../checkout/checkout.ts";
import { containedPath } from "../fs/contain.ts";
import { readRecordText } from "../records/record-file.ts";

/**
 * The text of a record that a ledger line names by its path in the layer. The path comes from a file, so it
 * may lead nowhere but to a Markdown file of the layer.
 *
 * @throws MajordomusError 2 for a path of another kind, 15 for one that leads out, 12 where nothing readable stands.
 */
export function readNamedRecord(checkout: Checkout, path: string): { path: string; text: string } {
  // A path that is not as short as it could be may climb out of the layer.
  if (!path.startsWith(".ai/") || !path.endsWith(".md") || posix.normalize(path) !== path) {
    throw new MajordomusError({
      code: "record.path",
      exit: EXIT.usage,
      subject: path,
      message: "is not the path of a record",
    });
  }
  const text = readRecordText(containedPath(checkout.root, path));
  if (text.ok) return { path, text: text.value };
  throw new MajordomusError({
    code: "record.absent",
    exit: EXIT.missing,
    subject: path,
    message: text.error,
  });
}
