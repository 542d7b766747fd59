import { Box } from "ink";
import type { ReactElement } from "react";
import { DetailPane } from "../components/detail-pane.tsx";
import { FoldedPane, ListPane } from "../components/list-pane.tsx";
import type { Box as LayoutBox, LayoutColumn } from "../layout.ts";

function Content({ box, width }: { box: LayoutBox; width: number }): ReactElement {
  if (box.content === "detail") return <DetailPane width={width} height={box.height} />;
  if (box.folded) return <FoldedPane pane={box.content} width={width} />;
  return <ListPane pane={box.content} width={width} height={box.height} />;
}

function Stack({ column }: { column: LayoutColumn }): ReactElement {
  return (
    <Box flexDirection="column" width={column.width} flexShrink={0}>
      {column.boxes.map((box) => (
        <Content key={box.content} box={box} width={column.width} />
      ))}
    </Box>
  );
}

/** The panes of a view: narrow columns beside each other, those of full width below. */
export function ViewBody({
  columns,
  width,
}: {
  columns: readonly LayoutColumn[];
  width: number;
}): ReactElement {
  const beside = columns.filter((column) => column.width < width);
  const below = columns.filter((column) => column.width >= width);
  return (
    <Box flexDirection="column" flexShrink={0}>
      {beside.length > 0 && (
        <Box flexShrink={0}>
          {beside.map((column) => (
            <Stack key={column.boxes[0]?.content} column={column} />
          ))}
        </Box>
      )}
      {below.map((column) => (
        <Stack key={column.boxes[0]?.content} column={column} />
      ))}
    </Box>
  );
}
