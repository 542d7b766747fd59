import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Checkout } from "../../../src/core/checkout/checkout.ts";
import { applyRecovery } from "../../../src/core/episode/apply-recovery.ts";
import { planRecovery } from "../../../src/core/episode/plan-recovery.ts";
import { listClosedSessions } from "../../../src/core/records/session-store.ts";
import { newPlace } from "../../support/checkout.ts";

const NEVER = { aborted: false, throwIfAborted: () => {} };

/** One episode with three records: the oldest derived, one authored, one that says the same as the oldest. */
async function tripled(): Promise<{ checkout: Checkout; oldest: string; authored: string; same: string }> {
  const place = await newPlace();
  await place.fire("start", "one");
  place.clock.forward(60);
  await place.fire("end", "one", { reason: "logout" });
  const checkout = await place.checkout();
  const { sessions } = checkout.layout;
  const [oldest = ""] = readdirSync(sessions).filter((name) => name.endsWith(".md"));
  const [authored, same] = [`3000${oldest.slice(4)}`, `3001${oldest.slice(4)}`];
  const source = readFileSync(join(sessions, oldest), "utf8");
  const later = source.replace(/^created_at: .*$/mu, "created_at: 2027-01-01T00:00:00Z");
  writeFileSync(
    join(sessions, authored),
    later
      .slice(0, later.indexOf("\n---\n") + 5)
      .replace("\n---\n", '\ndecisions:\n  - "only the later one has it"\n---\n')
      .replace(/^decisions: \[\]\n/mu, "")
      .concat("\n# What Happened\n\nWritten by hand.\n## Recovery of nerves\n"),
  );
  writeFileSync(join(sessions, same), later);
  return { checkout, oldest, authored, same };
}

async function fold(checkout: Checkout): Promise<readonly unknown[]> {
  const recovery = planRecovery(checkout, { subject: "records" });
  const { failed } = await applyRecovery(checkout, recovery, recovery.answer.actions, NEVER, () => {});
  expect(failed).toEqual([]);
  return recovery.answer.actions;
}

describe("folding the records of one episode", () => {
  it("keeps every text and every reference in the record that stays", async () => {
    const { checkout, oldest, authored, same } = await tripled();
    const before = listClosedSessions(checkout.layout.sessions).records.find(({ path }) =>
      path.endsWith(oldest),
    );
    expect(await fold(checkout)).toHaveLength(1);
    const { records } = listClosedSessions(checkout.layout.sessions);
    expect(records.map(({ path }) => path)).toEqual([join(checkout.layout.sessions, oldest)]);
    const session = records[0]?.session;
    expect(session?.decisions).toEqual(["only the later one has it"]);
    expect(session?.body).toBe(
      `${before?.session.body.trimEnd()}\n\n## Recovery\n\n- folded ${authored}\n\nIts text:\n\n` +
        `> # What Happened\n>\n> Written by hand.\n> ## Recovery of nerves\n\n- folded ${same}\n`,
    );
  });

  it("says nothing twice where a fold was killed before it took the others away", async () => {
    const { checkout, oldest, authored, same } = await tripled();
    const { sessions } = checkout.layout;
    const aside = readFileSync(join(sessions, authored));
    await fold(checkout);
    const folded = readFileSync(join(sessions, oldest), "utf8");
    writeFileSync(join(sessions, authored), aside);
    await fold(checkout);
    expect(readFileSync(join(sessions, oldest), "utf8")).toBe(folded);
    expect(readdirSync(sessions).filter((name) => [authored, same].includes(name))).toEqual([]);
  });
});
