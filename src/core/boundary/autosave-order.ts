import { join } from "node:path";
import { registrationName } from "../checkout/common.ts";
import type { CommonPaths } from "../checkout/common.ts";
import { readText } from "../fs/read.ts";
import { refuseFollowed } from "../fs/linked.ts";
import { makeDirectory, removeFile, writeAtomic } from "../fs/write.ts";

/** What a turn's end tells the process that saves its state: by a file, since a command line is short and public. */
export interface AutosaveOrder {
  provider: string;
  session: string;
  /** The top level of the work tree whose memory is meant. */
  root: string;
  transcript: string;
  reply?: string;
}

const ORDER_BYTES = 256 * 1024;

function orderPath(common: CommonPaths, provider: string, session: string): string {
  return join(common.root, "autosave", `${registrationName(provider, session)}.json`);
}

/** Leaves an order, in place of one that was not taken yet: the newest says all that is needed. */
export function leaveOrder(common: CommonPaths, order: AutosaveOrder): string {
  const path = orderPath(common, order.provider, order.session);
  const directory = join(common.root, "autosave");
  refuseFollowed([common.root, directory]);
  makeDirectory(directory, 0o700);
  writeAtomic(path, JSON.stringify(order), { mode: 0o600 });
  return path;
}

/** Takes an order, which then is gone; undefined where there is none that can be understood. */
export function takeOrder(path: string): AutosaveOrder | undefined {
  const text = readText(path, { maximumBytes: ORDER_BYTES });
  removeFile(path);
  if (!text.ok) return undefined;
  try {
    const value: unknown = JSON.parse(text.value);
    if (typeof value !== "object" || value === null) return undefined;
    const { provider, session, root, transcript, reply } = value as Partial<AutosaveOrder>;
    const whole = [provider, session, root, transcript].every(
      (part) => typeof part === "string" && part !== "",
    );
    if (!whole || (reply !== undefined && typeof reply !== "string")) return undefined;
    return value as AutosaveOrder;
  } catch {
    return undefined;
  }
}
