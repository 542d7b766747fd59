import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PROGRAM } from "../support/built.ts";
import { scratchDirectory } from "../support/scratch.ts";
import { descriptorSink } from "../../src/cli/descriptor-sink.ts";
import { answerError } from "../../src/core/capabilities/answer.ts";
import { reportFailure } from "../../src/cli/failure.ts";
import { statusOfFindings } from "../../src/cli/findings.ts";
import { jsonText } from "../../src/cli/json-text.ts";
import { createOutput } from "../../src/cli/output.ts";
import type { Output } from "../../src/cli/output.ts";
import { EXIT, MajordomusError } from "../../src/core/base/error.ts";
import { LockTimeout } from "../../src/core/fs/lock.ts";

/** Characters that a terminal may act on; the line feed that ends a line is ours. */
const ACTIVE = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/u;

function capture(): { output: Output; stdout: () => string; stderr: () => string; close: () => void } {
  const text = { out: "", error: "" };
  let open = true;
  const stdout = {
    write: (part: string) => {
      if (open) text.out += part;
      return open;
    },
  };
  const stderr = {
    write: (part: string) => {
      text.error += part;
      return true;
    },
  };
  return {
    output: createOutput(stdout, stderr),
    stdout: () => text.out,
    stderr: () => text.error,
    close: () => {
      open = false;
    },
  };
}

describe("text for people", () => {
  it("is one inert line, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const { output, stdout, stderr } = capture();
        output.line(value);
        output.warn(value);
        for (const text of [stdout(), stderr()]) {
          expect(text.match(/\n/gu)).toHaveLength(1);
          expect(text).not.toMatch(ACTIVE);
        }
      }),
    );
  });

  it("keeps the lines of a block", () => {
    const { output, stdout } = capture();
    output.block("one\r\ntwo\u001B[2J\nthree");
    expect(stdout().split("\n")).toEqual(["one", expect.stringMatching(/^two.*\[2J$/u), "three", ""]);
    expect(stdout()).not.toContain("\u001B");
  });

  it("shows findings in the ledger's columns", () => {
    const { output, stdout } = capture();
    output.findings([
      { level: "OK", category: "state", subject: "task", message: "exact" },
      { level: "DRIFT", category: "verification", subject: "a", message: "b", reproduce: "majordomus check" },
    ]);
    expect(stdout()).toBe(
      "OK   state       task — exact\nDRIFT verification a — b  [reproduce: majordomus check]\n",
    );
  });
});

describe("JSON", () => {
  it("is exact for programs and harmless for terminals", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = jsonText(value);
        expect(text).not.toMatch(ACTIVE);
        expect(text).not.toContain("\n");
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const hostile = "\u001B]52;c;x\u0007\u009B2J\u202E\u{E0041}\uD800\u2028\u007F";
    expect(jsonText(hostile)).toMatch(/^[\u0020-\u007E]+$/u);
    expect(JSON.parse(jsonText(hostile))).toBe(hostile);
  });
});

describe("a reader that leaves", () => {
  it("ends the writing and nothing else", () => {
    const { output, stdout, close } = capture();
    output.line("seen");
    expect(output.readerGone.aborted).toBe(false);
    close();
    output.line("unseen");
    expect(output.readerGone.aborted).toBe(true);
    output.line("unseen");
    expect(stdout()).toBe("seen\n");
  });
});

describe("a disk that is full behind standard output", () => {
  const full = "/dev/full";

  it.skipIf(!existsSync(full))(
    "is told by a last line and by the status, and a reader who left by neither",
    () => {
      const descriptor = openSync(full, "w");
      try {
        const sink = descriptorSink(descriptor);
        expect(sink.write("x\n")).toBe(false);
        expect(sink.fault?.()).toContain("ENOSPC");
      } finally {
        closeSync(descriptor);
      }
      const { status, stderr } = runIntoFull(full);
      expect(status).toBe(EXIT.internal);
      expect(stderr).toMatch(/^majordomus: standard output could not be written: [^\n]*ENOSPC[^\n]*\n$/);
    },
  );
});

function runIntoFull(path: string): { status: number | null; stderr: string } {
  const descriptor = openSync(path, "w");
  try {
    return spawnSync(process.execPath, [PROGRAM, "--help"], {
      stdio: ["ignore", descriptor, "pipe"],
      encoding: "utf8",
    });
  } finally {
    closeSync(descriptor);
  }
}

