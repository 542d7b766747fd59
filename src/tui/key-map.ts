import type { Binding } from "./binding.ts";

const DRAWN_KEYS: Readonly<Record<string, string>> = {
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
  enter: "Enter",
  escape: "Esc",
  tab: "Tab",
  "shift-tab": "Shift-Tab",
  space: "Space",
  pageup: "PgUp",
  pagedown: "PgDn",
  home: "Home",
  end: "End",
};

/** A key's name as people write it: `Ctrl-K`, `Enter`, `j`; of keys that follow each other, `n c`. */
export function keyText(key: string): string {
  return key
    .split(/(?<=.) (?=.)/)
    .map(
      (each) =>
        DRAWN_KEYS[each] ?? each.replace(/^ctrl-(.)$/, (_, letter: string) => `Ctrl-${letter.toUpperCase()}`),
    )
    .join(" ");
}

/** What has to be pressed for a binding: keys, or for one that follows another, both with a blank between. */
export function keysOf(binding: Binding, bindings: readonly Binding[]): readonly string[] {
  if (binding.after === undefined) return binding.keys;
  const first = bindings.find((candidate) => candidate.action === binding.after);
  return (first?.keys ?? []).flatMap((prefix) => binding.keys.map((key) => `${prefix} ${key}`));
}

export type KeyMap = ReadonlyMap<string, Binding>;

/** The table turned round: which binding a key, or a key after another, belongs to. */
export function keyMapOf(bindings: readonly Binding[]): KeyMap {
  return new Map(
    bindings.flatMap((binding) => keysOf(binding, bindings).map((key) => [key, binding] as const)),
  );
}

/** What may follow a key that waits for another one. */
export function followersOf(bindings: readonly Binding[], prefix: Binding["action"]): readonly Binding[] {
  return bindings.filter((binding) => binding.after === prefix);
}
