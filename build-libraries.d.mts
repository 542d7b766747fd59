import type { Plugin } from "esbuild";

/** The plugin that bundles the libraries which draw, so that they load quickly. */
export function lightLibraries(root: string): Plugin;
