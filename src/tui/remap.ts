import { reasonOf } from "../core/base/error.ts";
import { graphemesOf } from "./cells.ts";
import { KEYS } from "./keys.ts";
import type { Binding } from "./binding.ts";

/** Keys with a name. Control characters that are another key (`ctrl-m` is Enter) are not among them. */
const NAMED =
  /^(up|down|left|right|enter|escape|tab|shift-tab|space|pageup|pagedown|home|end|ctrl-[abd-gkn-pr-y])$/;

function keysOf(value: unknown): string[] {
  const keys = Array.isArray(value) ? value : [value];
  return keys.map((key: unknown) => {
    const name = typeof key === "number" ? String(key) : key;
    if (typeof name !== "string") throw new Error("a key is a character or a name such as ctrl-k");
    if (/^\d$/.test(name)) throw new Error("digits are the views'");
    if (!NAMED.test(name) && graphemesOf(name).length !== 1) throw new Error(`${name} is not a key`);
    return name;
  });
}

function overrideOf(action: string, value: unknown): [string, Binding] {
  const binding = KEYS.find((candidate) => candidate.action === action);
  if (binding === undefined) throw new Error("is not an action");
  if (binding.fixed === true) throw new Error("cannot be moved");
  return [action, { ...binding, keys: keysOf(value) }];
}

function apply(overrides: ReadonlyMap<string, Binding>): readonly Binding[] {
  return KEYS.map((binding) => overrides.get(binding.action) ?? binding);
}

/** The first override that takes a key from another action, and the title of that action. */
function clashOf(overrides: ReadonlyMap<string, Binding>): { action: string; why: string } | undefined {
  const bindings = apply(overrides);
  for (const [action, binding] of overrides) {
    for (const key of binding.keys) {
      const other = bindings.find(
        (candidate) =>
          candidate !== binding && candidate.after === binding.after && candidate.keys.includes(key),
      );
      if (other !== undefined) return { action, why: `${key} is already: ${other.title}` };
    }
  }
  return undefined;
}

/**
 * Applies a person's own keys (`action: key` or `action: [keys]`) to the table. What cannot be applied
 * is said and left as it was: a typing error must not take the keyboard away.
 *
 * @returns the table to use, and one line for each entry that was not applied.
 */
export function remapKeys(own: unknown): { bindings: readonly Binding[]; problems: string[] } {
  if (own === undefined || own === null) return { bindings: KEYS, problems: [] };
  if (typeof own !== "object" || Array.isArray(own)) {
    return { bindings: KEYS, problems: ["keys.yaml: a mapping of actions to keys is needed"] };
  }
  const overrides = new Map<string, Binding>();
  const problems: string[] = [];
  for (const [action, value] of Object.entries(own)) {
    try {
      overrides.set(...overrideOf(action, value));
    } catch (error) {
      problems.push(`keys.yaml: ${action}: ${reasonOf(error)}`);
    }
  }
  // Together, not one by one: two actions may change places.
  for (let clash = clashOf(overrides); clash !== undefined; clash = clashOf(overrides)) {
    overrides.delete(clash.action);
    problems.push(`keys.yaml: ${clash.action}: ${clash.why}`);
  }
  return { bindings: apply(overrides), problems };
}
