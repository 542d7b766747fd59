import { useStdin } from "ink";
import { useEffect, useState } from "react";
import { dispatch } from "./dispatch.ts";
import type { Desk } from "./desk.ts";
import { createInputReader } from "./input-events.ts";

/**
 * The console's only reader of keys. A handler for each pane would lose keys: it is exchanged after the
 * frame in which the focus moved, and the next key may be here before that. It takes what Ink read before
 * Ink makes keys of it: those lose what a paste holds, and an unknown sequence ends Ink with an error.
 */
export function Keyboard({ desk }: { desk: Desk }): null {
  const [read] = useState(() => createInputReader());
  const { setRawMode, internal_eventEmitter: input } = useStdin();
  useEffect(() => {
    const handle = (piece: string): void => {
      for (const event of read(piece)) dispatch(desk, event);
    };
    setRawMode(true);
    input.on("input", handle);
    return () => {
      input.off("input", handle);
      setRawMode(false);
    };
  }, [desk, read, setRawMode, input]);
  return null;
}
