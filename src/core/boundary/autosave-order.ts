import { join } from "node:path";
import { registrationName } from "../checkout/common.ts";
import type { CommonPaths } from "../checkout/common.ts";
import { isPresent, listDirectory, readText } from "../fs/read.ts";
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
  /** Left for the server of that work tree to start a process for. */
  handed?: true;
}

/** Tells the process its order, where none could be left in a file. */
export const ORDER_VARIABLE = "MAJORDOMUS_AUTOSAVE_ORDER";

const ORDER_BYTES = 256 * 1024;

const ORDER_NAME = /^[0-9a-f]{32}[.]json$/;

/** Where orders lie until they are taken. */
export function orderDirectory(common: CommonPaths): string {
  return join(common.root, "autosave");
}

function orderPath(common: CommonPaths, provider: string, session: string): string {
  return join(orderDirectory(common), `${registrationName(provider, session)}.json`);
}

/** Whether an order of this session was not taken yet. */
export function isWaiting(common: CommonPaths, provider: string, session: string): boolean {
  return isPresent(orderPath(common, provider, session));
}

/** Leaves an order, in place of one that was not taken yet: the newest says all that is needed. */
export function leaveOrder(common: CommonPaths, order: AutosaveOrder): string {
  const path = orderPath(common, order.provider, order.session);
  const directory = orderDirectory(common);
  refuseFollowed([common.root, directory]);
  makeDirectory(directory, 0o700);
  writeAtomic(path, JSON.stringify(order), { mode: 0o600 });
  return path;
}

/** The orders that were left for the server of a work tree and not taken yet: their paths. */
export function handedOrders(common: CommonPaths, root: string): string[] {
  const directory = orderDirectory(common);
  return listDirectory(directory)
    .filter((name) => ORDER_NAME.test(name))
    .map((name) => join(directory, name))
    .filter((path) => {
      const order = readOrder(path);
      return order?.handed === true && order.root === root;
    });
}

/** Takes an order, which then is gone; undefined where there is none that can be understood. */
export function takeOrder(path: string): AutosaveOrder | undefined {
  const order = readOrder(path);
  removeFile(path);
  return order;
}

function readOrder(path: string): AutosaveOrder | undefined {
  const text = readText(path, { maximumBytes: ORDER_BYTES });
  return text.ok ? parseOrder(text.value) : undefined;
}

/** The order that a text is; undefined where it cannot be understood. */
export function parseOrder(text: string): AutosaveOrder | undefined {
  try {
    const value: unknown = JSON.parse(text);
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
