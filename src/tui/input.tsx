import { useInput } from "ink";
import { useState } from "react";
import { dispatch } from "./dispatch.ts";
import type { Desk } from "./desk.ts";
import { createInputReader } from "./input-events.ts";

/**
 * The console's only reader of keys. A handler for each pane would lose keys: it is exchanged after the
 * frame in which the focus moved, and the next key may be here before that.
 */
export function Keyboard({ desk }: { desk: Desk }): null {
  const [read] = useState(createInputReader);
  useInput((input, key) => {
    for (const event of read(input, key)) dispatch(desk, event);
  });
  return null;
}
