import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  continuityMemory,
  formatContinuityState,
  readContinuityState,
  waitingOffers,
  waitingSentence,
} from "../../../src/core/records/continuity-cache.ts";

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "majordomus-continuity-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const TEXT = `{
  "schema": "majordomus-continuity-local/v1",
  "branches": {
    "DETACHED": {
      "line": "a",
      "record": "b",
      "via": "resumed",
      "at": "2026-10-03T18:00:00Z"
    },
    "main": {
      "line": "a",
      "record": "a",
      "via": "published",
      "at": "2026-10-03T18:00:00Z"
    }
  },
  "offers": [
    {
      "record": "c",
      "device": "mini",
      "branch": "main",
      "published_at": "2026-10-03T18:00:00Z",
      "task": "fix",
      "issue": "#1"
    }
  ],
  "last_sync": {
    "remote": "origin",
    "at": "2026-10-03T18:00:00Z",
    "outcome": "partial",
    "detail": "declined"
  },
  "later": {
    "kept": true
  }
}
`;

it("is read and written byte for byte, what later versions add included", () => {
  const path = join(directory(), "continuity.json");
  writeFileSync(path, TEXT);
  const state = readContinuityState(path);
  expect(state.ok && formatContinuityState(state.value)).toBe(TEXT);
});

it("an absent file is an empty state", () => {
  expect(readContinuityState(join(directory(), "continuity.json"))).toMatchObject({
    ok: true,
    value: { offers: [], lastSync: undefined },
  });
});

it.each([
  ["{"],
  ["[]"],
  ['{"schema":"majordomus-continuity-local/v2","branches":{},"offers":[]}'],
  ['{"schema":"majordomus-continuity-local/v1","branches":{},"offers":[{"record":1}]}'],
  ['{"schema":"majordomus-continuity-local/v1","branches":{"main":{"via":"stolen"}},"offers":[]}'],
])("%s is none, and says so", (text) => {
  const path = join(directory(), "continuity.json");
  writeFileSync(path, text);
  expect(readContinuityState(path)).toMatchObject({ ok: false });
});

it("a link in its place is not followed", () => {
  const place = directory();
  writeFileSync(join(place, "elsewhere"), TEXT);
  symlinkSync("elsewhere", join(place, "continuity.json"));
  expect(readContinuityState(join(place, "continuity.json"))).toMatchObject({ ok: false });
});

it("what waits is told from the notes alone, less what is hidden here, and repeats nobody's words", () => {
  const place = directory();
  expect(waitingOffers(place, place)).toEqual([]);
  writeFileSync(join(place, "continuity.json"), TEXT);
  const offers = waitingOffers(place, place);
  expect(offers).toHaveLength(1);
  expect(waitingSentence(offers, "main")).toBe(
    "1 handover of another machine waits to be resumed (on this branch); `majordomus continuity plan` says what that would do.",
  );
  const many = [...offers, ...offers, ...offers];
  expect(waitingSentence(many, "side")).toContain(
    "3 handovers of other machines wait to be resumed (on another branch)",
  );
  expect(waitingSentence(offers, "main")).not.toContain("fix");
  mkdirSync(continuityMemory(place).hidden, { recursive: true });
  writeFileSync(join(continuityMemory(place).hidden, "c"), "");
  expect(waitingOffers(place, place)).toEqual([]);
  expect(waitingSentence([], "main")).toBeUndefined();
  writeFileSync(join(place, "continuity.json"), "not JSON");
  expect(waitingOffers(place, place)).toEqual([]);
});
