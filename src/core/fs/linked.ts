import { EXIT, MajordomusError } from "../base/error.ts";
import { statEntry } from "./read.ts";

/**
 * Refuses directories of ours that are symbolic links: what is written, renamed and removed below one would happen
 * to whatever the link leads to (promise 25).
 *
 * @throws MajordomusError 15 naming the first that is one.
 */
export function refuseLinked(directories: readonly string[]): void {
  const linked = directories.find((path) => statEntry(path)?.isSymbolicLink() === true);
  if (linked === undefined) return;
  throw new MajordomusError({
    code: "layer.linked",
    exit: EXIT.refused,
    subject: linked,
    message: "is a symbolic link, and a layer is never followed through one",
    remedy: "put the directory itself there",
  });
}
