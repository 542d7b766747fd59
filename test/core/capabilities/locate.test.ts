import { expect, test } from "vitest";
import { locateCapability } from "../../../src/core/capabilities/locate.ts";
import { CAPABILITIES } from "../../../src/core/capabilities/registry.ts";

test("every capability of the registry is found by its id, alone", async () => {
  const ids = CAPABILITIES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const capability of CAPABILITIES) expect(await locateCapability(capability.id)).toBe(capability);
});

test.each(["nothing", "doctor.tea", "lifecycle.", "__proto__", "constructor.name", ""])(
  "%j is no capability",
  async (id) => {
    await expect(locateCapability(id)).rejects.toMatchObject({ code: "capability.unknown", exit: 2 });
  },
);
