import { expect, it, vi } from "vitest";
import { serveDemo } from "../../src/cli/demo/server.ts";
import { judgeProcess } from "../../src/core/fs/process.ts";
import { readPeers } from "../../src/core/serving/board-of-server.ts";
import { judgeLease } from "../../src/core/serving/standing.ts";
import { launcher } from "../support/binary.ts";
import { newPlace } from "../support/checkout.ts";

it("the demo has a server of its own with its workers on the board, and leaves none behind", async () => {
  const place = await newPlace();
  for (const session of ["one", "two"]) await place.fire("start", session);
  const checkout = await place.checkout();
  const server = serveDemo(checkout, launcher());
  await vi.waitFor(
    async () => {
      const { peers } = await readPeers(checkout);
      expect(peers.map(({ claims }) => claims[0]?.text)).toContain(
        "Comparing heights with the chart of 1998",
      );
    },
    { timeout: 60_000, interval: 100 },
  );
  const { lease } = judgeLease(checkout);
  await server.end();
  expect(judgeLease(checkout).standing).toBe("absent");
  expect(lease === undefined ? "" : judgeProcess(lease)).toBe("gone");
});
