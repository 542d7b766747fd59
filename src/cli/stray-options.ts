import type { OptionDeclaration } from "./declaration.ts";
import { usageError } from "./failure.ts";

/**
 * Refuses options that would be passed over: of two that exclude each other only one could be followed, and one that
 * says something about another is nothing without it.
 *
 * @throws MajordomusError 2 naming both.
 */
export function refuseIgnoredOptions(
  declarations: readonly OptionDeclaration[],
  values: Readonly<Record<string, unknown>>,
): void {
  const isGiven = (name: string): boolean => values[name] !== undefined && values[name] !== false;
  for (const { name, without = [], beside } of declarations) {
    if (!isGiven(name)) continue;
    const rival = without.find(isGiven);
    if (rival !== undefined) throw usageError({ message: `--${name} and --${rival} exclude each other` });
    if (beside === undefined || beside.some(isGiven)) continue;
    const wanted = beside.map((other) => `--${other}`).join(" or ");
    throw usageError({ message: `--${name} says something only beside ${wanted}` });
  }
}
