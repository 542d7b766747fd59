import { join } from "node:path";
import { lightSha256 } from "../base/light-hash.ts";
import type { CommonPaths } from "../checkout/common.ts";
import { seemsToRun } from "../fs/process.ts";
import type { ProcessIdentity } from "../fs/process.ts";
import { refuseFollowed } from "../fs/linked.ts";
import { readText } from "../fs/read.ts";
import { makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";
import { orderDirectory } from "./autosave-order.ts";

// A server takes the orders of its work tree: to start a process is more than half of what a turn's end would cost.

const TAKER_BYTES = 200;

type Taker = Pick<ProcessIdentity, "pid" | "started">;

function takerPath(common: CommonPaths, root: string): string {
  return join(orderDirectory(common), `taker-${lightSha256(root).slice(0, 16)}`);
}

function takerOf(common: CommonPaths, root: string): Taker | undefined {
  const text = readText(takerPath(common, root), { maximumBytes: TAKER_BYTES });
  if (!text.ok) return undefined;
  const [pid = "", started = ""] = text.value.trimEnd().split(" ");
  return { pid: Number(pid), started: started === "" ? null : started };
}

/**
 * Whether a process that takes the orders of this work tree seems to live. It may hang, or be another one: whoever relies
 * on it must see that the order before was taken.
 */
export function hasTaker(common: CommonPaths, root: string): boolean {
  const taker = takerOf(common, root);
  return taker !== undefined && seemsToRun(taker);
}

/** Says that a process takes the orders of a work tree from now on. */
export function announceTaker(common: CommonPaths, root: string, { pid, started }: Taker): void {
  const directory = orderDirectory(common);
  refuseFollowed([common.root, directory]);
  makeDirectory(directory, 0o700);
  writeAtomic(takerPath(common, root), `${pid} ${started ?? ""}\n`, { mode: 0o600 });
}

/** Says that a process takes no more; another that came in its place stays named. */
export function withdrawTaker(common: CommonPaths, root: string, { pid }: Taker): void {
  if (takerOf(common, root)?.pid === pid) removeFile(takerPath(common, root));
}
