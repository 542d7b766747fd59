import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readNamedRecord } from "../../../src/core/lifecycle/named-record.ts";
import { newPlace } from "../../support/checkout.ts";

describe("the path of a record", () => {
  it("leads to a Markdown file of the layer, and to nothing else", async () => {
    const place = await newPlace();
    const checkout = await place.checkout();
    writeFileSync(join(place.root, "outside.md"), "outside\n");
    symlinkSync(join(place.root, "outside.md"), join(place.root, ".ai", "link.md"));
    expect(readNamedRecord(checkout, ".ai/repo/knowledge/README.md").text).toContain("What was learned");
    for (const path of [
      ".ai/../outside.md",
      ".ai/./README.md",
      ".ai//README.md",
      ".ai/repo/../../outside.md",
      "outside.md",
      "/etc/hosts.md",
      ".ai/manifest.yaml",
    ]) {
      expect(() => readNamedRecord(checkout, path), path).toThrow(expect.objectContaining({ exit: 2 }));
    }
    expect(() => readNamedRecord(checkout, ".ai/link.md")).toThrow(/./);
    expect(() => readNamedRecord(checkout, ".ai/absent.md")).toThrow(expect.objectContaining({ exit: 12 }));
  });
});
