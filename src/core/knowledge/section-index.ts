import { join } from "node:path";
import { listDirectory, statEntry } from "../fs/read.ts";
import { readRecordText } from "../records/record-file.ts";

const MAXIMUM_DEPTH = 4;
const MAXIMUM_FILES = 5000;
const ID_LINE = /^(?:id|adr|number):[ \t]*["']?([^"'\r\n]*?)["']?[ \t]*$/gmu;
const HEAD_CHARACTERS = 4096;

/** What a section of the layer holds (rules, decisions about the design, the project), by the names that others use. */
export class SectionIndex {
  readonly #files: string[] = [];
  readonly #stems = new Set<string>();
  #ids: Set<string> | undefined;

  /** @param directory absolute; links in it are not followed. */
  constructor(directory: string) {
    this.#walk(directory, 0);
  }

  /** Whether the section holds anything but documents about itself. */
  get isEmpty(): boolean {
    return this.#stems.size === 0;
  }

  /** Whether a file is called so, begins with the name and a dash as numbered records do, or bears it as its id. */
  has(name: string): boolean {
    if (this.#stems.has(name)) return true;
    for (const stem of this.#stems) if (stem.startsWith(`${name}-`)) return true;
    this.#ids ??= this.#readIds();
    return this.#ids.has(name);
  }

  #walk(directory: string, depth: number): void {
    for (const name of listDirectory(directory)) {
      if (name.startsWith(".") || this.#files.length >= MAXIMUM_FILES) continue;
      const path = join(directory, name);
      const entry = statEntry(path);
      if (entry?.isDirectory() === true && depth < MAXIMUM_DEPTH) this.#walk(path, depth + 1);
      else if (entry?.isFile() === true && name !== "README.md") {
        this.#files.push(path);
        this.#stems.add(name.replace(/\.(?:md|ya?ml|json)$/u, ""));
      }
    }
  }

  #readIds(): Set<string> {
    const ids = new Set<string>();
    for (const path of this.#files) {
      const text = readRecordText(path);
      const head = text.ok ? text.value.slice(0, HEAD_CHARACTERS) : "";
      for (const [, id] of head.matchAll(ID_LINE)) if (id !== undefined && id !== "") ids.add(id);
    }
    return ids;
  }
}
