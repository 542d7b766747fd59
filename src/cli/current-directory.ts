/** The directory that we were started in, or where it was. */
export function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return process.env["PWD"] ?? "/";
  }
}
