import { widthOf } from "../cells.ts";

/** Joins parts into lines of at most `width` cells, as many on each as there is room for. */
export function packParts(parts: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}${separator}${part}`;
    if (last === undefined || widthOf(longer) > width) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
