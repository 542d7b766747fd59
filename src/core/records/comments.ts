/**
 * Text with its HTML comments as blank lines, so that the numbers of the others stay. One that is never
 * closed stays as text: it would hide everything after it.
 */
export function withoutComments(text: string): string {
  let result = "";
  let position = 0;
  for (;;) {
    const start = text.indexOf("<!--", position);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return result + text.slice(position);
    result += text.slice(position, start) + text.slice(start, end).replaceAll(/[^\n]/g, "");
    position = end + 3;
  }
}
