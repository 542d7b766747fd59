import type { ReactElement } from "react";
import { App } from "../../src/tui/components/app.tsx";
import { ConsoleContext } from "../../src/tui/components/console-context.ts";
import type { Desk } from "../../src/tui/desk.ts";
import { frameOf } from "../../src/tui/frame-of.ts";
import { LookContext } from "../../src/tui/components/look-context.ts";
import { QUIET } from "../../src/tui/look.ts";
import type { Look } from "../../src/tui/look.ts";

/** The whole screen of a console, as the program mounts it. */
export function consoleTree(desk: Desk, look: Partial<Look> = {}): ReactElement {
  const { store, rowsOf, bindings, works } = desk;
  return (
    <LookContext value={{ ...QUIET, home: "/home/mira", ...look }}>
      <ConsoleContext value={{ store, rowsOf, bindings, works }}>
        <App />
      </ConsoleContext>
    </LookContext>
  );
}

/** The screen's rows at the console's size. */
export function consoleRows(desk: Desk, look: Partial<Look> = {}): string[] {
  const { columns, rows } = desk.store.getState().size;
  return frameOf(consoleTree(desk, look), columns, rows).split("\n");
}
