import { describe, expect, it } from "vitest";
import { readWiring } from "../../../../src/core/health/doctor/hook-script.ts";

describe("a git hook's script", () => {
  it.each([
    ["#!/bin/sh\nexec majordomus doctor\n", "runs"],
    ["#!/bin/sh\nmajordomus doctor\n", "runs"],
    ['#!/bin/sh\n"$(npm root)"/.bin/majordomus doctor --json\n', "runs"],
    ["#!/bin/sh\nset -e\nmajordomus doctor\necho done\n", "runs"],
    ["#!/bin/bash\nset -euo pipefail\nmajordomus doctor | tee log\n", "runs"],
    ["#!/bin/sh\nmajordomus doctor || exit 1\nnpm test\n", "runs"],
    ["#!/bin/sh\nif ! majordomus doctor; then\n  exit 1\nfi\n", "runs"],
    ["#!/bin/sh\nmajordomus doctor\nstatus=$?\nexit $status\n", "runs"],
    ["#!/bin/sh\nmajordomus \\\n  doctor\n", "runs"],
    ["#!/bin/sh\nmajordomus doctor || true\n", "swallows"],
    ["#!/bin/sh\nmajordomus doctor || :\n", "swallows"],
    ["#!/bin/sh\nmajordomus doctor || echo failed\n", "swallows"],
    ["#!/bin/sh\nmajordomus doctor &\n", "swallows"],
    ["#!/bin/sh\nmajordomus doctor | tee log\n", "swallows"],
    ["#!/bin/sh\nmajordomus doctor\nexit 0\n", "swallows"],
    ["#!/bin/sh\nmajordomus doctor\nnpm test\n", "swallows"],
    ["#!/bin/sh\nnpm test\n", "absent"],
    ["#!/bin/sh\n# majordomus doctor\n", "absent"],
    ["#!/bin/sh\nmajordomus finish --check\n", "absent"],
    ["#!/bin/sh\nnot-majordomus-at-all doctor\n", "absent"],
    ["", "absent"],
  ])("%j: %s", (script, wiring) => {
    expect(readWiring(script, "majordomus", ["doctor"])).toBe(wiring);
  });

  it("looks for a program of another name by its last part", () => {
    expect(readWiring("./scripts/gate.sh\n", "tools/scripts/gate.sh", [])).toBe("runs");
    expect(readWiring("./scripts/gateXsh\n", "tools/scripts/gate.sh", [])).toBe("absent");
  });
});
