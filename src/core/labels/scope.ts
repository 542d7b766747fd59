/** A scope path as it is compared: no `./`, no slash at its end; empty for the whole repository. */
function compared(path: string): string {
  const plain = path.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "");
  return plain === "." ? "" : plain;
}

function lies(path: string, directory: string): boolean {
  return directory === "" || path === directory || path.startsWith(`${directory}/`);
}

/**
 * Whether a path, relative to the repository, lies in a scope. Compared name by name: `lib` does not hold
 * `library/a.ts`. Entries that a person has written by hand, `./lib` or `lib/`, mean the same. A scope
 * without entries holds nothing.
 */
export function isInScope(path: string, scope: readonly string[]): boolean {
  const inner = compared(path);
  return scope.some((entry) => lies(inner, compared(entry)));
}
