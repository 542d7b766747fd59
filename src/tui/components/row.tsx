import { Text } from "ink";
import type { ReactElement } from "react";
import { memo, useContext } from "react";
import { LookContext, drawLine } from "../look.ts";
import { fitLine } from "../model/line.ts";
import type { Line } from "../model/line.ts";

/** One row of the screen, exactly as wide as it is told. Plain text is not padded. */
export const Row = memo(function Row({ line, width }: { line: Line; width: number }): ReactElement {
  const look = useContext(LookContext);
  return <Text wrap="truncate">{drawLine(fitLine(line, width), look) || " "}</Text>;
});
