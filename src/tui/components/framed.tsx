import { Box } from "ink";
import type { ReactElement } from "react";
import { memo, useContext } from "react";
import { LookContext } from "./look-context.ts";
import { bottomBorder, framed, topBorder } from "../model/frame.ts";
import type { FrameText } from "../model/frame.ts";
import { span } from "../model/line.ts";
import type { Line } from "../model/line.ts";
import { Row } from "./row.tsx";

export interface FramedProps extends FrameText {
  lines: readonly Line[];
  width: number;
  height: number;
  /** Said in the lower border: how much is not shown. */
  note?: string;
}

const BLANK: Line = [];

const FramedRow = memo(function FramedRow(props: {
  line: Line;
  focused: boolean;
  width: number;
}): ReactElement {
  const { line, focused, width } = props;
  return <Row line={framed(line, focused, width)} width={width} />;
});

/** Lines in a box of their own; as plain text, below a heading. */
export function Framed({ lines, width, height, note = "", ...text }: FramedProps): ReactElement {
  const look = useContext(LookContext);
  if (look.plain) {
    const heading = text.counts === "" ? text.title : `${text.title}: ${text.counts}`;
    return (
      <Box flexDirection="column">
        <Row line={[span(heading)]} width={width} />
        {lines.map((line, index) => (
          <Row key={index} line={[span("  "), ...line]} width={width} />
        ))}
        {note !== "" && <Row line={[span(`   ${note}`)]} width={width} />}
        <Row line={[]} width={width} />
      </Box>
    );
  }
  const inner = Math.max(0, height - 2);
  const shown = Array.from({ length: inner }, (_, index) => lines[index] ?? BLANK);
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Row line={topBorder(text, width)} width={width} />
      {shown.map((line, index) => (
        <FramedRow key={index} line={line} focused={text.focused} width={width} />
      ))}
      <Row line={bottomBorder(note, text.focused, width)} width={width} />
    </Box>
  );
}
