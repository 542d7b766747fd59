import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EXIT, MajordomusError, errnoOf } from "../base/error.ts";

const MAXIMUM_LINKS = 40;

/**
 * The one spelling of a path: symbolic links resolved, also where the path or its end does not exist yet.
 *
 * @throws MajordomusError 15 when links lead in a circle; the errno error when a directory is closed to us.
 */
export function canonicalPath(path: string): string {
  return canonical(resolve(path), MAXIMUM_LINKS);
}

function canonical(path: string, linksLeft: number): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ELOOP" || linksLeft === 0) throw circle(path, error);
    if (errno !== "ENOENT" && errno !== "ENOTDIR") throw error;
  }
  const above = dirname(path);
  if (above === path) return path;
  const parent = canonical(above, linksLeft);
  // A dangling link stands for the place it aims at, not for the place where it lies.
  const target = danglingTarget(path);
  if (target !== undefined) return canonical(resolve(parent, target), linksLeft - 1);
  return join(parent, basename(path));
}

function danglingTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function circle(path: string, cause: unknown): MajordomusError {
  return new MajordomusError({
    code: "path.circular",
    exit: EXIT.refused,
    subject: path,
    message: "its symbolic links lead in a circle",
    cause,
  });
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Joins a path from a file or a provider to `root`.
 *
 * @throws MajordomusError 15 when it is absolute, has a NUL, or leaves `root` by `..` or by a symbolic link.
 */
export function containedPath(root: string, relativePath: string): string {
  const refuse = (message: string): MajordomusError =>
    new MajordomusError({ code: "path.escapes", exit: EXIT.refused, subject: relativePath, message });
  if (relativePath.includes("\0")) throw refuse("a path may not contain a NUL");
  if (isAbsolute(relativePath)) throw refuse("an absolute path where a relative one is needed");
  const path = resolve(root, relativePath);
  if (!isInside(resolve(root), path)) throw refuse(`leads out of ${root}`);
  if (!isInside(canonicalPath(root), canonicalPath(path))) {
    throw refuse(`leads out of ${root} by a symbolic link`);
  }
  return path;
}
