import * as z from "zod/mini";
import type { Checkout } from "../checkout/checkout.ts";
import { devicePath, ensureDevice, nameDevice } from "../device/device-key.ts";

const text = z.string();

export const DeviceInput = z.strictObject({ label: z.optional(text) });

export const DeviceAnswer = z.object({
  /** 32 hex. */
  node: text,
  label: text,
  /** 64 hex: what others put into trust.allow. */
  public_key: text,
  /** Where the key lies on this machine. */
  path: text,
});
export type DeviceAnswer = z.infer<typeof DeviceAnswer>;

/**
 * This machine as its records name it; makes its key where it has none, and names it where a label is given.
 *
 * @throws MajordomusError 2 for a label that is none; 13 for a key that cannot be read: it is never replaced.
 */
export function describeDevice(checkout: Checkout, request: { label?: string | undefined }): DeviceAnswer {
  const { node, label, publicKey } =
    request.label === undefined ? ensureDevice(checkout) : nameDevice(checkout, request.label);
  return { node, label, public_key: publicKey, path: devicePath(checkout.environment) };
}
