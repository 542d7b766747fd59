import { Transform } from "ink";
import type { ReactElement } from "react";
import { memo, useContext } from "react";
import { drawLine } from "../look.ts";
import { fitLine } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { LookContext } from "./look-context.ts";

/**
 * One row of the screen, exactly as wide as it is told. Ink lays out blanks of that width and gets the
 * text at the end: it would measure every cell again in each frame, and keep each text it ever measured.
 */
export const Row = memo(function Row({ line, width }: { line: Line; width: number }): ReactElement {
  const look = useContext(LookContext);
  const text = drawLine(fitLine(line, width), look);
  // Blanks that align columns are only noise to a reader of plain text.
  const shown = look.plain ? text.replaceAll(/(?<=\S) {3,}/g, "  ").trimEnd() : text;
  return <Transform transform={() => shown}>{" ".repeat(width)}</Transform>;
});
