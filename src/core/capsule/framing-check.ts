import type { CapsuleDocument } from "./document.ts";
import { FRAMING, REFERENCE_ONLY } from "./framing.ts";

const NEEDED_HEADINGS = ["## Done", "## Pending-Gates"];

/** What a capsule's framing lacks: fields, their values, the banner, the two headings that a reader looks for. */
export function checkFraming(document: CapsuleDocument): string[] {
  const body = document.body();
  const lines = body.split(/\r\n|\n|\r/);
  return [
    ...FRAMING.flatMap(([field, value]) => {
      const stands = document.text(field);
      if (stands === "") return [`${field} is missing`];
      return stands === value ? [] : [`${field} is not ${value}`];
    }),
    ...(body.includes(REFERENCE_ONLY) ? [] : [`the ${REFERENCE_ONLY} banner is missing`]),
    ...NEEDED_HEADINGS.filter((heading) => !lines.some((line) => line.startsWith(heading))).map(
      (heading) => `the heading ${heading} is missing`,
    ),
  ];
}
