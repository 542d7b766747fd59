function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The new answer, built out of the old one wherever nothing changed: an equal answer is the old object
 * itself. Panes compare by identity, so data that did not change draws nothing.
 */
export function reuse<Value>(old: unknown, next: Value): Value {
  return reuseAny(old, next) as Value;
}

function reuseAny(old: unknown, next: unknown): unknown {
  if (Object.is(old, next)) return old;
  if (Array.isArray(next)) {
    if (!Array.isArray(old)) return next;
    const items = next.map((item, index) => reuseAny(old[index], item));
    return items.length === old.length && items.every((item, index) => item === old[index]) ? old : items;
  }
  if (!isPlain(next) || !isPlain(old)) return next;
  const keys = Object.keys(next);
  const merged = Object.fromEntries(keys.map((key) => [key, reuseAny(old[key], next[key])]));
  const same = keys.length === Object.keys(old).length && keys.every((key) => merged[key] === old[key]);
  return same ? old : merged;
}
