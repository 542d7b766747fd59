import { join } from "node:path";
import { isPresent } from "../fs/read.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where an installation of the lifecycle lies, and whether a test's lever diverts its state elsewhere. */
export interface InstallBase {
  /** What the memory root, the marker and the extension are relative to. */
  base: string;
  /** `AIGENT_STATE_HOME_DIR` is set: the state of the real repository is neither read nor written. */
  diverted: boolean;
}

function given(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === "" ? undefined : value;
}

/** The install root (decisions.md 3): `AIGENT_ROOT`, else the top level of the work tree. */
export function installRootOf(environment: Environment, workTree: string): string {
  return given(environment["AIGENT_ROOT"]) ?? workTree;
}

/** Where the marker and the memory tree of an install root are looked for (capsules.md 10.1). */
export function diversionOf(environment: Environment, installRoot: string): InstallBase {
  const diversion = given(environment["AIGENT_STATE_HOME_DIR"]);
  return diversion === undefined
    ? { base: installRoot, diverted: false }
    : { base: diversion, diverted: true };
}

/** The same for the install root of a work tree. */
export function installBaseOf(environment: Environment, workTree: string): InstallBase {
  return diversionOf(environment, installRootOf(environment, workTree));
}

/** The install marker, which may declare where memory lies. */
export const MARKER_PATH = ".aigent/state.json";

/** Where memory lies when nothing declares it, in the order in which the places are tried. */
export const DEFAULT_ROOTS = ["vault/memory", "memory"] as const;

/**
 * Whether an install has a memory tree or declares one; looks at names alone, for the hooks that fire at
 * every turn. Whether the tree can be used is for `resolveMemoryRoot` to say.
 */
export function mayHaveMemory({ base }: InstallBase): boolean {
  return [MARKER_PATH, ...DEFAULT_ROOTS].some((path) => isPresent(join(base, path)));
}
