import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownProcess } from "../../../src/core/fs/process.ts";
import { executableAt } from "../../../src/core/serving/executable.ts";
import { readLease } from "../../../src/core/serving/lease.ts";
import { judgeLease, serverLine } from "../../../src/core/serving/standing.ts";
import { anotherProcess, place, putLease, readyLease } from "./support.ts";

describe("a checkout's server", () => {
  it("is absent where there is no lease, and where a power cut left an empty one", async () => {
    const { checkout, program } = place();
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "absent", replaceable: true });
    putLease(checkout, "");
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "absent", replaceable: true });
  });

  it("is ready while the process of its lease lives", async () => {
    const { checkout, program } = place();
    const server = await anotherProcess();
    putLease(checkout, readyLease(checkout, program, server));
    const judged = judgeLease(checkout, program);
    expect(judged).toMatchObject({ standing: "ready", replaceable: false });
    expect(serverLine(judged)).toBe(`ready http://127.0.0.1:8741 pid ${server.pid}`);
    await server.kill();
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "stale", replaceable: true });
  });

  it("is stale where its number belongs to another program now", async () => {
    const { checkout, program } = place();
    const stranger = await anotherProcess();
    putLease(checkout, readyLease(checkout, program, stranger, { started: "1" }));
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "stale", replaceable: true });
  });

  it("is stale after the machine was started anew, whoever has its number", async () => {
    const { checkout, program } = place();
    putLease(checkout, readyLease(checkout, program, { ...ownProcess(), boot: "an-earlier-boot" }));
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "stale", replaceable: true });
  });

  it("is not judged where its process lives in another namespace", async () => {
    const { checkout, program } = place();
    putLease(checkout, readyLease(checkout, program, { ...ownProcess(), namespace: "pid:[1]" }));
    const judged = judgeLease(checkout, program);
    expect(judged).toMatchObject({ standing: "ready", unproved: true, replaceable: false });
    expect(serverLine(judged)).toContain("cannot be seen from here");
  });

  it("is stale where the lease came along with a copy of the work tree", async () => {
    const { checkout, program } = place();
    putLease(checkout, readyLease({ root: "/home/mira/app" }, program, ownProcess()));
    expect(judgeLease(checkout, program)).toMatchObject({
      standing: "stale",
      note: "the lease was copied from /home/mira/app",
    });
  });

  it("is outdated where the program was replaced, and another installation's is left alone", async () => {
    const { checkout, program } = place();
    putLease(checkout, readyLease(checkout, program, ownProcess()));
    writeFileSync(join(program.path, "..", "..", "dist", "cli.cjs"), "// built anew\n");
    const rebuilt = executableAt(program.path);
    expect(judgeLease(checkout, rebuilt)).toMatchObject({ standing: "outdated", replaceable: true });
    const other = { path: "/opt/other/bin/majordomus", build: "1" };
    expect(judgeLease(checkout, other)).toMatchObject({ standing: "ready" });
    putLease(checkout, readyLease(checkout, program, ownProcess(), { version: "0.0.1" }));
    expect(judgeLease(checkout, other)).toMatchObject({ standing: "outdated", replaceable: false });
  });

  it("is starting until it has an address", async () => {
    const { checkout, program } = place();
    const { url: _, ...unready } = readyLease(checkout, program, ownProcess(), { state: "starting" });
    putLease(checkout, unready);
    const judged = judgeLease(checkout, program);
    expect(judged).toMatchObject({ standing: "starting", replaceable: false });
    expect(serverLine(judged)).toBe(`starting pid ${process.pid}`);
  });
});

describe("a lease that is not ours", () => {
  const strange: readonly [string, (lease: Record<string, unknown>) => unknown][] = [
    ["another tool's", () => ({ url: "http://127.0.0.1:8741", executable: "/usr/bin/x", token: "t" })],
    ["a later schema's", (lease) => ({ ...lease, schema: "majordomus-server-lease/v2" })],
    ["with a field that we do not know", (lease) => ({ ...lease, mesh: true })],
    ["whose address is another machine's", (lease) => ({ ...lease, url: "http://192.0.2.1:8741" })],
    ["whose address has more to it", (lease) => ({ ...lease, url: "http://127.0.0.1:8741@evil.example" })],
    ["with a token of another form", (lease) => ({ ...lease, token: "short" })],
    ["that is no JSON", () => "not json"],
    ["that is null", () => null],
  ];

  it.each(strange)("%s is reported and never replaceable", async (_, change) => {
    const { checkout, program } = place();
    putLease(checkout, change({ ...readyLease(checkout, program, ownProcess()) }));
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "foreign", replaceable: false });
  });

  it("whatever its bytes are, is read without a fault and believed only when it is whole", async () => {
    const { checkout, program } = place();
    const whole = readyLease(checkout, program, ownProcess());
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.dictionary(fc.constantFrom(...Object.keys(whole)), fc.jsonValue()),
        ),
        (content) => {
          putLease(checkout, content);
          const reading = readLease(checkout);
          expect(["absent", "foreign"]).toContain(reading.kind);
          expect(judgeLease(checkout, program).standing).toBe(reading.kind);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("that is a directory is reported", async () => {
    const { checkout, program } = place();
    putLease(checkout, "x");
    const path = join(checkout.layout.state, "mcp", "server.json");
    rmSync(path);
    const { mkdirSync } = await import("node:fs");
    mkdirSync(path);
    expect(judgeLease(checkout, program)).toMatchObject({ standing: "foreign" });
  });
});
