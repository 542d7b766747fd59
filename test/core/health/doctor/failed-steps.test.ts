import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCapability } from "../../../../src/core/capabilities/run.ts";
import type { Finding } from "../../../../src/core/labels/terms.ts";
import { newPlace } from "../../../support/checkout.ts";
import type { Place } from "../../../support/checkout.ts";

const POLICY = ".ai/repo/policy.yaml";
const SECTIONS = "required_sections: [Objective, Current State, Next Action]";

async function findings(place: Place, id: string): Promise<Finding[]> {
  return ((await runCapability(await place.checkout(), id, {})) as { findings: Finding[] }).findings;
}

/** What is said of failing steps. */
async function failing(place: Place): Promise<Finding[]> {
  return (await findings(place, "doctor.hooks")).filter(({ message }) => message.startsWith("the step "));
}

function rewritePolicy(place: Place, from: string, to: string): void {
  const path = join(place.root, POLICY);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** A session that leaves something to hand over, and one that does not. */
async function session(place: Place, name: string, works: boolean): Promise<void> {
  await place.fire("start", name);
  if (works) writeFileSync(join(place.root, `${name}.txt`), "1");
  await place.fire("end", name, { reason: "other" });
}

describe("a required section that nothing derives", () => {
  it("is a failure of the policy while handovers are derived at a session's end, and the hook's failure is told", async () => {
    const place = await newPlace();
    expect((await findings(place, "doctor.policy")).map(({ level }) => level)).toEqual(["OK"]);
    rewritePolicy(place, SECTIONS, "required_sections: [Objective, Risks]");
    expect(await findings(place, "doctor.policy")).toMatchObject([
      {
        level: "FAIL",
        subject: "policy.yaml",
        message: expect.stringContaining("Risks, which nothing derives"),
      },
    ]);
    await session(place, "one", true);
    expect(await failing(place)).toMatchObject([
      {
        level: "WARN",
        message: expect.stringMatching(/^the step handover failed, last at SessionEnd 2026-\S+: .*Risks/),
        reproduce: "majordomus history --event provider.event.failed",
      },
    ]);
    await session(place, "two", true);
    expect(await failing(place)).toMatchObject([
      { level: "FAIL", message: expect.stringMatching(/^the step handover failed 2 times in a row/) },
    ]);
    const report = (await runCapability(await place.checkout(), "hooks.report", {})) as {
      findings: Finding[];
    };
    expect(report.findings.some(({ message }) => message.startsWith("the step handover"))).toBe(true);

    rewritePolicy(place, "handover_on_end: true", "handover_on_end: false");
    expect((await findings(place, "doctor.policy")).map(({ level }) => level)).toEqual(["OK"]);
  });
});

describe("a hook step that failed", () => {
  it("is told until it works again, and less loudly once it had nothing to do", async () => {
    const place = await newPlace();
    await session(place, "well", true);
    expect(await failing(place)).toEqual([]);
    rewritePolicy(place, SECTIONS, "required_sections: [Objective, Risks]");
    await session(place, "one", true);
    await session(place, "two", true);
    rewritePolicy(place, "required_sections: [Objective, Risks]", SECTIONS);
    await place.fire("start", "three");
    rmSync(join(place.root, "one.txt"));
    rmSync(join(place.root, "two.txt"));
    await place.fire("end", "three", { reason: "other" });
    expect((await failing(place)).map(({ level }) => level)).toEqual(["WARN"]);
    await session(place, "four", true);
    expect(await failing(place)).toEqual([]);
  });

  it("is one at whatever event it comes: settings that are read again are well", async () => {
    const place = await newPlace();
    const path = join(place.root, POLICY);
    const whole = readFileSync(path, "utf8");
    writeFileSync(path, "handover: [");
    await place.fire("start", "one");
    await place.fire("start", "one");
    writeFileSync(path, whole);
    expect(await failing(place)).toMatchObject([
      { level: "FAIL", message: expect.stringMatching(/^the step settings failed 2 times in a row/) },
    ]);
    await place.fire("prompt", "one");
    expect(await failing(place)).toEqual([]);
  });
});
