/** Characters that `JSON.stringify` leaves raw although a terminal may act on them. */
const ACTIVE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}

/**
 * A value as JSON on one line. Every string is exact for a reader of JSON, and harmless for a terminal:
 * controls and bidirectional characters stand as escapes.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll(ACTIVE, escaped);
}
