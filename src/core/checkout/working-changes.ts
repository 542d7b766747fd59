import { relative, sep } from "node:path";
import type { Checkout } from "./checkout.ts";

/**
 * The working tree's changes that say something about the work: not the records themselves, not what is
 * local to this machine, not what the policy declares as projected (records.md 3.5).
 */
export function workingChanges(
  checkout: Pick<Checkout, "root" | "layout" | "settings">,
  paths: readonly string[],
): string[] {
  const { layout, settings } = checkout;
  const inside = (directory: string): string => `${relative(checkout.root, directory).split(sep).join("/")}/`;
  const stores = [layout.local, layout.sessions, `${layout.repo}/knowledge`].map(inside);
  const targets = new Set((settings.policy.projections ?? []).map((projection) => projection.target));
  return paths.filter(
    (path) => !targets.has(path) && !stores.some((store) => path.startsWith(store) || `${path}/` === store),
  );
}
