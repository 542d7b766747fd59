import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fixedClock } from "../../../src/core/base/clock.ts";
import { systemRandom } from "../../../src/core/base/random.ts";
import type { DevicePlace } from "../../../src/core/device/device-key.ts";
import {
  devicePath,
  ensureDevice,
  ephemeralDevice,
  nameDevice,
  readDevice,
} from "../../../src/core/device/device-key.ts";
import { nodeIdOf, publicKeyOf } from "../../../src/core/device/signing.ts";
import { scratchDirectory } from "../../support/scratch.ts";

const SEED = "291a737810817acc882fa9b00c949cad0b48cac21f544037d898c556fce90da9";

function place(environment: Record<string, string> = { XDG_STATE_HOME: scratchDirectory() }): DevicePlace {
  return {
    environment,
    clock: fixedClock(Date.UTC(2026, 8, 4, 15, 37, 33)),
    random: { hex: () => SEED },
  };
}

describe("where the key lies", () => {
  it("is below XDG_STATE_HOME, else below HOME", () => {
    expect(devicePath({ XDG_STATE_HOME: "/x", HOME: "/h" })).toBe("/x/majordomus/node.json");
    expect(devicePath({ HOME: "/h" })).toBe("/h/.local/state/majordomus/node.json");
    expect(devicePath({ XDG_STATE_HOME: "relative", HOME: "/h" })).toBe(
      "/h/.local/state/majordomus/node.json",
    );
  });

  it("is nowhere without both", () => {
    expect(() => devicePath({})).toThrow("no place for the device key");
    expect(() => devicePath({ XDG_STATE_HOME: "", HOME: "" })).toThrow("no place for the device key");
  });
});

describe("the key", () => {
  it("is made on first use, in the original's form, for its owner alone", () => {
    const here = place();
    expect(readDevice(here.environment)).toBeUndefined();
    const device = ensureDevice(here);
    const path = devicePath(here.environment);
    expect(readFileSync(path, "utf8")).toBe(
      `{\n  "schema": "majordomus-mesh-identity/v1",\n  "secret_key": "${SEED}",\n  "created_at": "2026-09-04T15:37:33Z"\n}`,
    );
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(device).toEqual({
      node: nodeIdOf(publicKeyOf(SEED)),
      publicKey: publicKeyOf(SEED),
      secretKey: SEED,
      label: "33623c9f",
    });
    expect(ensureDevice({ ...here, random: systemRandom })).toEqual(device);
    expect(readDevice(here.environment)).toEqual(device);
  });

  it("is the one that another process made in the meantime", () => {
    const here = place();
    const other = "ab".repeat(32);
    const raced: DevicePlace = {
      ...here,
      random: {
        hex: () => {
          ensureDevice({ ...here, random: { hex: () => other } });
          return SEED;
        },
      },
    };
    expect(ensureDevice(raced).secretKey).toBe(other);
    expect(readDevice(here.environment)?.secretKey).toBe(other);
  });

  it("takes a name, and keeps everything else", () => {
    const here = place();
    const device = ensureDevice(here);
    expect(nameDevice({ ...here, random: systemRandom }, "mac-mini.2")).toEqual({
      ...device,
      label: "mac-mini.2",
    });
    expect(readDevice(here.environment)).toEqual({ ...device, label: "mac-mini.2" });
    expect(statSync(devicePath(here.environment)).mode & 0o777).toBe(0o600);
    for (const label of ["", "two words", "ünïcode", "a/b", "x".repeat(65), "new\nline"]) {
      expect(() => nameDevice(here, label)).toThrow(/is not a device label/);
    }
    expect(readDevice(here.environment)?.label).toBe("mac-mini.2");
  });

  it("shows no label that a hand wrote outside the alphabet", () => {
    const here = place();
    const { node } = ensureDevice(here);
    const path = devicePath(here.environment);
    const text = readFileSync(path, "utf8").replace(
      `"created_at"`,
      `"display_name": "a\\u001b[31mb",\n  "created_at"`,
    );
    writeFileSync(path, text);
    expect(readDevice(here.environment)?.label).toBe(node.slice(0, 8));
  });

  it.each([
    ["", "is not JSON"],
    ["{", "is not JSON"],
    ["[]", "is not a device key"],
    [
      `{"schema":"majordomus-mesh-identity/v2","secret_key":"${SEED}","created_at":"x"}`,
      "schema is not in order",
    ],
    [
      `{"schema":"majordomus-mesh-identity/v1","secret_key":"${SEED.slice(1)}","created_at":"x"}`,
      "secret_key is not",
    ],
    [
      `{"schema":"majordomus-mesh-identity/v1","secret_key":"${SEED}","created_at":"x","more":1}`,
      "is not a device key",
    ],
  ])("is never replaced when it cannot be read: %s", (text, reason) => {
    const here = place();
    const path = devicePath(here.environment);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    for (const use of [
      () => readDevice(here.environment),
      () => ensureDevice(here),
      () => nameDevice(here, "mine"),
    ]) {
      expect(use).toThrow(reason);
      expect(use).not.toThrow(SEED.slice(1, 20));
    }
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("is never followed through a link", () => {
    const here = place();
    const path = devicePath(here.environment);
    const elsewhere = join(scratchDirectory(), "other.json");
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(elsewhere, path);
    expect(() => ensureDevice(here)).toThrow("symbolic link");
    expect(() => readFileSync(elsewhere)).toThrow("ENOENT");
  });
});

describe("a stand-in", () => {
  it("is another device each time, and leaves nothing behind", () => {
    const one = ephemeralDevice(systemRandom);
    const two = ephemeralDevice(systemRandom);
    expect(one.node).not.toBe(two.node);
    expect(one.node).toBe(nodeIdOf(one.publicKey));
  });
});
