import { render } from "ink";
import type { ReactElement } from "react";

/** One frame as text: Ink's layout, kept instead of sent. */
export function frameOf(tree: ReactElement, columns: number, rows: number): string {
  let frame = "";
  const stdout = {
    columns,
    rows,
    write: (text: string) => {
      frame = text;
      return true;
    },
    on: () => stdout,
    off: () => stdout,
  };
  const options = { stdout: stdout as unknown as NodeJS.WriteStream, debug: true, patchConsole: false };
  const instance = render(tree, options);
  // Where `CI` is set, Ink writes an empty last frame when it is unmounted.
  const drawn = frame;
  instance.unmount();
  return drawn;
}
