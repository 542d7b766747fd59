/** Orders strings by their UTF-8 bytes, as git and the record formats do; JavaScript's own order differs beyond U+FFFF. */
export function byBytes(left: string, right: string): number {
  return left === right ? 0 : Buffer.compare(Buffer.from(left), Buffer.from(right));
}
