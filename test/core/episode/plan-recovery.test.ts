import { readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planRecovery } from "../../../src/core/episode/plan-recovery.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";

const POLICY = ".ai/repo/policy.yaml";

/** A place with one of everything that recovery knows: a silent episode, an orphan and a pointer to nothing. */
async function ruined(): Promise<Place> {
  const place = await newPlace();
  await place.fire("start", "silent");
  place.clock.forward(24 * 60);
  const { layout } = await place.checkout();
  const orphan = join(layout.state, ".tmp.0a1b2c3d");
  writeFileSync(orphan, "");
  utimesSync(orphan, place.clock.now() / 1000, place.clock.now() / 1000);
  rmSync(layout.pointer, { force: true });
  symlinkSync("sessions-open/gone.yaml", layout.pointer);
  return place;
}

async function refusal(place: Place, older_than?: string): Promise<unknown> {
  const checkout = await place.checkout();
  try {
    return planRecovery(checkout, older_than === undefined ? {} : { older_than });
  } catch (error) {
    return error;
  }
}

describe("planRecovery", () => {
  it("plans what was asked for and no more, the orphans first", async () => {
    const checkout = await (await ruined()).checkout();
    const kinds = (subject?: "status" | "all" | "orphans" | "episodes" | "records"): string[] =>
      planRecovery(checkout, { ...(subject && { subject }), older_than: "0s" }).answer.actions.map(
        ({ kind }) => kind,
      );
    expect(kinds()).toEqual(["orphan", "episode", "pointer"]);
    expect(kinds("status")).toEqual(["orphan", "episode", "pointer"]);
    expect(kinds("all")).toEqual(["orphan", "episode", "pointer"]);
    expect(kinds("orphans")).toEqual(["orphan"]);
    expect(kinds("episodes")).toEqual(["episode"]);
    expect(kinds("records")).toEqual([]);
  });

  it("says of a pointer that names nothing what it removes", async () => {
    const checkout = await (await ruined()).checkout();
    const { actions } = planRecovery(checkout, {}).answer;
    expect(actions.at(-1)).toEqual({
      id: "pointer",
      kind: "pointer",
      subject: checkout.layout.pointer,
      reason: "pointer names nothing",
      evidence: [expect.stringContaining("gone.yaml")],
      removes: [checkout.layout.pointer],
    });
  });

  it("has a digest that stays while the evidence does, and the balance beside it", async () => {
    const place = await ruined();
    const first = planRecovery(await place.checkout(), { older_than: "0s" }).answer;
    const second = planRecovery(await place.checkout(), { older_than: "0s" }).answer;
    expect(second.digest).toBe(first.digest);
    expect(first.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(first.balance).toMatchObject({ started: 1, open: 1, unaccounted: 0 });
    const fewer = planRecovery(await place.checkout(), { subject: "orphans", older_than: "0s" }).answer;
    expect(fewer.digest).not.toBe(first.digest);
  });

  it("takes its threshold from the command, else from the policy, and has no fall-back", async () => {
    const place = await ruined();
    const at = async (older_than?: string): Promise<string[]> => {
      const { actions } = planRecovery(await place.checkout(), {
        subject: "episodes",
        ...(older_than && { older_than }),
      }).answer;
      return actions.map(({ reason }) => reason);
    };
    expect(await at("25h")).toEqual([]);
    expect(await at("24h")).toEqual(["silent"]);
    expect(await at()).toEqual(["silent"]);
    expect(await refusal(place, "soon")).toMatchObject({
      code: "recover.duration",
      exit: 2,
      subject: "soon",
      remedy: "write it as 90s, 15m or 12h",
      message: expect.stringContaining("is not a duration"),
    });
    const { root } = place;
    const policy = readFileSync(join(root, POLICY), "utf8");
    writeFileSync(join(root, POLICY), policy.replace(/^ *stranded_after:.*\n/m, ""));
    expect(await refusal(place)).toMatchObject({
      code: "policy.stranded_after",
      exit: 10,
      subject: "session.stranded_after",
      remedy: "add `stranded_after: 12h` under `session`, or give --older-than",
      message: expect.stringContaining("recovery has no fallback for it"),
    });
    expect(await at("24h")).toEqual(["silent"]);
  });
});
