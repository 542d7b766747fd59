import { join } from "node:path";
import type { CommonPaths } from "../checkout/common.ts";
import { listDirectory } from "../fs/read.ts";

const NAME = /^(\d{8})\.json$/;

/** The numbers of the entries that wait, in no order. */
export function spoolNumbers(common: CommonPaths): number[] {
  return listDirectory(common.spool)
    .map((name) => NAME.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number);
}

/** Where the entry of a number stands. */
export function spoolPath(common: CommonPaths, number: number): string {
  return join(common.spool, `${String(number).padStart(8, "0")}.json`);
}

/** Whether nothing waits. */
export function spoolIsEmpty(common: CommonPaths): boolean {
  return spoolNumbers(common).length === 0;
}
