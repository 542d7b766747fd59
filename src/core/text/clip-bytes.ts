/** Cuts text to at most so many UTF-8 bytes, between two characters; the last one is `…` where something was cut. */
export function clipBytes(text: string, maximum: number): string {
  // No character of JavaScript's takes more than three bytes: most texts need no closer look.
  if (text.length * 3 <= maximum || Buffer.byteLength(text) <= maximum) return text;
  const mark = "…";
  let room = maximum - Buffer.byteLength(mark);
  let kept = "";
  for (const character of text) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    kept += character;
  }
  return maximum < Buffer.byteLength(mark) ? "" : `${kept}${mark}`;
}
