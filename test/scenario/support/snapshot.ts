import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** Everything below a directory: bytes, modes, links and times. */
export function snapshot(directory: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted()) {
    const path = join(directory, name);
    const facts = lstatSync(path);
    const content = facts.isSymbolicLink()
      ? readlinkSync(path)
      : facts.isFile()
        ? readFileSync(path, "base64")
        : "directory";
    found[name] = `${facts.mode.toString(8)} ${facts.isFile() ? facts.mtimeMs : ""} ${content}`;
  }
  return found;
}
