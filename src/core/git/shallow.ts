import { join } from "node:path";
import { readGitFile } from "./git-file.ts";
import type { Repository } from "./repository.ts";

/** Whether this clone's history is cut somewhere. git keeps the list in the file `shallow`; an empty one cuts nothing. */
export function isShallow(repository: Pick<Repository, "commonDir">): boolean {
  return (readGitFile(join(repository.commonDir, "shallow")) ?? "").trim() !== "";
}
