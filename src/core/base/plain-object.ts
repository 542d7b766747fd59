/** Gives a value as it is to be kept; undefined for one that a schema must judge. */
export type Take = (value: unknown) => unknown;

/** A field's name, and how it is taken; with `absent`, what it is where it is missing (undefined: left out). */
export type PlainField = readonly [name: string, take: Take, absent?: { instead: unknown }];

export const LEFT_OUT = { instead: undefined } as const;

export function takeText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function takeTextOrNull(value: unknown): string | null | undefined {
  return value === null ? null : takeText(value);
}

export function takeInteger(value: unknown): number | undefined {
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

/** One of these texts. */
export function takeOneOf(...words: readonly string[]): Take {
  return (value) => (words.includes(value as string) ? value : undefined);
}

/**
 * Takes the fields of an object as a schema of the same fields would, in their order and without what is not among
 * them. It stands before the schema, never in its place: to load and to make one takes longer than all the rest
 * of a hook that reads what we wrote ourselves.
 *
 * @returns undefined for everything that is not plainly of this form: then the schema decides.
 */
export function takePlain(
  value: unknown,
  fields: readonly PlainField[],
): Record<string, unknown> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const taken: Record<string, unknown> = {};
  for (const [name, take, absent] of fields) {
    const isThere = Object.hasOwn(given, name);
    if (!isThere && absent === undefined) return undefined;
    const one = isThere ? take(given[name]) : absent?.instead;
    if (isThere && one === undefined) return undefined;
    if (one !== undefined) taken[name] = one;
  }
  return taken;
}
