import { createContext } from "react";
import { QUIET } from "../look.ts";
import type { Look } from "../look.ts";

/** How the panes of this console draw. */
export const LookContext = createContext<Look>(QUIET);