describe("a descriptor", () => {
  it("is written whole, however much it is", () => {
    const path = join(scratchDirectory(), "out");
    const descriptor = openSync(path, "w");
    const text = "čšž\n".repeat(200_000);
    expect(descriptorSink(descriptor).write(text)).toBe(true);
    closeSync(descriptor);
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it("that is closed has no reader", () => {
    const descriptor = openSync(join(scratchDirectory(), "out"), "w");
    closeSync(descriptor);
    expect(descriptorSink(descriptor).write("x")).toBe(false);
  });
});

describe("a failure", () => {
  const foreseen = new MajordomusError({
    code: "manifest.absent",
    exit: EXIT.missing,
    subject: "/a\u001B[2Jb",
    message: "no .ai/manifest.yaml",
    remedy: "run init",
  });

  it("is one line with its subject and its remedy, and its own exit status", () => {
    const { output, stdout, stderr } = capture();
    expect(reportFailure(foreseen, { output, json: false, debug: false })).toBe(12);
    expect(stderr()).toMatch(/^majordomus: \/a.*\[2Jb: no \.ai\/manifest\.yaml; run init\n$/u);
    expect(stderr()).not.toContain("\u001B");
    expect(stdout()).toBe("");
  });

  it("is an object where JSON is wanted", () => {
    const { output, stdout, stderr } = capture();
    expect(reportFailure(foreseen, { output, json: true, debug: false })).toBe(12);
    expect(JSON.parse(stdout())).toEqual({
      error: {
        code: "manifest.absent",
        subject: "/a\u001B[2Jb",
        message: "no .ai/manifest.yaml",
        remedy: "run init",
      },
    });
    expect(stderr()).toBe("");
  });

  it("that nobody foresaw ends with 13; its stack is shown on demand alone", () => {
    const quiet = capture();
    expect(reportFailure(new Error("boom"), { output: quiet.output, json: false, debug: false })).toBe(13);
    expect(quiet.stderr()).toBe("majordomus: unexpected: boom\n");
    const data = capture();
    expect(reportFailure(new Error("boom"), { output: data.output, json: true, debug: false })).toBe(13);
    expect(JSON.parse(data.stdout())).toEqual({ error: { code: "internal", message: "unexpected: boom" } });
    const loud = capture();
    reportFailure(new Error("boom"), { output: loud.output, json: false, debug: true });
    expect(loud.stderr()).toContain("output.test.ts");
    const odd = capture();
    expect(reportFailure("thrown text", { output: odd.output, json: false, debug: true })).toBe(13);
    expect(odd.stderr()).toBe("majordomus: unexpected: thrown text\n");
  });
});

describe("a failure of the system", () => {
  it.each([
    [{ path: "/s/capsules/.tmp.deadbeef" }, "/s/capsules: "],
    [{ path: "/s/capsules/.tmp.deadbeef", dest: "/s/capsules/one.md" }, "/s/capsules/one.md: "],
    [{ path: "/s/capsules/one.md" }, "/s/capsules/one.md: "],
    [{}, ""],
  ])("says where it was, and never by the name that a write has meanwhile: %j", (places, subject) => {
    const error = Object.assign(new Error("EACCES: permission denied, open '/s/capsules/.tmp.deadbeef'"), {
      code: "EACCES",
      ...places,
    });
    const { output, stderr } = capture();
    expect(reportFailure(error, { output, json: false, debug: false })).toBe(13);
    const told = "permission denied (EACCES); make it accessible to this user";
    expect(stderr()).toBe(`majordomus: ${subject}${told}\n`);
    expect(answerError(error)).toMatchObject({ code: "system.EACCES", exit: 13 });
  });

  it("is told by its name", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    const { output, stdout, stderr } = capture();
    expect(reportFailure(full, { output, json: false, debug: false })).toBe(13);
    expect(stderr()).toBe("majordomus: no space left on device (ENOSPC); free some space there\n");
    reportFailure(full, { output, json: true, debug: false });
    expect(JSON.parse(stdout())).toMatchObject({ error: { code: "system.ENOSPC" } });
  });

  it("is a lock that another process holds", () => {
    const { output, stderr } = capture();
    const holder = { token: "00000000", pid: 7, started: null, boot: null, namespace: null };
    const held = new LockTimeout("/a/locks/ledger", { state: "held", holder }, { waitMilliseconds: 500 });
    expect(reportFailure(held, { output, json: false, debug: false })).toBe(13);
    expect(stderr()).toContain("/a/locks/ledger: still held by process 7 after");
    expect(stderr()).toContain("try again when it has ended");
  });

  it("is a lock of which nobody can tell who holds it, with what a person can do", () => {
    const { output, stderr } = capture();
    const held = new LockTimeout("/a/locks/ledger", { state: "unknown" }, { waitMilliseconds: 500 });
    expect(reportFailure(held, { output, json: false, debug: false })).toBe(13);
    expect(stderr()).toContain("/a/locks/ledger: still held by a holder that cannot be identified");
    expect(stderr()).toContain("`majordomus recover orphans` can remove");
  });
});

describe("the exit status of findings", () => {
  it("is 10 for a failure or a drift, and 0 for less", () => {
    const finding = (level: "OK" | "INFO" | "WARN" | "FAIL" | "DRIFT") => ({
      level,
      category: "c",
      subject: "s",
      message: "m",
    });
    expect(statusOfFindings([])).toBe(0);
    expect(statusOfFindings([finding("OK"), finding("INFO"), finding("WARN")])).toBe(0);
    expect(statusOfFindings([finding("OK"), finding("FAIL")])).toBe(10);
    expect(statusOfFindings([finding("DRIFT")])).toBe(10);
  });
});
