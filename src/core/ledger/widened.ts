/** A longer array of numbers with the same beginning, and zeros behind it. */
export function widened(narrow: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const wide = new Int32Array(length);
  wide.set(narrow);
  return wide;
}

/** `widened` for numbers of fourteen digits. */
export function widenedFloats(narrow: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const wide = new Float64Array(length);
  wide.set(narrow);
  return wide;
}
