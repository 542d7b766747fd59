import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeMemory } from "../../../src/core/capsule/judge-memory.ts";
import type { Finding } from "../../../src/core/labels/terms.ts";
import { newPlace } from "../../support/checkout.ts";
import type { Place } from "../../support/checkout.ts";
import { capsuleText } from "./support/memory.ts";

const START = "2026-11-30T12:00:00Z";

async function judge(place: Place): Promise<string[]> {
  const findings: Finding[] = judgeMemory(await place.checkout());
  for (const { category, reproduce } of findings)
    expect([category, typeof reproduce]).toEqual(["capsules", "string"]);
  return findings.map(({ level, subject, message }) => `${level} ${subject}: ${message}`);
}

function put(place: Place, name: string, text: string): void {
  const directory = join(place.root, ".ai/local/memory/capsules");
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), text);
}

describe("the doctor on memory", () => {
  it("has nothing to say of a fresh repository, or of good capsules and ordinary history", async () => {
    const place = await newPlace(START);
    expect(await judge(place)).toEqual(["OK memory: .ai/local/memory"]);
    put(place, "good.md", capsuleText());
    put(place, "spent.md", capsuleText({ status: "resumed" }));
    put(place, "paused.md", capsuleText({ status: "paused" }));
    put(place, "older.md", capsuleText({ created_at: "2026-10-01" }));
    expect(await judge(place)).toEqual(["OK memory: .ai/local/memory"]);
  });

  it("fails over a broken root, and over capsules that nobody will ever resume", async () => {
    const place = await newPlace(START);
    put(place, "a.md", capsuleText({ created_at: "yesterday" }));
    put(place, "b.md", capsuleText({ created_at: "yesterday" }));
    put(place, "c.md", capsuleText({ status: "draft" }));
    expect(await judge(place)).toEqual([
      'FAIL 2 file(s): bad-created_at ("yesterday"), e.g. "a.md": no clear will resume it',
      'WARN 1 file(s): status-not-active ("draft"), e.g. "c.md": no clear will resume it',
    ]);
    writeFileSync(join(place.root, ".aigent/state.json"), "[]");
    expect(await judge(place)).toEqual([expect.stringMatching(/^FAIL memory root: MEMORY-ROOT: /)]);
  });

  it("warns of a flawed choice, a declaration that leaves no room, and what was logged today", async () => {
    const place = await newPlace(START);
    put(place, "one.md", capsuleText({ waiting_on: "null" }));
    const lines = Array.from({ length: 24 }, (_, index) => `${index} ${"x".repeat(400)}`);
    const extension = join(place.root, ".aigent/lifecycle-extension.json");
    writeFileSync(extension, JSON.stringify({ schema: "LifecycleExtension/v2", resume_preload: lines }));
    writeFileSync(
      join(place.root, ".ai/local/memory/.daemon-errors.log"),
      '2026-01-01T00:00:00.000Z tag="old" message="x"\nnot a line\n2026-11-30T11:00:00.000Z tag="new" message="y"\n',
    );
    const found = await judge(place);
    expect(found).toEqual([
      expect.stringMatching(/^WARN lifecycle extension: its declared lines take 1\d{4} bytes/),
      expect.stringContaining("waiting_on is a bare null"),
      expect.stringContaining('tag=\\"new\\"'),
    ]);
    writeFileSync(extension, "{");
    expect((await judge(place))[0]).toMatch(
      /^FAIL lifecycle extension: LIFECYCLE-EXTENSION: declaration ignored/,
    );
  });
});
