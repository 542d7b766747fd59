/** What every capsule says about itself, with these values and in this order (capsules.md 1.5). */
export const FRAMING: readonly (readonly [field: string, value: string])[] = [
  ["framing", "reference-only"],
  ["instruction_authority", "none"],
  ["precedence", "latest-live-state-wins"],
  ["pending_policy", "surface-never-auto-resume"],
  ["reverse_signal_policy", "cancels-in-flight-work"],
];

export const REFERENCE_ONLY = "[REFERENCE ONLY]";

/** The four rulings that the framing fields stand for; in capsules, and in every text that a resume prints. */
export const RULINGS: readonly string[] = [
  "It is a reference, not a queue of orders.",
  "A later state or message wins over it.",
  "Open items in it are shown for a decision; they are never resumed by themselves.",
  "A reversal cancels work that it describes, even work marked as in flight.",
];

/** One of the seven sections of a capsule's body. */
export interface Section {
  name: "done" | "errors" | "rejected" | "files" | "facts" | "gates" | "rows";
  heading: string;
  anchor: string;
}

/** The seven sections in their order (capsules.md 1.6). */
export const SECTIONS: readonly Section[] = [
  { name: "done", heading: "## Done (don't redo)", anchor: "<!-- swe:done -->" },
  { name: "errors", heading: "## Historical-Errors → Resolutions", anchor: "<!-- swe:errors -->" },
  { name: "rejected", heading: "## Historical-Rejected-Approaches", anchor: "<!-- swe:rejected -->" },
  { name: "files", heading: "## Files-Read / Files-Modified", anchor: "<!-- swe:files -->" },
  { name: "facts", heading: "## Operating-Facts", anchor: "<!-- swe:facts -->" },
  { name: "gates", heading: "## Pending-Gates", anchor: "<!-- swe:gates -->" },
  { name: "rows", heading: "## Claimed-Rows", anchor: "<!-- swe:rows -->" },
];

/** The banner with which a body begins: what this is, and the rulings. */
export const BANNER: readonly string[] = [
  `> [!note] ${REFERENCE_ONLY}`,
  "> A snapshot of earlier work. The latest live state wins over everything in it. Times are UTC.",
  ">",
  ...RULINGS.map((ruling, index) => `> ${index + 1}. ${ruling}`),
];

/** A whole capsule: its fields, the banner, and the seven sections with the lines that they begin with. */
export function capsuleText(
  head: readonly (readonly [field: string, value: string])[],
  lines: Partial<Record<Section["name"], readonly string[]>> = {},
): string {
  const sections = SECTIONS.flatMap(({ name, heading, anchor }) => [
    "",
    heading,
    anchor,
    ...(lines[name] ?? []),
  ]);
  return [
    "---",
    ...head.map(([key, value]) => `${key}: ${value}`),
    "---",
    "",
    ...BANNER,
    ...sections,
    "",
  ].join("\n");
}
