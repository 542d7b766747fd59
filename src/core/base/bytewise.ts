/**
 * Orders two strings as their UTF-8 bytes would be ordered, without encoding them. JavaScript's own order
 * is by UTF-16 units, which puts characters outside the basic plane before U+E000 to U+FFFF.
 */
export function compareBytewise(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** Lifts surrogates above the rest of the basic plane, where their characters' bytes stand. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
